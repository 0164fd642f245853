import os

from hypothesis import HealthCheck, settings

steady = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
settings.register_profile("usual", steady, max_examples=100)
settings.register_profile("full", steady, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))
