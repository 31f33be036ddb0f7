"""`ome-select explain --model-files`: which runtime OME would pick for a model that is only a folder."""

from __future__ import annotations

import pytest

from ome_select.cli import run
from tests.test_modelfiles import FILES

SCORING = FILES.parent / "scoring"


def test_the_worked_example_by_the_models_files(capsys):
    folder = str(FILES / "llama-3-2-3b-instruct")
    assert run(["explain", "--model-files", folder, "-f", str(SCORING), "-n", "llama-demo"]) == 0
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()] == [
        "RUNTIME",
        "team-llama",
        "vllm-llama",
        "srt-llama-small",
        "srt-llama-large",
    ]
    assert err == ""


def test_no_runtime_and_what_is_not_known(capsys):
    assert run(["explain", "--model-files", str(FILES / "new-family"), "-f", str(SCORING), "-n", "llama-demo"]) == 1
    err = capsys.readouterr().err.splitlines()
    assert err[0] == ("new-family: config.json names no transformers_version, so the framework has no version.")
    assert err[2].startswith("error: no runtime found to support model safetensors with format safetensors")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model-files", "gone"], "error: gone: cannot be read: No such file or directory"),
        (["--model-files", "x", "--model", "m"], "error: --model-files names the model: leave out --model and --isvc"),
        ([], "error: exactly one of --model or --isvc is required"),
    ],
)
def test_questions_that_cannot_be_asked(capsys, arguments, message):
    assert run(["explain", "-f", str(SCORING), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_hostile_configuration_prints_no_control_characters(capsys, tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "x", "architectures": ["\\u001b[31m"]}', encoding="utf-8")
    assert run(["explain", "--model-files", str(tmp_path), "-f", str(SCORING)]) == 1
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err
