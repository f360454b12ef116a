"""Field case M7: reasoning is told from what a model says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.core.reasoning import without_reasoning


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<think>Hmm.\n\nWell.</think>\n\nThe answer.", "The answer."),
        ("<think>\n</think>The answer.", "The answer."),
        ("<thinking>a</thinking><reasoning>b</reasoning> c", "c"),
        ("Sure.\n<think>Hmm.</think>\nDone.", "Sure.\n\nDone."),
        ("Hmm, so.\n</think>\n\nThe answer.", "The answer."),  # the template had opened it
        ('Hmm.</think>{"a": 1}', '{"a": 1}'),
        ("<think>It never ends", ""),
        ("[THINK]Hmm.[/THINK]The answer.", "The answer."),
        ("<|begin_of_thought|>Hmm.<|end_of_thought|>The answer.", "The answer."),
        ("◁think▷Hmm.◁/think▷The answer.", "The answer."),
        ("<|channel|>analysis<|message|>Hmm.<|end|><|start|>assistant<|channel|>final<|message|>"
         "The answer.<|return|>", "The answer."),
        ("<|channel|>analysis<|message|>Hmm, cut", ""),
        ("analysisWe must think.assistantfinalThe answer.", "The answer."),
        ("Thought: I must\nlook.\nAction: web_search\nAction Input: x",
         "Action: web_search\nAction Input: x"),
        ("**Thought:** Hmm.\n\nThe answer.", "The answer."),
        # Not reasoning
        ("The `<think>` tag opens it, `</think>` closes it.",
         "The `<think>` tag opens it, `</think>` closes it."),
        ("It is <think> here and </think> there.", "It is <think> here and </think> there."),
        ("A thought: gates cost money.", "A thought: gates cost money."),
        ("analysis of the gates", "analysis of the gates"),
        ("", ""),
    ],
)  # fmt: skip
def test_reasoning_is_left_out(text: str, said: str) -> None:
    assert without_reasoning(text).strip() == said


PIECES = ["<think>", "</think>", "\n", "a", " ", "Thought:", "<|channel|>", "analysis", "final",
          "<|message|>", "<|end|>", "[THINK]", "\n\n", "Action:", "assistantfinal"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text())
def test_any_text_is_read_and_nothing_added(text: str) -> None:
    assert len(without_reasoning(text)) <= len(text) + text.count("<|channel|>")
