"""Owns what a model's reply is taken to say: its text without reasoning, and its calls.

A call that was printed as text counts as made only when the reply made none itself.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from .call_values import offered_name
from .messages import ToolCall, read_args
from .reasoning import without_reasoning
from .spoken_calls import spoken_calls
from .tools import known_tool

_CONTROL = re.compile(
    r"<\|(?:im_end|im_start|eot_id|eom_id|end|return|call|endoftext|end_of_text)\|>|</s>\s*\Z"
)


def understood(
    text: str, calls: Sequence[ToolCall], offered: Sequence[str], *, supplement: bool
) -> tuple[str, tuple[ToolCall, ...]]:
    """Return the reply's text and its calls as they are meant. Pure; never raises.

    Arguments that can be read whole are objects in the calls returned, so that no later request
    sends a provider what is not JSON; the others stay as they are, to be refused.
    """
    said = without_reasoning(text.replace("\r\n", "\n"))
    if calls:
        return _CONTROL.sub("", said).strip(), tuple(_mended(call, offered) for call in calls)
    spoken = spoken_calls(said, offered, supplement=supplement)
    mended = tuple(_mended(call, offered) for call in spoken.calls)
    return _CONTROL.sub("", spoken.text).strip(), mended


def _mended(call: ToolCall, offered: Sequence[str]) -> ToolCall:
    if not known_tool(call.tool):
        call = replace(call, tool=offered_name(call.tool, offered) or call.tool)
    try:
        read = read_args(call)
    except ValueError:
        return call
    return call if read.cut and isinstance(call.args, str) else replace(call, args=read.value)
