"""`python -m lanewise`."""

import sys

from lanewise.tools.cli import main

sys.exit(main())
