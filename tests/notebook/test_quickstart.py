"""`make lab HEADLESS=1`: the quickstart without a browser, from any folder, with any question."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("question", ["", 'What does functools.lru_cache do?\n{braces} "quotes"'])
def test_the_quickstart_prints_a_guide_with_proven_quotes(
    tmp_path: Path, index_cache: Path, question: str
) -> None:
    notebook = tmp_path / "quickstart.ipynb"
    notebook.write_bytes((ROOT / "notebooks" / "quickstart.ipynb").read_bytes())
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "run_quickstart.py"), "../" + "/".join(
            notebook.parts[-2:]
        )],
        cwd=tmp_path,
        env={**os.environ, "QUESTION": question, "LAZYBOY_CACHE": str(index_cache)},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(question.split("\n")[0] or "How does the with statement")
    assert done.stdout.count("(quote found)") >= 3
    assert "Traceback" not in done.stderr
