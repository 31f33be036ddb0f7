"""Feeds broken input to the reader: no traceback, no hang, no flood of memory.

`python -m tests.fuzz 20000` runs that many cases from the checkout's root; `tests/reading/test_fuzz.py` runs some.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from ome_select.reading import read, read_resources

FIXTURES = Path(__file__).parent.parent / "fixtures"
SLOWEST_SECONDS = 2.0
MOST_MEMORY_MIB = 300

INSERTS = [
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b": ",
    b"- ",
    b"\n",
    b"  ",
    b"\t",
    b"---\n",
    b"--- x\n",
    b"...\n",
    b"&a ",
    b"*a",
    b"<<: ",
    b"!!int ",
    b"!!binary ",
    b"'",
    b'"',
    b"|\n",
    b">\n",
    b"#",
    b"? ",
    b"{{ .x }}",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\x00",
    b"\r",
    b".inf",
    b"1e999",
    b"9" * 50,
    b"[" * 2000,
    b"{a: " * 1500,
    b"- " * 1500,
    b"\xe2\x80\xa8",
    b"items:\n",
    b"kind: List\n",
    b"&a [*a, *a]",
    b"\\/",
    b"~",
    b"%YAML 1.2\n",
    b"metadata: 1\n",
    b"null: 1\n",
    b"1.5: x\n",
    b"y",
    b"\xf0\x9f\x98\x80",
]

# The reader skips much of what stands here, which must change nothing.
POD = b"""\
apiVersion: ome.io/v1beta1
kind: ServingRuntime
metadata:
  name: pod
  namespace: team
spec:
  modelSizeRange:
    max: 9B
  containers:
    - name: ome-container
      args: ["--port", "8080"]
      env:
        - name: A
          value: "1"
      ports:
        - containerPort: 8080
  engineConfig:
    tolerations:
    - key: nvidia.com/gpu
      operator: Exists
    volumes:
      - name: dshm
        emptyDir: {medium: Memory}
    minReplicas: 1
    runner:
      image: engine:1
      command:
        - sh
        - -c
        - |
          exec serve --port 8080 \\
            2>&1
      resources:
        limits:
          nvidia.com/gpu: 4
      readinessProbe:
        httpGet:
          path: /health

      livenessProbe:
        httpGet:
          path: '/health'
      args:
        - --model
    maxReplicas: 2
  disabled: false
"""


def seeds() -> list[bytes]:
    """Manifests of this project, of every kind."""
    files = sorted(path for path in FIXTURES.rglob("*.yaml") if path.name != "scenarios.yaml")
    manifests = [path.read_bytes() for path in files if path.stat().st_size < 20_000]
    return [*manifests, *[POD] * (len(manifests) // 2)]


def mutate(data: bytes, source: random.Random) -> bytes:
    """A manifest with a few bytes taken away, repeated, swapped or put in."""
    mutated = bytearray(data)
    for _ in range(source.randint(1, 6)):
        at = source.randrange(len(mutated) + 1)
        to = min(len(mutated), at + source.randint(0, 40))
        match source.randrange(5):
            case 0:
                del mutated[at:to]
            case 1:
                mutated[at:at] = mutated[at:to]
            case 2:
                mutated[at:to] = bytes(source.randrange(256) for _ in range(source.randint(1, 4)))
            case 3:
                # A whole line is repeated somewhere else.
                lines = bytes(mutated).splitlines(keepends=True) or [b""]
                mutated[at:at] = source.choice(lines)
            case _:
                mutated[at:at] = source.choice(INSERTS)
    return bytes(mutated)


def bomb(source: random.Random) -> bytes:
    """Anchors that repeat each other, as lists, maps or merges."""
    width, depth = source.randint(2, 12), source.randint(3, 30)
    shape = source.choice(["[{}]", "{{a: [{}]}}", "{{<<: [{}]}}"])
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{n}: &a{n} " + shape.format(", ".join([f"*a{n - 1}"] * width)) for n in range(1, depth)]
    return "\n".join(lines).encode()


def cases(count: int, seed: int) -> Iterator[bytes]:
    """Mutated manifests mostly; some random bytes, and some alias bombs."""
    source, manifests = random.Random(seed), seeds()
    for _ in range(count):
        match source.randrange(10):
            case 0:
                yield source.randbytes(source.randint(0, 400))
            case 1:
                yield bomb(source)
            case 2:
                yield b"{" + mutate(b'"apiVersion": "ome.io/v1beta1", "kind": "List", "items": [{"a": 1e3}]}', source)
            case _:
                yield mutate(source.choice(manifests), source)


def memory_mib() -> float:
    """The most memory that this process has had, in MiB.

    Linux carries `ru_maxrss` over from the process that started this one, so there the program's own peak is read.
    """
    status = Path("/proc/self/status")
    if status.exists():
        peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(peak.split()[1]) / 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def run(count: int, seed: int) -> None:
    """Read every case in both ways.

    Raises:
        AssertionError: when a case takes too long, or all of them too much memory.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "case.yaml")
        for number, data in enumerate(cases(count, seed)):
            path.write_bytes(data)
            start = time.process_time()
            try:
                whole, needed = read(path), read_resources(path)
                whole.problems and [str(problem) for problem in whole.problems]
                same = whole.resources == needed.resources
            except BaseException:
                print(f"case {number} of seed {seed}: {data!r}", file=sys.stderr)
                raise
            seconds = time.process_time() - start
            assert seconds < SLOWEST_SECONDS, f"{seconds:.1f} s for case {number} of seed {seed}: {data!r}"
            assert same, f"skipping changed case {number} of seed {seed}: {data!r}"


if __name__ == "__main__":
    amount = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    first_seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    run(amount, first_seed)
    print(f"{amount} cases, at most {memory_mib():.0f} MiB")
    sys.exit(memory_mib() > MOST_MEMORY_MIB)
