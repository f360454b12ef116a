"""Scripted model endpoints on loopback, in the wire formats of the providers.

`ModelEndpoint(world, Said("Hello"), overloaded())` answers one request after the other; `asked`
holds what it was asked. `faults` names the ways to fail.
"""

from tests.loopback.gate import Gate
from tests.loopback.models.asked import Asked, FormatName, Message
from tests.loopback.models.endpoint import FORMATS, Line, ModelEndpoint
from tests.loopback.models.said import Call, Failed, Said, Spent

__all__ = [
    "FORMATS",
    "Asked",
    "Call",
    "Failed",
    "FormatName",
    "Gate",
    "Line",
    "Message",
    "ModelEndpoint",
    "Said",
    "Spent",
]
