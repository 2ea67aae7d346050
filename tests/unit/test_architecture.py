"""The house rules, read from the source: who imports whom, no screen in the core, short files."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "dirrac_core"
PAGES = ROOT / "pages"
LONGEST_FILE = 400

# A room imports only rooms named before it. A new room gets its place here.
ROOMS = (
    "errors",
    "arrays",
    "data",
    "actionability",
    "models",
    "declared_shifts",
    "robustness",
    "conic",
    "feasible",
    "solvers",
    "recourse",
    "real_units",
    "scenario",
    "appraisal",
    "outlook",
    "baselines",
    "evaluation",
    "figures",
    "experiments",
    "__init__",
    "commands",
    "__main__",
)
SCREEN = {"streamlit"}
MATHEMATICS = {"numpy.linalg", "scipy", "cvxpy", "clarabel", "sklearn"}
CORE_FILES = sorted(CORE.rglob("*.py"))
PAGE_FILES = [ROOT / "app.py", *sorted(PAGES.rglob("*.py"))]
ALL_FILES = [
    *CORE_FILES,
    *PAGE_FILES,
    *(
        path
        for folder in ("tests", "scripts", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
    ),
]


def short(path):
    return str(path.relative_to(ROOT))


def imported(source):
    """Every module a file imports, anywhere in it, np.linalg included: (dotted name, line)."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.Attribute) and ast.unparse(node) == "np.linalg":
            yield "numpy.linalg", node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports name the whole path"
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


def touches(name, modules):
    return any(name == module or name.startswith(module + ".") for module in modules)


def forbidden(paths, modules):
    """The files that import one of the modules, with the line."""
    return [
        f"{short(path)}:{line} imports {name}"
        for path in paths
        for name, line in imported(path.read_text())
        if touches(name, modules)
    ]


def room_of(path):
    return path.relative_to(CORE).parts[0].removesuffix(".py")


def rooms_imported(source):
    """The rooms of dirrac_core a file imports; the package itself counts as a late room."""
    for name, line in imported(source):
        package, _, rest = name.partition(".")
        if package == "dirrac_core":
            room = rest.split(".")[0]
            is_room = (CORE / room).is_dir() or (CORE / f"{room}.py").is_file()
            yield (room if room and is_room else "__init__"), line


def wrong_looks(room, source):
    """Imports of a room that comes later than `room`."""
    return [
        f"line {line}: {room} looks at {other}"
        for other, line in rooms_imported(source)
        if ROOMS.index(other) > ROOMS.index(room)
    ]


def test_every_room_has_its_place():
    assert {room_of(path) for path in CORE_FILES} - set(ROOMS) == set()


def test_a_room_looks_only_at_rooms_before_it():
    wrong = {short(path): wrong_looks(room_of(path), path.read_text()) for path in CORE_FILES}
    assert {path: looks for path, looks in wrong.items() if looks} == {}


def test_no_screen_in_the_core():
    assert forbidden(CORE_FILES, SCREEN | {"pages", "app"}) == []


def test_no_mathematics_in_pages():
    assert forbidden(PAGE_FILES, MATHEMATICS) == []


def test_files_are_short():
    lengths = {short(path): len(path.read_text().splitlines()) for path in ALL_FILES}
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}


def test_the_rules_catch_what_they_forbid():
    assert wrong_looks("feasible", "from dirrac_core.solvers import Step") != []
    assert wrong_looks("feasible", "def f():\n    import dirrac_core.recourse") != []
    assert wrong_looks("data", "from dirrac_core import models") != []
    assert wrong_looks("data", "from dirrac_core import RecourseProblem") != []
    assert wrong_looks("solvers", "from dirrac_core.feasible import Piece") == []
    assert touches("streamlit.components", SCREEN) and not touches("streamlit_x", SCREEN)
    assert [name for name, _ in imported("np.linalg.norm(x)")] == ["numpy.linalg"]
    assert touches("numpy.linalg.norm", MATHEMATICS) and not touches("numpy", MATHEMATICS)
