"""Owns the magics: they read a line, ask the engine, and let the cell show the answer."""

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError as OneLine
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class, no_var_expand

from ..errors import LazyboyError
from .arguments import (
    btw_parser,
    chat_parser,
    options_inside,
    parse_btw,
    parse_chat,
    parse_research,
    parse_timing,
    research_parser,
    with_variables,
    without_quotes,
)
from .cards import CardDisplay
from .session import get_engine, news_of, notebook_of, one_line

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..engine.engine import Engine
    from ..engine.task import ResearchTask


@magics_class
class LazyboyMagics(Magics):
    """`%research`, `%btw`, `%chat`, `%timing` and `%lazyboy`."""

    shell: Any  # IPython's own type says that there may be none; a magic runs in one

    def __init__(self, shell: Any, display: CardDisplay) -> None:
        super().__init__(shell)
        self._display = display

    @no_var_expand
    @line_cell_magic
    def research(self, line: str, cell: str | None = None) -> Any:
        """Research a question in the background; the cell returns at once with a live card.

        The value is a `ResearchTask`: `task = %research QUESTION`, then `task.wait()`,
        `task.guide`, `task.sources`, `task.timing()`; in a notebook `await task` works too.

        Examples::

            %research How does the with statement work?

            %%research --pages 4 -s folder:docs
            Which of our services still write to the old bucket,
            and who owns them?

        Options, before the question:

          -s, --search NAME   where to look: auto, ddgs, brave, tavily, searxng, wikipedia,
                              pydoc, folder:PATH; may be given more than once
          -m, --model NAME    who writes the guide: extractive, openai:MODEL, anthropic:MODEL,
                              google:MODEL, xai:MODEL, ollama:MODEL, openai-compatible:MODEL
          --time SECONDS      how long it may collect (120; at most 600)
          --searches N        how many searches (2; at most 10)
          --pages N           how many pages (6; at most 40)
          --gaps N            how many open questions it may follow up (2; 0 for none)
          --max-tokens N      close the collection after so many tokens
          --name NAME         a name for %lazyboy show NAME
          -w, --wait          return only when it has ended
          --debug             show a traceback when something goes wrong

        {name} and $name in the question take the notebook's variables. A kernel interrupt stops
        nothing in the background; %lazyboy stop does.
        """
        return self._guarded("--debug" in line.split(), lambda: self._research(line, cell))

    def _research(self, line: str, cell: str | None) -> "ResearchTask | None":
        if line.split()[:1] in (["-h"], ["--help"]):
            print(inspect.getdoc(type(self).research))  # noqa: T201 - the cell's output
            return None
        options, text = parse_research(with_variables(line, self.shell.user_ns))
        question = self._question(text, cell)
        engine = self._engine()
        self._tell_options_inside(text, research_parser())
        task = engine.research(
            question,
            time=options.time,
            searches=options.searches,
            pages=options.pages,
            gaps=options.gaps,
            max_tokens=options.max_tokens,
            model=options.model,
            search=options.search,
            name=options.name,
        )
        self._display(task)
        if options.wait:
            try:
                task.wait()
            except KeyboardInterrupt:
                print("No longer waiting; the research goes on.")  # noqa: T201 - the cell's output
            self._display.redraw(task)
        return task

    def _tell_options_inside(self, text: str, parser: "ArgumentParser") -> None:
        for option in options_inside(text, parser):
            print(f"Options come first: {option} was taken as a part of the question.")  # noqa: T201

    def _question(self, text: str, cell: str | None) -> str:
        """What stands on the magic's line after its options, and in the cell's body."""
        body = with_variables(cell, self.shell.user_ns).strip() if cell is not None else ""
        return without_quotes("\n".join(part for part in (text, body) if part))

    @no_var_expand
    @line_cell_magic
    def btw(self, line: str, cell: str | None = None) -> Any:
        """Ask what a task's agent knows so far, without disturbing it; the answer grows below.

        The question goes to the newest running task, else to the newest. Alone, `%btw` shows what
        was asked of it, by number. The value is a `SideAnswer`: `.answer`, `.rests_on`, `.wait()`.

        Examples::

            %btw What is still missing?
            %btw --to 1f3e9c2a Which page said that?
            %btw --promote 2

        Options, before the question:

          --to TASK           ask this task's agent
          -w, --wait          return only when the answer is whole
          --stop              end the answer that is being written; its text is kept
          --clear             delete the questions of this task
          --promote [N]       show what the agent would get if answer N were given to it
          --promote N --yes   give it: the agent has it before its next request, once
          --debug             show a traceback when something goes wrong

        The answer comes from a snapshot: the agent's own work, its budget and its record stay as
        they would be.
        """
        return self._guarded("--debug" in line.split(), lambda: self._btw(line, cell))

    def _btw(self, line: str, cell: str | None) -> Any:
        if line.split()[:1] in (["-h"], ["--help"]):
            print(inspect.getdoc(type(self).btw))  # noqa: T201 - the cell's output
            return None
        from .btw import run_btw
        from .side_history import SideHistory

        options, text = parse_btw(with_variables(line, self.shell.user_ns))
        self._tell_options_inside(text, btw_parser())
        shown = run_btw(self._engine(), options, self._question(text, cell))
        if isinstance(shown, str):
            print(shown)  # noqa: T201 - the cell's output
            return None
        if isinstance(shown, SideHistory):
            self._display.show_or_print(shown)
            return None
        self._display(shown)
        if options.wait:
            try:
                shown.wait()
            except KeyboardInterrupt:
                print("No longer waiting; the answer goes on.")  # noqa: T201 - the cell's output
            self._display.redraw(shown)
        return shown

    @no_var_expand
    @line_cell_magic
    def chat(self, line: str, cell: str | None = None) -> Any:
        """Talk to the coordinator of this notebook; it answers, or gives the work to others.

        The answer grows below. What it gives to others goes on in the background: each task has a
        card of its own below, its guide appears there, and the coordinator knows of it in the next
        turn. The conversation goes on after a restart. Where it asks something, the next `%%chat`
        is the answer. The value is a `ChatTurn`: `.result`, `.children`, `.wait()`.

        Examples::

            %%chat
            Compare how pathlib and os.path join paths, and make a guide of it.

            %chat What did we find out about absolute paths?

        Options, before the words:

          -m, --model NAME    who answers, and works on what is given to others
          -s, --search NAME   where they look; may be given more than once
          --debug             show a traceback when something goes wrong

        A kernel interrupt ends the turn, and nothing in the background.
        """
        return self._guarded("--debug" in line.split(), lambda: self._chat(line, cell))

    def _chat(self, line: str, cell: str | None) -> Any:
        if line.split()[:1] in (["-h"], ["--help"]):
            print(inspect.getdoc(type(self).chat))  # noqa: T201 - the cell's output
            return None
        from .chat import run_chat

        options, text = parse_chat(with_variables(line, self.shell.user_ns))
        self._tell_options_inside(text, chat_parser())
        return run_chat(self._engine(), options, self._question(text, cell), self._display)

    @no_var_expand
    @line_cell_magic
    def timing(self, line: str, cell: str | None = None) -> Any:
        """Show where the time went: a ready view with its plot, or your own SQL over all views.

        Alone, it shows the time by stage and the waterfall of the newest task. Below each plot
        stands the SQL that made it. The value of SQL is a relation: `.df()`, `.pl()`, `.arrow()`,
        `.fetchall()` read all of it, as it is then.

        Examples::

            %timing waterfall 1f3e9c2a
            %timing --all slow_sources
            slow = %timing SELECT url, p95_ms FROM slow_sources

            %%timing --all -o by_stage
            SELECT stage, count(*) AS n, sum(elapsed_ms) AS ms
            FROM timing GROUP BY stage ORDER BY ms DESC

        Views with a plot: waterfall [TASK], stages, and every public view by its name.

        Options, before the view or the SQL:

          --all               finished tasks of the other notebooks of this folder too
          -o, --output NAME   keep the relation in this variable
          --limit N           show so many rows (20)
          --debug             show a traceback when something goes wrong

        SQL may only read: one SELECT, WITH, FROM, DESCRIBE, SUMMARIZE, SHOW or EXPLAIN. Like any
        code of a notebook it may read files: FROM read_csv('…'). A kernel interrupt ends it.
        {name} and $name take the notebook's variables.
        """
        return self._guarded("--debug" in line.split(), lambda: self._timing(line, cell))

    def _timing(self, line: str, cell: str | None) -> Any:
        if line.split()[:1] in (["-h"], ["--help"]):
            print(inspect.getdoc(type(self).timing))  # noqa: T201 - the cell's output
            return None
        from .timing import run_timing

        variables = self.shell.user_ns
        options, text = parse_timing(with_variables(line, variables))
        if cell is not None:
            text = f"{text}\n{with_variables(cell, variables)}"
        try:
            shown = run_timing(self._engine(), options, text, is_sql=cell is not None)
        except KeyboardInterrupt:
            raise OneLine("Interrupted: the query is ended; research goes on.") from None
        if isinstance(shown, str):
            print(shown)  # noqa: T201 - the cell's output
            return None
        for sentence in shown.left_out:
            print(sentence)  # noqa: T201 - the cell's output
        if options.output is not None:
            variables[options.output] = shown
        return shown

    @no_var_expand
    @line_magic
    def lazyboy(self, line: str) -> Any:
        """Look after tasks: status, list, show, answer, stop, resume, archive, delete, export.

        Examples::

            %lazyboy status
            %lazyboy list
            %lazyboy show 1f3e9c2a
            %lazyboy stop 1f3e9c2a
            %lazyboy export 1f3e9c2a guide.md

        `%lazyboy help` explains each.
        """
        words = [word for word in line.split() if word != "--debug"]
        if words and words[0] in {"-h", "--help"}:
            words = ["help"]
        return self._guarded("--debug" in line.split(), lambda: self._lazyboy(" ".join(words)))

    def _lazyboy(self, line: str) -> Any:
        from .commands import HELP, run_command

        if line.strip() == "help":
            print(HELP)  # noqa: T201 - the cell's output
            return None
        shown = run_command(self._engine(), with_variables(line, self.shell.user_ns))
        if isinstance(shown, str):
            print(shown)  # noqa: T201 - the cell's output
            return None
        return shown

    def _engine(self) -> "Engine":
        engine = get_engine(notebook_of(self.shell))
        for line in news_of(engine):
            print(line)  # noqa: T201 - the cell's output
        return engine

    def _guarded(self, debug: bool, work: Callable[[], Any]) -> Any:  # noqa: FBT001
        """Run the magic's work; what a person can act on becomes one line, without a traceback."""
        try:
            return work()
        except LazyboyError as error:
            if debug:
                raise
            raise OneLine(one_line(error)) from None
