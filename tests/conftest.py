import os

from hypothesis import HealthCheck, settings

common = {"deadline": None, "derandomize": True, "database": None, "suppress_health_check": list(HealthCheck)}
settings.register_profile("usual", max_examples=60, **common)
settings.register_profile("full", max_examples=2000, **common)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))
