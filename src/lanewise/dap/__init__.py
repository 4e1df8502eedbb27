"""`lanewise dap`: the debug adapter, by which editors drive a session of `lanewise.debugger`.

`framing` reads and writes messages, `protocol` has their types, `arguments` reads what a request gives, `launch` makes a
session of a launch configuration, and `adapter` answers requests. `launch.schema.json` describes a launch configuration;
editors offer its keys.
"""
