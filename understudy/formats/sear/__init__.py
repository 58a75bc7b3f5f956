"""SEAR projects: objects as XML files in ``environment/`` and ``robot/``, files in ``assets/``, packed as ``.sear``."""
