"""The command line from outside: output, messages, exit status."""

from __future__ import annotations

import json
import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ome_select import __version__
from ome_select.cli import run

ROOT = Path(__file__).parent.parent.parent
SCORING = str(ROOT / "fixtures" / "scoring")
LLAMA = ("--model", "llama-3-2-3b-instruct", "-n", "llama-demo")
NO_RUNTIMES = "No serving runtimes found in the selected namespace or at cluster scope.\n"

MODEL = """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata:
  name: demo
spec:
  modelFormat: {name: safetensors}
  storage: {storageUri: "hf://a/b"}
"""


@pytest.fixture
def model(tmp_path: Path) -> str:
    file = tmp_path / "model.yaml"
    file.write_text(MODEL)
    return str(file)


class Ended:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def ome(capfd: pytest.CaptureFixture[str]):  # A function of any arguments.
    def call(*arguments: str) -> Ended:
        status = run(list(arguments))
        out, err = capfd.readouterr()
        return Ended(status, out, err)

    return call


class TestExplain:
    def test_a_good_answer(self, ome) -> None:
        ended = ome("explain", "-f", SCORING, *LLAMA)
        assert ended.status == 0
        assert ended.err == ""
        header, winner, *_ = ended.out.splitlines()
        assert header == "RUNTIME           SCOPE        COMPATIBLE   PRIORITY   WEIGHT   REASON"
        assert winner == "team-llama        Namespaced   Yes          1          2        -"

    def test_without_files_the_catalog_answers(self, ome) -> None:
        ended = ome("explain", "--model", "bge-large-en-v1-5")
        assert ended.status == 0
        assert ended.out.splitlines()[1].startswith("srt-bge-large-en-")

    def test_nothing_selected_is_status_1_with_the_table(self, ome, model: str, tmp_path: Path) -> None:
        (tmp_path / "runtime.yaml").write_text(
            "apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {name: spare}\nspec: {disabled: true}\n"
        )
        ended = ome("explain", "-f", str(tmp_path), "--model", "demo")
        assert ended.status == 1
        assert ended.out.splitlines()[1] == "spare     Cluster   No           -          -        runtime is disabled"
        assert ended.err == (
            "error: no runtime found to support model safetensors with format safetensors in namespace default. "
            "Checked 1 runtimes (0 namespace-scoped, 1 cluster-scoped). "
            "Excluded runtimes: spare (runtime is disabled)\n"
        )

    def test_no_runtimes_at_all(self, ome, model: str) -> None:
        """Rule 11: no table, a line on stderr, status 0."""
        ended = ome("explain", "-f", model, "--model", "demo")
        assert (ended.status, ended.out, ended.err) == (0, "", NO_RUNTIMES)

    def test_a_named_runtime_gets_a_note(self, ome, model: str, tmp_path: Path) -> None:
        (tmp_path / "service.yaml").write_text(
            "apiVersion: ome.io/v1beta1\nkind: InferenceService\nmetadata: {name: chat}\n"
            "spec: {model: {name: demo}, runtime: {name: mine}}\n"
        )
        ended = ome("explain", "-f", str(tmp_path), "--isvc", "chat")
        note = "Note: spec.runtime is explicit; automatic selection below is hypothetical.\n"
        assert (ended.status, ended.err) == (0, note + NO_RUNTIMES)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((), "exactly one of --model or --isvc is required"),
            (("--model", "a", "--isvc", "b"), "exactly one of --model or --isvc is required"),
            (("-f", SCORING, "--model", "gone"), 'clusterbasemodels.ome.io "gone" not found'),
            (("-f", SCORING, "--isvc", "gone"), 'inferenceservices.ome.io "gone" not found'),
            (("--nope",), "No such option '--nope'"),
            (("-f", "gone", "--model", "a"), "gone: does not exist (check the path)"),
        ],
    )
    def test_questions_that_cannot_be_asked(self, ome, arguments: tuple[str, ...], message: str) -> None:
        ended = ome("explain", *arguments)
        assert ended.status == 2
        assert ended.out == ""
        assert ended.err.startswith(f"error: {message}")

    def test_the_rest_is_answered_when_something_cannot_be_read(self, ome, tmp_path: Path) -> None:
        (tmp_path / "bad.yaml").write_text("a: [\n")
        ended = ome("explain", "-f", SCORING, "-f", str(tmp_path), *LLAMA)
        assert ended.status == 2
        assert ended.out.splitlines()[1].startswith("team-llama")
        assert ended.err.startswith(f"error: {tmp_path}/bad.yaml:2:1: document: did not find expected")

    def test_what_is_skipped_is_named(self, ome, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text("apiVersion: v1\nkind: Service\nmetadata: {name: a}\n")
        ended = ome("explain", "-f", SCORING, "-f", str(tmp_path), *LLAMA)
        assert (ended.status, ended.err) == (0, "skipped what selection does not read: 1 × Service (v1)\n")

    def test_wide(self, ome) -> None:
        lines = ome("explain", "-f", SCORING, *LLAMA, "-o", "wide").out.splitlines()
        assert lines[0].split("   ")[-1] == "REASON"
        assert [line.split()[-4:] for line in lines[1:3]] == [["2", "0", "scope", "-"], ["0", "size", "distance", "-"]]

    @pytest.mark.parametrize("form", ["json", "yaml"])
    def test_the_record(self, ome, form: str) -> None:
        from ome_select.reading.nodes import compose

        ended = ome("explain", "-f", SCORING, *LLAMA, "-o", form)
        assert ended.status == 0
        root, _ = compose(ended.out)
        assert root is not None
        data = json.loads(ended.out) if form == "json" else root.value
        assert data["selected"] == "team-llama"
        assert data["rows"][0]["name"] == "team-llama"

    def test_names_send_no_control_sequences(self, ome, tmp_path: Path) -> None:
        text = (
            'apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {name: "a\\e[31m\\u202e"}\nspec: {}\n'
        )
        (tmp_path / "x.yaml").write_text(
            text + "---\n" + MODEL + "---\n" + text.replace("spec: {}", "spec: {disabled: 1}")
        )
        for form in ("table", "wide", "json", "yaml"):
            ended = ome("explain", "-f", str(tmp_path), "--model", "demo", "-o", form)
            assert "\x1b" not in ended.out + ended.err
            assert "\u202e" not in ended.out + ended.err
        assert "\\u001b[31m\\u202e" in ended.err

    def test_color(self, ome) -> None:
        assert "\x1b" not in ome("explain", "-f", SCORING, *LLAMA).out
        colored = ome("explain", "-f", SCORING, *LLAMA, "--color", "always").out
        assert "\x1b[32mYes\x1b[0m" in colored


class TestSelect:
    def test_the_name(self, ome) -> None:
        ended = ome("select", "-f", SCORING, *LLAMA)
        assert (ended.status, ended.out, ended.err) == (0, "team-llama\n", "")

    def test_with_its_kind(self, ome) -> None:
        assert ome("select", "-f", SCORING, *LLAMA, "-o", "name").out == "servingruntime.ome.io/team-llama\n"

    def test_none(self, ome, model: str) -> None:
        ended = ome("select", "-f", model, "--model", "demo")
        assert (ended.status, ended.out) == (1, "")
        assert ended.err.startswith("error: no runtime found to support model safetensors")


class TestValidate:
    def test_clean(self, ome) -> None:
        ended = ome("validate", "-f", SCORING)
        assert (ended.status, ended.out) == (0, "")
        assert ended.err.endswith("0 errors, 0 warnings\n")

    def test_findings(self, ome, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text(MODEL + "  modelParameterSize: 7\n")
        ended = ome("validate", "-f", str(tmp_path))
        assert ended.status == 1
        assert ended.out == (
            f"error: {tmp_path}/x.yaml:8:23: ClusterBaseModel/demo: spec.modelParameterSize: "
            'found the number 7 where a text belongs (quote it: "7")\n'
        )

    def test_warnings_fail_only_when_strict(self, ome, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text(MODEL + "  quantisation: fp8\n")
        assert ome("validate", "-f", str(tmp_path)).status == 0
        ended = ome("validate", "-f", str(tmp_path), "--strict", "-o", "json")
        assert ended.status == 1
        [problem] = json.loads(ended.out)
        assert (problem["kind"], problem["line"], problem["column"]) == ("unknown-field", 8, 3)
        assert problem["advice"] == "did you mean quantization?"

    def test_nothing_checked_is_no_success(self, ome, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text("# nothing\n")
        ended = ome("validate", "-f", str(tmp_path))
        assert ended.status == 2
        assert "nothing was checked" in ended.err


class TestTheRest:
    def test_version(self, ome) -> None:
        assert ome("--version").out == ome("version").out == f"ome-select {__version__}\n"

    def test_help_of_every_verb(self, ome) -> None:
        from ome_select.cli import VERBS

        listed = ome("--help").out
        for verb in VERBS:
            assert verb in listed
            assert ome(verb, "-h").status == 0

    def test_asking_nothing_shows_the_help(self, ome) -> None:
        ended = ome()
        assert (ended.status, ended.err) == (0, "")
        assert ended.out == ome("--help").out

    def test_an_unknown_verb(self, ome) -> None:
        ended = ome("explian")
        assert ended.status == 2
        assert ended.err.startswith("error: No such command 'explian'")

    @pytest.mark.parametrize(("shell", "word"), [("bash", "complete"), ("zsh", "#compdef"), ("fish", "complete")])
    def test_completion(self, ome, shell: str, word: str) -> None:
        ended = ome("completion", shell)
        assert ended.status == 0
        assert word in ended.out


class TestHints:
    """What helps beside the API server's own words."""

    def test_a_name_like_it(self, ome) -> None:
        ended = ome("explain", "-f", SCORING, "--model", "llama-3-2-3b-instrct", "-n", "llama-demo")
        assert (ended.status, ended.out) == (2, "")
        expected = (
            'error: clusterbasemodels.ome.io "llama-3-2-3b-instrct" not found\ndid you mean llama-3-2-3b-instruct?\n'
        )
        assert ended.err == expected

    def test_a_name_in_another_namespace(self, ome) -> None:
        for verb in ("explain", "select"):
            ended = ome(verb, "-f", f"{SCORING}/services", "--isvc", "llama-named", "-n", "other")
            expected = (
                'error: inferenceservices.ome.io "llama-named" not found\nthere is one in the namespace llama-demo\n'
            )
            assert (ended.status, ended.err) == (2, expected)

    def test_a_name_like_no_other(self, ome) -> None:
        ended = ome("explain", "-f", SCORING, "--model", "zzz")
        assert ended.err == 'error: clusterbasemodels.ome.io "zzz" not found\n'

    def test_a_model_without_a_format(self, ome, tmp_path: Path) -> None:
        file = tmp_path / "model.yaml"
        file.write_text(MODEL.replace("  modelFormat: {name: safetensors}\n", ""))
        ended = ome("explain", "-f", SCORING, "-f", str(file), "--model", "demo")
        assert ended.status == 1
        last = "OME fills in what a model is from its files, which --model-files FOLDER reads here"
        assert ended.err.splitlines()[-1] == last

    def test_folders_inside(self, ome, tmp_path: Path) -> None:
        (tmp_path / "inner").mkdir()
        (tmp_path / "inner" / "model.yaml").write_text(MODEL)
        (tmp_path / "kustomization.yaml").write_text("resources: [inner]\n")
        for verb in (["explain", "--model", "demo"], ["validate"]):
            ended = ome(*verb, "-f", str(tmp_path))
            assert ended.status == 2
            assert ended.err.splitlines()[-1].endswith("with -f; folders inside them are read with -R")
            assert "-R" not in ome(*verb, "-R", "-f", f"{tmp_path}/kustomization.yaml").err

    def test_the_choices_of_an_argument(self, ome) -> None:
        ended = ome("completion")
        expected = "error: Missing argument '{bash|zsh|fish}'. Choose from: bash, zsh, fish\n"
        assert ended.err == expected + "See 'ome-select completion --help' for usage.\n"

    def test_validate_wants_files(self, ome) -> None:
        ended = ome("validate")
        assert ended.status == 2
        assert ended.err.startswith("error: Missing option '-f' / '--filename'.\n")

    @pytest.mark.parametrize("form", ["table", "wide", "json", "yaml"])
    def test_no_runtimes_is_no_bad_answer_in_any_form(self, ome, model: str, form: str) -> None:
        ended = ome("explain", "-f", model, "--model", "demo", "-o", form)
        assert (ended.status, ended.err) == (0, NO_RUNTIMES)
        assert ome("select", "-f", model, "--model", "demo").status == 1

    def test_a_value_that_nobody_wants_to_read_whole(self, ome, tmp_path: Path) -> None:
        file = tmp_path / "x.yaml"
        for text in (
            MODEL.replace("demo", "d" * 100_000),
            MODEL.replace("{name: safetensors}", "x" * 100_000),
            MODEL.replace("ClusterBaseModel", "K" * 100_000),
            MODEL.replace("ome.io/v1beta1", "ome.io/" + "v" * 100_000),
        ):
            file.write_text(text)
            ended = ome("validate", "-f", str(file))
            assert len(ended.out + ended.err) < 6000


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "ome_select", *arguments]


def shell(arguments: tuple[str, ...], redirection: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell, with its streams as the redirection says."""
    line = f"{shlex.join(command(*arguments))} {redirection}"
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)


class TestProcess:
    def test_stdin(self) -> None:
        objects = json.dumps({"apiVersion": "v1", "kind": "List", "items": []})
        arguments = command("explain", "-f", "-", "-f", SCORING, *LLAMA)
        ended = subprocess.run(arguments, input=objects, capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert "team-llama" in ended.stdout

    def test_a_closed_pipe_ends_quietly(self) -> None:
        # The catalog's table is larger than a pipe holds.
        process = subprocess.Popen(
            command("explain", "--model", "bge-large-en-v1-5"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
        process.stderr.close()
        assert process.wait() == 0
        assert err == b""

    ASKED = (
        ("--version",),
        ("--help",),
        ("explain", "--help"),
        ("explain", "-f", SCORING, *LLAMA),
        ("explain", "-f", SCORING, *LLAMA, "-o", "json"),
        ("select", "-f", SCORING, *LLAMA),
        ("version",),
        ("completion", "bash"),
    )
    WRONG = (("nope",), ("explain", "--modle", "x"), ("explain", "-f", SCORING, "--model", "x"), ("explain", "-f", "x"))

    @pytest.mark.parametrize("arguments", ASKED)
    def test_closed_streams(self, arguments: tuple[str, ...]) -> None:
        for closed in ("2>&-", "<&-", "<&- 2>&-"):
            ended = shell(arguments, closed)
            assert (ended.returncode, ended.stderr) == (0, ""), closed
        ended = shell(arguments, ">&-")
        expected = (2, "error: the answer cannot be written: standard output is closed\n")
        assert (ended.returncode, ended.stderr) == expected
        assert shell(arguments, "<&- >&- 2>&-").returncode == 2

    @pytest.mark.parametrize("arguments", WRONG)
    def test_closed_streams_when_something_is_wrong(self, arguments: tuple[str, ...]) -> None:
        for closed in (">&-", "2>&-", "<&-", "<&- >&- 2>&-"):
            ended = shell(arguments, closed)
            assert (ended.returncode, ended.stderr.startswith("error: ")) == (2, "2>&-" not in closed), closed

    def test_a_closed_stdin_that_is_to_be_read(self) -> None:
        ended = shell(("explain", "-f", "-", *LLAMA), "<&-")
        assert ended.returncode == 2
        assert ended.stderr.startswith("error: stdin: is closed (pipe manifests into it)\n")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
    @pytest.mark.parametrize("arguments", ASKED)
    def test_a_full_disk(self, arguments: tuple[str, ...]) -> None:
        ended = shell(arguments, ">/dev/full")
        assert ended.returncode == 2
        assert ended.stderr.strip() == "error: the answer cannot be written: no space left on device"

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
    @pytest.mark.parametrize("arguments", WRONG)
    def test_a_full_disk_when_something_is_wrong(self, arguments: tuple[str, ...]) -> None:
        assert shell(arguments, "2>/dev/full").returncode == 2

    def test_a_narrow_terminal(self) -> None:
        leader, follower = pty.openpty()
        os.set_blocking(leader, True)
        import fcntl
        import struct
        import termios

        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
        process = subprocess.Popen(
            command("explain", "-f", SCORING, *LLAMA), stdout=follower, env={**os.environ, "NO_COLOR": "1"}
        )
        os.close(follower)
        shown = b""
        try:
            while chunk := os.read(leader, 4096):
                shown += chunk
        except OSError:
            # On Linux, reading from a terminal that nobody writes to any more is an error.
            pass
        os.close(leader)
        assert process.wait() == 0
        assert max(len(line) for line in shown.decode().splitlines()) <= 60
        assert b"\x1b" not in shown

    def test_it_starts_without_what_it_does_not_need(self) -> None:
        code = "import sys, ome_select.cli; print(sorted({'yaml', 'pandas', 'wcwidth'} & sys.modules.keys()))"
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert ended.stdout == "[]\n"
