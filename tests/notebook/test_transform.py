import pytest
from IPython.core.inputtransformer2 import TransformerManager

from lazyboy_jupyter.notebook.transform import keep_question_marks


def transformed(cell: str) -> str:
    manager = TransformerManager()
    manager.cleanup_transforms.append(keep_question_marks)
    return manager.transform_cell(cell)


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("%chat And?", "get_ipython().run_line_magic('chat', 'And?')\n"),
        ("%lazyboy answer 1f3e Why?", "run_line_magic('lazyboy', 'answer 1f3e Why?')"),
        ("%lazyboy?", "pinfo"),
        ("%research How?", "get_ipython().run_line_magic('research', 'How?')\n"),
        (
            "x = %research --pages 2 How??",
            "run_line_magic('research', '--pages 2 How??')",
        ),
        ('if True:\n    %research What\'s "it"?', "    get_ipython().run_line_magic('research', "),
        (
            "%research no mark",
            "get_ipython().run_line_magic('research', 'no mark')",
        ),
        ("%research?", "pinfo"),
        ("%research??", "pinfo2"),
        ("%researchers are who?", "pinfo"),
        ("print?", "pinfo"),
    ],
)
def test_a_question_may_end_with_a_question_mark(cell: str, code: str) -> None:
    assert code in transformed(cell)


def test_a_cell_magics_body_is_no_code_of_ours() -> None:
    cell = "%%writefile notes.txt\n%research How?\n"
    assert "run_line_magic" not in transformed(cell)


@pytest.mark.parametrize(
    "cell",
    [
        's = """\n%research why?\n"""\n',
        "s = f'''{1}\n%research why?\n'''\n",
        "print('%research why?')\n",
        "# %research why?\n",
    ],
)
def test_a_string_or_a_comment_is_left_alone(cell: str) -> None:
    assert transformed(cell) == cell


def test_it_compiles() -> None:
    code = transformed("y = 1\nx = %research How does \\ and 'this' {work}?\nx\n")
    compile(code, "cell", "exec")
    assert code.endswith("\nx\n")
