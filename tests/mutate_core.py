"""Break the core in many small ways, and see for each that a test fails: `python tests/mutate_core.py [COUNT]`.

Works on a copy in a temporary folder. Each mutation changes one comparison, operator, `not`, number, text or the order
of one tuple; it prints those that no test noticed, and ends with status 1 if there are any.
"""

from __future__ import annotations

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
MODULES = "sizes versions compiled matching checks scoring selection decision errors cluster reporting/table"
SWAPS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
         ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
         ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add}  # fmt: skip


def mutate(node: ast.AST) -> bool:
    """Change the node in place; False where there is nothing to change."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        node.ops[0] = SWAPS[type(node.ops[0])]()
    elif isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in SWAPS:
        node.op = SWAPS[type(node.op)]()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node.op = ast.UAdd()  # `+flag` is as true as the flag.
        node.operand = ast.Call(ast.Name("bool"), [node.operand], [])
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        node.value = not node.value
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        node.value += 1
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip():
        node.value = node.value[:-1] + ("~" if node.value[-1] != "~" else "!")
    elif isinstance(node, ast.Tuple) and len(node.elts) > 1 and isinstance(node.ctx, ast.Load):
        node.elts[0], node.elts[1] = node.elts[1], node.elts[0]
    else:
        return False
    return True


def code_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes that do something: no docstrings, annotations, imports, `__slots__`, `assert` or `if TYPE_CHECKING`."""
    for name, value in ast.iter_fields(tree):
        for node in value if isinstance(value, list) else [value]:
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            slots = isinstance(node, ast.Assign) and "__slots__" in ast.unparse(node.targets[0])
            unused = name in ("annotation", "returns") or isinstance(node, ast.Import | ast.ImportFrom | ast.Assert)
            alias = isinstance(node, ast.Assign) and "Literal[" in ast.unparse(node.value)
            if isinstance(node, ast.AST) and not (docstring or typing or slots or unused or alias):
                yield node
                yield from code_nodes(node)


def places(module: str) -> Iterator[tuple[str, int]]:
    """Every place of a module that can be changed: the module and the number of the node."""
    # A list, because a mutation changes the tree that is walked.
    for number, node in enumerate(list(code_nodes(ast.parse(source(ROOT, module).read_text(encoding="utf-8"))))):
        if mutate(node):
            yield module, number


def mutated(module: str, number: int) -> tuple[str, str]:
    """Where and how the module is changed, and its whole text after that."""
    tree = ast.parse(source(ROOT, module).read_text(encoding="utf-8"))
    node = list(code_nodes(tree))[number]
    before = ast.unparse(node)
    mutate(node)
    where = f"{module}.py:{getattr(node, 'lineno', 0)}: {before}  ->  {ast.unparse(node)}"
    return where, ast.unparse(ast.fix_missing_locations(tree))


def source(folder: Path, module: str) -> Path:
    return folder / "ome_select" / f"{module}.py"


def survives(folder: Path, module: str, text: str) -> bool:
    path = source(folder, module)
    original = path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    first = folder / "tests" / f"test_{module.rpartition('/')[2]}.py"
    tests = [str(path) for path in (first, *sorted(folder.glob("tests/test_*.py"))) if path.exists()]
    command = [sys.executable, "-m", "pytest", "-xqq", "-p", "no:cacheprovider", *dict.fromkeys(tests)]
    try:
        done = subprocess.run(command, cwd=folder, env={**os.environ, "CI": "1"}, capture_output=True, timeout=300)
        return done.returncode == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        path.write_text(original, encoding="utf-8")


def main(count: int) -> int:
    chosen = [place for module in MODULES.split() for place in places(module)]
    random.Random(count).shuffle(chosen)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        shutil.copytree(ROOT / "ome_select", folder / "ome_select")
        shutil.copytree(ROOT / "tests" / "vectors", folder / "tests" / "vectors")
        shutil.copy(ROOT / "pyproject.toml", folder)
        names = [
            "builders",
            "manifests",
            "strategies",
            "vectors_io",
            *(f"test_{module.rpartition('/')[2]}" for module in MODULES.split()),
        ]
        for name in [*names, "test_releases"]:
            if (ROOT / "tests" / f"{name}.py").exists():
                shutil.copy(ROOT / "tests" / f"{name}.py", folder / "tests")
        (folder / "tests" / "conftest.py").write_text(
            "from hypothesis import Phase, settings\n"
            "phases = [Phase.explicit, Phase.generate]  # That a test fails is enough; shrinking takes its time.\n"
            "settings.register_profile('quick', deadline=None, derandomize=True, max_examples=20, phases=phases)\n"
            "settings.load_profile('quick')\n"
        )
        if not survives(folder, "sizes", source(folder, "sizes").read_text(encoding="utf-8")):
            sys.exit("the tests fail without any mutation")
        survived = 0
        for number, (module, place) in enumerate(chosen[:count], 1):
            where, text = mutated(module, place)
            if survives(folder, module, text):
                survived += 1
                print(f"SURVIVED {where}", flush=True)
            if number % 20 == 0:
                print(f"{number} of {len(chosen)} mutations, {survived} survived", file=sys.stderr, flush=True)
    print(f"{min(count, len(chosen))} mutations, {survived} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10**6))
