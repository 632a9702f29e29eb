"""The revision of a deployment: what publishes another version of the function, and what does not."""

import re
import runpy
import subprocess
from typing import Final

import pytest

from tests.support.processes import ROOT, plain_environment

REVISION: Final = runpy.run_path(str(ROOT / "deployments/revision.py"))["revision"]
ARM: Final = {"Architecture": "arm64"}
DEPLOY: Final = (
    *("--config-file", str(ROOT / "samconfig.toml"), "--template", str(ROOT / "template.yaml")),
    *("--parameter-overrides", "Architecture=arm64"),
)


def test_the_same_parameters_have_the_same_revision_in_any_order() -> None:
    assert REVISION({**ARM, "A": "1", "B": "2"}) == REVISION({"B": "2", "A": "1", **ARM})


def test_every_value_changes_it() -> None:
    revisions = [
        REVISION(given)
        for given in (
            {**ARM, "A": "1"},
            {**ARM, "A": "2"},
            {**ARM, "B": "1"},
            {**ARM, "A": ""},
            {"Architecture": "x86_64", "A": "1"},
        )
    ]
    assert len(set(revisions)) == len(revisions)
    assert [revision for revision in revisions if not re.fullmatch("[0-9a-f]{8}", revision)] == []


def test_a_deployment_without_parameters_keeps_the_revision_as_it_keeps_them() -> None:
    assert REVISION(ARM) == ""


def test_a_revision_of_ones_own_is_left_alone() -> None:
    assert REVISION({**ARM, "A": "1", "Revision": "mine"}) == ""


def revision_for(*words: str) -> subprocess.CompletedProcess[str]:
    subprocess.run(["make", "--silent", ".venv-build/.ready"], cwd=ROOT, env=plain_environment(), check=True)
    return subprocess.run(
        [ROOT / ".venv-build/bin/python", "-I", ROOT / "deployments/revision.py", *DEPLOY, *words],
        env=plain_environment(),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "parameters"),
    [
        ((), {}),
        (("--no-confirm-changeset", "--stack-name", "test"), {}),
        (
            ("LogLevel=DEBUG", 'AllowedOrigins=""', "--no-confirm-changeset"),
            {"LogLevel": "DEBUG", "AllowedOrigins": ""},
        ),
        (("ParameterKey=LogLevel,ParameterValue=DEBUG",), {"LogLevel": "DEBUG"}),
        (("LogLevel=INFO", "LogLevel=DEBUG"), {"LogLevel": "DEBUG"}),
    ],
)
def test_words_of_the_command_line_mean_what_they_mean_to_sam(
    words: tuple[str, ...], parameters: dict[str, str]
) -> None:
    done = revision_for(*words)
    revision = REVISION({**ARM, **parameters})
    assert (done.returncode, done.stdout) == (0, f"Revision={revision}\n" if revision else "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("A=1", "--parameter-overrides", "B=2"), "DEPLOY_ARGS has --parameter-overrides"),
        (("A=1", "--no-such-option"), "No such option: --no-such-option"),
    ],
)
def test_what_sam_would_misread_stops_the_deployment(words: tuple[str, ...], message: str) -> None:
    done = revision_for(*words)
    assert (done.returncode != 0, done.stdout) == (True, "")
    assert message in done.stderr


def test_make_deploys_with_the_words_that_the_revision_is_computed_from() -> None:
    given = ("PARAMETERS=LogLevel=DEBUG MemorySize=1024", "DEPLOY_ARGS=--stack-name test")
    printed = subprocess.run(
        ["make", "--dry-run", "--old-file=build", "deploy", *given],
        cwd=ROOT,
        env=plain_environment(),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = re.search(r"revision=\$\(.* deployments/revision\.py (.*?) *\) && \\\n.* deploy (.*)", printed)

    assert found is not None
    computed_from, deployed_with = found[1].split(), found[2].split()
    assert deployed_with.index("$revision") > deployed_with.index("--parameter-overrides")
    assert [word for word in deployed_with if word != "$revision"] == computed_from
    assert computed_from[-4:] == ["LogLevel=DEBUG", "MemorySize=1024", "--stack-name", "test"]
