"""``python -m understudy`` is the command ``understudy``."""

import sys

from understudy.cli import main

sys.exit(main())
