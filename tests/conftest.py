"""How all tests run: with patience, for two processes share the machine with whatever else it does."""

import os

os.environ.setdefault("UNDERSTUDY_COMPILE", "now")  # tests/tiers has its own; "never" runs all tests interpreted

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
