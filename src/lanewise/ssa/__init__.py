"""Functions in SSA form: values, blocks with parameters, a verifier, passes, an interpreter, and a text form."""
