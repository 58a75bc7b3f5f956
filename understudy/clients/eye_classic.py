"""Classic RoBIOS for Python programs: ``from eye_classic import *``. What it has is in `understudy_robios.classic`."""

import importlib
import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  # light: programs start with this
for _folder in (_here, os.path.join(_here, "understudy", "clients")):  # noqa: PTH118
    if os.path.isdir(os.path.join(_folder, "understudy_robios")) and _folder not in sys.path:  # noqa: PTH112, PTH118
        sys.path.append(_folder)
importlib.import_module("understudy_robios.patches").install()
sys.modules[__name__] = importlib.import_module("understudy_robios.classic")
