"""Owns the tools of all tasks: their arguments, their JSON schemas, their descriptions.

Nothing here runs a tool. The schemas come from the pydantic models, so what a model is told and
what is checked are one (DESIGN §4 "Tools of a research task").
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, ValidationError

from . import shapes
from .messages import ToolCall, read_args
from .publication import GuideArgs, SupplementArgs
from .team_tools import TEAM_DESCRIPTIONS, TEAM_MODELS, TeamArgs
from .tolerant_json import Read, read_value

LARGE = 6_000
"""A result over this many characters is stored whole, and only its beginning delivered."""
LARGEST_SLICE = 12_000
MOST_CALLS = 40
"""One reply has so many calls at most; those beyond them are answered, and not run."""

_Text = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1),
    BeforeValidator(shapes.line),
]
_Gap = Annotated[int | None, BeforeValidator(shapes.number)]


class SearchArgs(BaseModel):
    """Arguments of `web_search`."""

    query: _Text = Field(description="What to search for.")
    gap: _Gap = Field(default=None, description="In a supplement: the gap's number, from 0.")


class PageArgs(BaseModel):
    """Arguments of `open_page` and `browser_open`."""

    url: _Text = Field(description="The address to read.")
    gap: _Gap = Field(default=None, description="In a supplement: the gap's number, from 0.")


class SnapshotArgs(BaseModel):
    """Arguments of `browser_snapshot`: none."""


class OutputArgs(BaseModel):
    """Arguments of `read_tool_output`. Offsets count Unicode characters."""

    output_id: _Text
    offset: int = Field(default=0, ge=0)
    limit: int = Field(default=LARGE, ge=1, description=f"At most {LARGEST_SLICE}.")


class ProgressArgs(BaseModel):
    """Arguments of `report_progress`."""

    text: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=500),
        BeforeValidator(shapes.line),
    ]


ToolArgs = (
    SearchArgs
    | PageArgs
    | SnapshotArgs
    | OutputArgs
    | ProgressArgs
    | GuideArgs
    | SupplementArgs
    | TeamArgs
)

_MODELS: dict[str, type[ToolArgs]] = {
    "web_search": SearchArgs,
    "open_page": PageArgs,
    "browser_open": PageArgs,
    "browser_snapshot": SnapshotArgs,
    "read_tool_output": OutputArgs,
    "report_progress": ProgressArgs,
    **TEAM_MODELS,
}
RESEARCH_TOOLS = (*(name for name in _MODELS if name not in TEAM_MODELS), "publish_research")
"""All that a research task can ever be offered."""
TOOL_NAMES = (*_MODELS, "publish_research")
_DESCRIPTIONS: dict[str, str] = {
    "web_search": "Search. Spends one search. Gives up to 10 results, each with a source id.",
    "open_page": "Read a page. Spends one page. Gives its text, or why it could not be read.",
    "browser_open": "Read a page in a real browser. Spends one page.",
    "browser_snapshot": "The page that is open in the browser, as text. Spends nothing.",
    "read_tool_output": "Read on in a long result, by its output id. Spends nothing.",
    "report_progress": "Tell the person in one sentence what you are doing. Spends nothing.",
    "publish_research": "Publish the guide. Cite only sources of this task, by their ids.",
    **TEAM_DESCRIPTIONS,
}
_BARE: dict[str, str] = {
    "web_search": "query",
    "open_page": "url",
    "browser_open": "url",
    "read_tool_output": "output_id",
    "report_progress": "text",
    "ask_user": "question",
    "task_status": "task",
}
"""What a text in place of the arguments means. A publication is never a bare text."""
_NOTHING = {"", "null", "none", "undefined", "true", "false"}
_SUPPLEMENT = "Publish what the gaps' sources add. Cite only sources of this task, by their ids."


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model request declares it; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]


class ToolCallError(Exception):
    """The call cannot be run; the text is for the model."""


@cache  # a schema takes a millisecond to make, and the same few are asked for in every round
def tool_specs(names: tuple[str, ...], *, supplement: bool) -> tuple[ToolSpec, ...]:
    """Return the declarations of the tools named, in that order."""
    return tuple(
        ToolSpec(
            name,
            _SUPPLEMENT if supplement and name == "publish_research" else _DESCRIPTIONS[name],
            arguments_of(name, supplement=supplement).model_json_schema(),
        )
        for name in names
    )


def known_tool(name: str) -> bool:
    """Whether there is such a tool, offered or not."""
    return name in TOOL_NAMES


def arguments_of(name: str, *, supplement: bool) -> type[ToolArgs]:
    """Return the pydantic model of a known tool's arguments."""
    if name == "publish_research":
        return SupplementArgs if supplement else GuideArgs
    return _MODELS[name]


def parse_call(call: ToolCall, *, supplement: bool) -> ToolArgs:
    """Return the checked arguments of `call`. Raises `ToolCallError` with one sentence."""
    if not known_tool(call.tool):
        raise ToolCallError(f"There is no tool {call.tool[:80]!r}.")
    try:
        read = _read(call)
    except ValueError as error:
        raise ToolCallError(f"The arguments are not valid JSON: {str(error)[:200]}.") from None
    _refuse_cut(call.tool, read)
    model = arguments_of(call.tool, supplement=supplement)
    args = shapes.unwrapped(read.value, call.tool, tuple(model.model_fields))
    try:
        return model.model_validate(args)
    except ValidationError as error:
        raise ToolCallError(_first_problems(error)) from None


def _read(call: ToolCall) -> Read:
    """Return the arguments, a bare text being the one that the tool must have."""
    only = _BARE.get(call.tool)
    text = call.args.strip() if isinstance(call.args, str) else "{"
    if not text and call.tool in {"browser_snapshot", "task_status"}:
        return Read({}, 0)
    if only is None or text.lower() in _NOTHING or set("{[") & set(text):
        return read_args(call)
    read = read_value(text) if text[0] in "\"'“" else None
    if read is None or text[read.end :].strip():  # a query may begin with a phrase in quotes
        return Read({only: text}, len(text), call.cut, call.cut)
    cut = read.cut or call.cut
    return Read({only: read.value}, read.end, cut, cut)


def _refuse_cut(tool: str, read: Read) -> None:
    """A beginning is enough to search with; a publication, or an address, must be whole."""
    if read.cut and tool == "publish_research":
        raise ToolCallError(
            "The arguments were cut off before their end, so nothing was published. "
            "Publish a shorter guide: fewer findings, and shorter quotes."
        )
    if read.cut_text and tool in {"open_page", "browser_open"}:
        raise ToolCallError("The address was cut off before its end. Call again with all of it.")


def _first_problems(error: ValidationError) -> str:
    problems = [
        f"{'.'.join(map(str, problem['loc'])) or 'arguments'}: {problem['msg']}"
        for problem in error.errors(include_url=False, include_input=False)[:5]
    ]
    return "The arguments do not fit. " + "; ".join(problems) + "."
