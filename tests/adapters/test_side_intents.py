"""What a side question is about: its subject, or the agent's work."""

import pytest

from lazyboy_jupyter.adapters.models.side_intents import intent_of

WORK = {
    "findings": [
        "What have you found so far?",
        "what is known",
        "Summary so far?",
        "Give me a short summary, please.",
        "What’s the answer?",
        "TL;DR",
    ],
    "status": [
        "What are you doing right now?",
        "how far are you?",
        "Status",
        "Are you still searching?",
        "which pages have you read so far?",
        "How long until you are done?",
    ],
    "missing": [
        "What is still missing?",
        "what remains unclear?",
        "Any gaps?",
        "What don’t you know yet?",
        "which pages could you not read?",
        "What failed?",
        "What is still open?",
    ],
    "why": [
        "Why did you open that page?",
        "why have you read S3?",
        "Why S3?",
        "Why are you reading the page on gates?",
        "how come you chose https://a.example/1",
    ],
}
SUBJECTS = {
    "What does open do?": "What does open do?",
    "What is the status of a process?": "What is the status of a process?",
    "How do you read a file?": "How do you read a file?",
    "Why do you use a lock?": "Why do you use a lock?",
    "What is missing data?": "What is missing data?",
    "Which page says that gates are tall?": "gates are tall?",
    "Where does it say that gates are tall?": "gates are tall?",
    "What have you found about tall gates?": "tall gates?",
    "What is known about gates so far?": "gates?",
    "Do any of the sources mention gates?": "gates?",
    "which page talks about tall gates": "tall gates",
    "Which page said that?": "",
    "Where is that said?": "",
    "What does S2 say?": "",
    "???": "",
    "Was hast du gefunden?": "Was hast du gefunden?",
}


@pytest.mark.parametrize(
    ("about", "asked"), [(about, asked) for about, many in WORK.items() for asked in many]
)
def test_questions_on_the_work(about: str, asked: str) -> None:
    assert intent_of(asked).about == about


@pytest.mark.parametrize(("asked", "subject"), SUBJECTS.items())
def test_questions_on_a_subject(asked: str, subject: str) -> None:
    intent = intent_of(asked)
    assert (intent.about, intent.subject) == ("subject", subject)


def test_the_sources_that_are_named() -> None:
    assert intent_of("Do S1 and s12 say the same as https://a/S3 on PS2?").sources == {"S1", "S12"}
