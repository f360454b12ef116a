"""The keyless model's answers to side questions, as a function of history and question."""

from typing import Any

import pytest

from lazyboy_jupyter.adapters.models.extractive_side import answer
from lazyboy_jupyter.core.messages import ToolCall, ToolResult, reply, results
from lazyboy_jupyter.core.side_context import Pair, side_messages
from lazyboy_jupyter.core.side_evidence import rests_of
from lazyboy_jupyter.core.snapshot import PENDING
from tests.adapters.side_talk import DYKES, GATES, Talk


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.searched(
        "harbour gates Hamburg",
        ("S1", "Harbour gates", "Harbour gates reduced flood losses in Hamburg by 17 percent."),
        ("S2", "Dykes", "Dykes cost the city 9,000 euros a metre."),
        ("S3", "Lighthouses", "The old lighthouse shines for 20 miles over the estuary."),
        ("S4", "Closed shop", "Nothing."),
    )
    talk.opened("S1", "Harbour gates", GATES)
    talk.opened("S2", "Dykes", DYKES)
    talk.failed("S4", "The site asked whether a person is reading.")
    return talk


def quotes(talk: Talk, said: str) -> dict[str, str]:
    """The quotes that people will be able to follow, with their sources."""
    return {rest.quote: rest.source for rest in rests_of(said, talk.messages) if rest.quote}


def test_a_sentence_of_a_page_answers_with_its_place(talk: Talk) -> None:
    said = talk.said("When do the gates close?")
    first = said.split("\n\n")[0]
    quote = "The gates close when the water stands 4 metres above normal."
    assert first == f"“{quote}” — Harbour gates (S1)"
    (rest,) = [one for one in rests_of(said, talk.messages) if one.quote == quote]
    assert rest.offset is not None
    assert GATES[rest.offset :].startswith(quote)


@pytest.mark.parametrize(
    "asked",
    [
        "Which page says that sheep keep the grass short?",
        "Where does it say that sheep keep the grass short?",
        "What have you found about sheep and grass?",
        "Did you find anything about sheep on grass so far?",
        "What does S2 say about sheep?",
        "do any of the sources mention sheep?",
    ],
)
def test_what_frames_a_subject_is_no_subject(talk: Talk, asked: str) -> None:
    said = talk.said(asked)
    assert said.startswith("“Sheep keep the grass on dykes short.” — Dykes (S2)")


def test_at_most_four_sentences_and_every_one_is_found_again() -> None:
    talk = Talk()
    verbs = "hold raise drain flood guard scour narrow deepen".split()
    talk.opened("S1", "Gates", "\n\n".join(f"Gates {verb} the {verb} river." for verb in verbs))
    said = talk.said("What do gates do to the river?")
    assert len(said.split("\n\n")) == 4
    assert len(quotes(talk, said)) == 4


def test_a_heading_alone_is_no_answer() -> None:
    talk = Talk()
    talk.opened("S1", "Harbour gates", "# Harbour gates\n\nHarbour gates\n\nSwans are white birds.")
    assert "“Harbour gates”" not in talk.said("What about harbour gates?")


def test_what_was_not_read_is_said_to_be_from_a_search(talk: Talk) -> None:
    said = talk.said("How many miles does the lighthouse shine?")
    quote = "The old lighthouse shines for 20 miles over the estuary."
    assert f"“{quote}” — Lighthouses (S3), as a search showed it; the page was not read" in said
    assert {rest.source for rest in rests_of(said, talk.messages)} == {"S3"}


def test_what_no_text_speaks_of_is_said_to_be_unknown(talk: Talk) -> None:
    said = talk.said("Who invented the telephone?")
    assert said.startswith("This is not answered in what was read so far: none of its words")
    assert "Searched for ‘harbour gates Hamburg’." in said
    assert "Read 2 pages: Harbour gates (S1); Dykes (S2)." in said
    assert (
        "Could not be read: Closed shop (S4). The site asked whether a person is reading." in said
    )
    assert not quotes(talk, said)


def test_words_that_are_missing_are_named(talk: Talk) -> None:
    said = talk.said("Do harbour gates harm porpoises and seals?")
    assert "‘porpoises’, ‘seals’" in said


def test_other_languages_are_subjects() -> None:
    talk = Talk("Wie hoch sind die Deiche?")
    talk.opened("S1", "Deiche", "Die Deiche in Hamburg sind acht Meter hoch. Schafe grasen dort.")
    assert "sind acht Meter hoch" in talk.said("Deiche in Hamburg hoch?")
    assert "This is not answered" in talk.said("Was ist bisher bekannt?")


@pytest.mark.parametrize(
    "asked",
    ["What have you found so far?", "what is known?", "Summary please", "tl;dr", "What’s found?"],
)
def test_what_was_found_is_what_answers_the_task(talk: Talk, asked: str) -> None:
    said = talk.said(asked)
    assert "reduced flood losses in Hamburg by 17 percent." in said.split("\n\n")[0]
    assert said.split("\n\n")[0].endswith("— Harbour gates (S1)")


def test_a_task_that_names_only_addresses_is_answered_by_their_beginnings() -> None:
    talk = Talk("https://a/S1")
    talk.opened("S1", "Dykes", DYKES)
    assert talk.said("What have you found?").startswith("“Dykes cost the city")
    assert "was opened because its address stands in the question" in talk.said("why S1?")


@pytest.mark.parametrize(
    "asked",
    ["Why did you open that page on dykes?", "why S2?", "Why have you read https://a/S2 ?"],
)
def test_why_a_page_was_opened_is_the_search_that_listed_it(talk: Talk, asked: str) -> None:
    assert talk.said(asked) == (
        "Dykes (S2) was result 2 of the search for ‘harbour gates Hamburg’, "
        "which showed of it: “Dykes cost the city 9,000 euros a metre.”"
    )


def test_a_search_for_a_gap_is_named_with_it(talk: Talk) -> None:
    publish(talk, 0, summary="s", gaps=[{"question": "What do swans cost?", "why": "Unsaid."}])
    found = [{"source": "S9", "url": "https://a/S9", "title": "Swans", "snippet": ""}]
    talk.answer("web_search", {"query": "swans", "gap": 0}, {"query": "swans", "results": found})
    talk.opened("S9", "Swans", "Swans cost 9,000 euros a year.")
    assert talk.said("why S9?") == (
        "Swans (S9) was result 1 of the search for ‘swans’ (for the gap ‘What do swans cost?’), "
        "which showed nothing of its text."
    )


def test_that_page_is_the_page_of_the_answer_before(talk: Talk) -> None:
    pair = Pair(1, "What do sheep do?", talk.said("What do sheep do?"))
    messages = side_messages(talk.messages, [], [pair])
    said = answer(messages, "Why did you read that page?")
    assert said.startswith("Dykes (S2) was result 2")
    assert "\n\n" not in said
    assert answer(messages, "Which page said that?") == pair.answer


def test_a_page_that_was_never_opened_has_no_reason(talk: Talk) -> None:
    assert talk.said("Why did you open the page on trains?").startswith("That page was not opened.")
    assert "It could not be read: The site asked" in talk.said("Why did you open S4?")


def test_a_source_that_was_not_read_says_nothing(talk: Talk) -> None:
    assert talk.said("What does S3 say?").startswith("Lighthouses (S3) was not read.")
    assert talk.said("What does S4 say?").startswith("Closed shop (S4) could not be read: The site")
    assert talk.said("What does S77 say?") == "No S77 is known."
    assert talk.said("What does S2 say?").startswith("“Dykes cost the city")


def publish(talk: Talk, number: int, **args: Any) -> None:
    talk.answer("publish_research", args, {"published": number, "gaps": []})


def test_what_is_missing_is_what_the_guide_calls_unknown(talk: Talk) -> None:
    before = talk.said("What is still missing?")
    assert before.startswith("No guide is published yet")
    assert "Could not be read: Closed shop (S4)." in before

    talk.answer("publish_research", {"unknowns": ["refused"]}, {"error": "refused", "detail": "x"})
    gaps = [{"question": "What do swans cost?", "why": "Nobody says."}]
    publish(talk, 0, summary="s", unknowns=["The price of gates."], gaps=gaps)
    for asked in (
        "What's missing?",
        "any gaps?",
        "What don't you know yet?",
        "What is still open?",
    ):
        said = talk.said(asked).split("\n\n")
        assert said[0] == "Unknown: The price of gates."
        assert said[1] == "Open: What do swans cost? — Nobody says."
        assert "refused" not in said[2]

    publish(talk, 1, additions=[], unknowns=["The price of swans."])
    said = talk.said("What remains unknown?").split("\n\n")
    assert said[1] == "Unknown: The price of swans."
    assert said[2].startswith("Was open, and was followed up: What do swans cost?")


def test_the_state_of_the_work_is_counted_from_the_history(talk: Talk) -> None:
    pending = [ToolCall("p1", "web_search", {"query": "swans"}),
               ToolCall("p2", "open_page", {"url": "https://a/S3"})]  # fmt: skip
    talk.messages += [
        reply("", pending),
        results([ToolResult(call.call_id, call.tool, PENDING) for call in pending]),
    ]
    for asked in ("What are you doing?", "How far are you?", "status", "Which pages did you read?"):
        said = talk.said(asked).split("\n\n")
        assert said[0] == "Under way: the search for ‘swans’, opening Lighthouses (S3)."
        assert said[1] == "Searched for ‘harbour gates Hamburg’."
        assert said[-1] == "No guide is published yet."
    publish(talk, 0, summary="s")
    assert talk.said("are you done?").endswith("The guide is published.")


def test_a_search_that_failed_or_was_refused_found_nothing(talk: Talk) -> None:
    failure = {"query": "swans", "error": "timeout", "detail": "Nobody answered."}
    talk.answer("web_search", {"query": "swans"}, failure)
    talk.answer("web_search", {"query": "geese"}, {"error": "refused", "detail": "Spent."})
    said = talk.said("status")
    assert "The search for ‘swans’ failed: Nobody answered." in said
    assert "geese" not in said


def test_questions_on_a_subject_are_not_taken_for_questions_on_the_work() -> None:
    talk = Talk("How do files work?")
    text = (
        "An open file has a read position. The status of a search is kept in the status register."
    )
    talk.opened("S1", "Files", text)
    assert "An open file has a read position." in talk.said("What is the position of an open file?")
    assert "status register" in talk.said("What is in the status register?")
    assert "An open file has" in talk.said("How do you read an open file?")


def test_a_long_page_is_read_by_slices() -> None:
    talk = Talk()
    rest = "Swans cost 9,000 euros a year. Geese are free."
    text = "Gates are tall. " * 20
    talk.opened("S1", "Birds", text, characters=len(text + rest), output_id="O1")
    content = {"output_id": "O1", "source": "S1", "offset": len(text), "text": rest}
    talk.answer("read_tool_output", {"output_id": "O1"}, content)
    said = talk.said("What do swans cost?")
    (found,) = [one for one in rests_of(said, talk.messages) if one.quote]
    assert found.quote == "Swans cost 9,000 euros a year."
    assert found.offset == len(text)


def test_marks_of_quotation_inside_a_quote_do_not_end_it() -> None:
    talk = Talk()
    line = "The mayor called the gates “our best friends” and «a wall» on Monday."
    talk.opened("S1", "The “gates” and «walls»", f"{line} Then it rained for three days.")
    said = talk.said("What did the mayor call the gates?")
    (rest,) = [one for one in rests_of(said, talk.messages) if one.quote]
    assert "our best friends" in (rest.quote or "")
    assert rest.offset == 0
    assert "(S1)" in said


def test_what_a_page_marks_up_is_quoted_as_it_reads() -> None:
    talk = Talk()
    text = (
        "- The [gates](https://a/b.html) of **Hamburg** are `tall` walls of steel. Swans are not."
    )
    talk.opened("S1", "Gates", text)
    said = talk.said("What are the gates of Hamburg?")
    assert "a/b.html" not in said
    assert not said.startswith("“-")
    (rest,) = [one for one in rests_of(said, talk.messages) if one.quote]
    assert rest.offset == 2


def test_an_empty_history_is_said_to_be_one() -> None:
    assert answer([], "What have you found?") == "Nothing was read so far."
    assert answer([], "status") == "Nothing was done yet.\n\nNo guide is published yet."
    assert answer([], "Who?").startswith("Nothing was read so far")
