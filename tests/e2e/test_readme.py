"""The README's example request gets the README's response."""

import json
import re
import subprocess
from pathlib import Path
from typing import Final

from tests.support.serving import Served

README: Final = (Path(__file__).parents[2] / "README.md").read_text()


def block(language: str, beginning: str) -> str:
    """The fenced block in that language that begins so."""
    (found,) = re.findall(
        rf"^```{language}\n({re.escape(beginning)}.*?)\n```$", README, re.DOTALL | re.MULTILINE
    )
    return str(found)


def test_the_question_of_the_readme_gets_the_answer_of_the_readme(served: Served) -> None:
    script = block("sh", "curl ").replace("http://127.0.0.1:3000/mcp", served.url)
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=30, check=True)
    result = json.loads(ran.stdout)["result"]
    assert result["structuredContent"]["sources"] == json.loads(block("json", "["))
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
