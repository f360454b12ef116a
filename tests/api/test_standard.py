"""Standard tasks, their questions and the conversation over HTTP (DESIGN §10, §19)."""

from tests.api.test_tasks import refused
from tests.api.world import Kernel
from tests.engine.test_standard import until
