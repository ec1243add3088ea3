"""``python -m runner`` is ``cardwalk``."""

import sys

from runner.cli import main

sys.exit(main())
