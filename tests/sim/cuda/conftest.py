from tests.sim.cuda import device

collect_ignore = [] if device.is_there() else ["test_device.py"]
