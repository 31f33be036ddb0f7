"""How fast manifests are read: whole processes against kubectl's, and the reader alone against PyYAML's."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from pytest_benchmark.fixture import BenchmarkFixture

from ome_select.reading import read, read_resources
from tests.benchmarks.conftest import Target

FILES = 200
ROUNDS = 7

HEAD = """\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata:
  name: runtime-{n}
spec:
  disabled: false
  supportedModelFormats:
    - modelFramework:
        name: transformers
        version: "4.{minor}.0"
      modelFormat:
        name: safetensors
        version: "1.0.0"
      modelArchitecture: LlamaForCausalLM
      autoSelect: true
      priority: {priority}
  modelSizeRange:
    min: {low}B
    max: {high}B
  protocolVersions:
    - openAI
"""
COMPONENT = """\
  {component}:
    annotations:
      prometheus.io/scrape: "true"
      prometheus.io/port: "8080"
      prometheus.io/path: "/metrics"
    labels:
      logging-forward: enabled
    tolerations:
      - key: "nvidia.com/gpu"
        operator: "Exists"
        effect: "NoSchedule"
    volumes:
      - name: dshm
        emptyDir:
          medium: Memory
      - name: cache
        emptyDir: {{}}
    runner:
      name: ome-container
      image: registry.invalid/serving:v0.5.{n}
      ports:
        - containerPort: 8080
          name: http1
          protocol: TCP
      command:
        - python3
        - -m
        - serving.launch
        - --host
        - "0.0.0.0"
        - --model-path
        - $(MODEL_PATH)
        - --tp-size
        - "4"
        - --mem-frac
        - "0.9"
      env:
        - name: NCCL_DEBUG
          value: INFO
        - name: POD_NAME
          valueFrom:
            fieldRef:
              fieldPath: metadata.name
        - name: CACHE_SIZE
          value: "1024"
      volumeMounts:
        - mountPath: /dev/shm
          name: dshm
        - mountPath: /cache
          name: cache
      resources:
        requests:
          cpu: 10
          memory: 30Gi
          nvidia.com/gpu: 4
        limits:
          cpu: 10
          memory: 30Gi
          nvidia.com/gpu: 4
      readinessProbe:
        httpGet:
          path: /health_generate
          port: 8080
        failureThreshold: 3
        successThreshold: 1
        periodSeconds: 60
        timeoutSeconds: 200
      livenessProbe:
        httpGet:
          path: /health
          port: 8080
        failureThreshold: 5
        periodSeconds: 60
"""
MODEL = """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata:
  name: model
spec:
  modelFormat:
    name: safetensors
    version: "1.0.0"
  modelFramework:
    name: transformers
    version: "4.7.0"
  modelArchitecture: LlamaForCausalLM
  modelParameterSize: 8B
  storage:
    storageUri: hf://vendor/model
"""


@pytest.fixture(scope="module")
def manifests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runtimes as people write them, of about 4 KB each."""
    folder = tmp_path_factory.mktemp("runtimes")
    for n in range(FILES):
        text = HEAD.format(n=n, minor=n % 50, priority=n % 3 + 1, low=n % 70, high=n % 70 + 8)
        text += "".join(COMPONENT.format(n=n, component=name) for name in ("engineConfig", "decoderConfig"))
        inner = folder / f"vendor-{n % 10}"
        inner.mkdir(exist_ok=True)
        (inner / f"runtime-{n}.yaml").write_text(text)
    (folder / "model.yaml").write_text(MODEL)
    return folder


def fastest(call: Callable[[], object]) -> float:
    """The seconds of the fastest of some rounds, which other work on the machine disturbs least."""
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def process(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def test_a_whole_run_against_kubectl(benchmark: BenchmarkFixture, manifests: Path, target: Target) -> None:
    """Start-up included: at most 0.7 of kubectl's time for the same files."""
    arguments = [sys.executable, "-m", "ome_select", "explain", "-R", "-f", str(manifests), "--model", "model"]
    kubectl = shutil.which("kubectl")
    if kubectl is not None and benchmark.enabled:
        theirs = fastest(process(kubectl, "annotate", "--local", "-R", "-f", str(manifests), "x=1", "-o", "json"))
        target(0.7 * theirs, theirs, "kubectl")
    benchmark(process(*arguments))


def test_the_version(benchmark: BenchmarkFixture, target: Target) -> None:
    target(0.15)
    benchmark(process(sys.executable, "-m", "ome_select", "--version"))


def test_the_reader_against_pyyaml(benchmark: BenchmarkFixture, manifests: Path, target: Target) -> None:
    """At most 0.75 of the time that PyYAML's fastest loader takes."""
    files = [path.read_bytes() for path in manifests.rglob("*.yaml")]
    if benchmark.enabled:
        theirs = fastest(lambda: [list(yaml.load_all(data, Loader=yaml.CSafeLoader)) for data in files])
        target(0.75 * theirs, theirs, "PyYAML")
    reading = benchmark(read_resources, manifests, recursive=True)
    assert len(reading.resources) == FILES + 1


def test_memory_stays_below_ten_times_the_files(manifests: Path) -> None:
    """Of all files together, with every object kept."""
    size = sum(path.stat().st_size for path in manifests.rglob("*.yaml"))
    assert size > FILES * 3500
    tracemalloc.start()
    try:
        reading = read(manifests, recursive=True)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(reading.objects) == FILES + 1
    assert peak < 10 * size
