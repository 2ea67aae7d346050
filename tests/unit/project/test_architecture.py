"""The house rules, read from the source: who imports whom, no screen in the core, short files."""

import ast
from collections import Counter
from functools import cache
from pathlib import Path

from pages.shared import navigation
from pages.shared.address import parameters

ROOT = Path(__file__).resolve().parents[3]
CORE = ROOT / "dirrac_core"
PAGES = ROOT / "pages"
LONGEST_FILE = 400

# A room imports only rooms named before it. A new room gets its place here.
ROOMS = (
    "errors",
    "version",
    "arrays",
    "wording",
    "progress",
    "parallel",
    "loading",
    "data",
    "models",
    "robustness",
    "conic",
    "feasible",
    "solvers",
    "recourse",
    "methods",
    "trees",
    "case",
    "studies",
    "bulk",
    "geometry",
    "figures",
    "paper",
    "__init__",
    "cli",
    "__main__",
)
SCREEN = {"streamlit"}
MATHEMATICS = {"numpy.linalg", "scipy", "cvxpy", "clarabel", "sklearn"}
# What fits a model, by the name it is imported under. `prepare` trains what the core keeps.
FITTING = {"fit", "refit", "retrained_parameters", "one_component", "estimate_mixture"}
SHARED = PAGES / "shared"
# What pages have in common, in order: shared, long runs, the sidebar with the settings, teaching.
COMMON = ("shared", "runs", "sidebar", "teaching")
PAGE_FOLDERS = sorted(path.parent for path in PAGES.glob("*/page.py"))
MOST_FILES = 14
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


@cache
def imported(source):
    """Every module a file imports, anywhere in it, np.linalg included: (dotted name, line)."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                found += [(alias.name, node.lineno) for alias in node.names]
            case ast.Attribute(value=ast.Name(id="np"), attr="linalg"):
                found.append(("numpy.linalg", node.lineno))
            case ast.ImportFrom():
                assert node.level == 0, f"line {node.lineno}: imports name the whole path"
                found += [(f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
    return found


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


def fitting(source):
    """Imports that fit a model: fit_…, train_… and a few named ones."""
    return [
        f"line {line}: {name}"
        for name, line in imported(source)
        if name.startswith("dirrac_core.")
        and (
            name.rpartition(".")[2] in FITTING
            or name.rpartition(".")[2].startswith(("fit_", "train_"))
        )
    ]


def test_no_model_is_fitted_in_pages():
    found = {short(path): fitting(path.read_text()) for path in PAGE_FILES}
    assert {path: names for path, names in found.items() if names} == {}


def borrowed(folder, source):
    """Imports of another page's folder, or of a later common one, from a file in `folder`."""
    before = COMMON[: COMMON.index(folder)] if folder in COMMON else COMMON
    allowed = {f"pages.{name}" for name in (folder, *before)}
    return [
        f"line {line}: {name}"
        for name, line in imported(source)
        if touches(name, {"pages"}) and not touches(name, allowed)
    ]


def test_a_part_of_a_page_looks_only_at_its_own_folder_and_at_common_ones():
    found = {
        short(path): borrowed(folder.name, path.read_text())
        for folder in (*PAGE_FOLDERS, *(PAGES / name for name in COMMON))
        for path in folder.rglob("*.py")
    }
    assert {path: names for path, names in found.items() if names} == {}


def test_every_folder_of_a_page_is_in_the_menu_and_declares_itself():
    assert sorted(navigation.MENU) == [folder.name for folder in PAGE_FOLDERS]
    owned = [name for page in navigation.PAGES.values() for name in page.parameters]
    assert len(set(owned)) == len(owned) and not set(owned) & set(parameters.NAMES)


def linked_keys(source):
    """The keys of widgets bound to the address, where they are written out."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            given = {word.arg: word.value for word in node.keywords}
            key = given.get("key")
            if "bind" in given and isinstance(key, ast.Constant):
                yield key.value
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            if name in ("choose_one", "choose_some") and isinstance(node.args[2], ast.Constant):
                yield node.args[2].value


def test_a_page_declares_every_parameter_its_widgets_are_bound_to():
    for folder in PAGE_FOLDERS:
        keys = {key for path in folder.glob("*.py") for key in linked_keys(path.read_text())}
        assert keys <= set(navigation.PAGES[folder.name].parameters), folder.name


def test_no_file_of_a_page_repeats_the_name_of_its_page():
    names = {folder.name for folder in PAGE_FOLDERS} | set(navigation.NAMES)
    repeated = [
        short(path)
        for folder in PAGE_FOLDERS
        for path in folder.glob("*.py")
        if any(path.stem == name or path.stem.startswith(f"{name}_") for name in names)
    ]
    assert repeated == []


def test_folders_stay_small():
    held = Counter(path.parent for path in ALL_FILES if path.name != "__init__.py")
    assert {short(folder): n for folder, n in held.items() if n > MOST_FILES} == {}


def public_names(source):
    """The functions and classes a module defines for others."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return [
        node.name
        for node in ast.parse(source).body
        if isinstance(node, kinds) and not node.name.startswith("_")
    ]


def test_no_two_modules_of_shared_define_the_same_name():
    defined = [name for path in SHARED.rglob("*.py") for name in public_names(path.read_text())]
    assert sorted(defined) == sorted(set(defined))


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
    assert borrowed("frontier", "from pages.geometry.view import View") != []
    assert borrowed("frontier", "from pages.frontier import view") == []
    assert borrowed("shared", "from pages.runs import panel") != []
    assert borrowed("sidebar", "from pages.runs import panel") == []
    assert fitting("from dirrac_core.models.logistic import fit_logistic") != []
    assert list(linked_keys('choose_one("A", WORDS, "who")')) == ["who"]
    assert public_names("def a(): ...\ndef _b(): ...\nclass C: ...") == ["a", "C"]
    assert touches("numpy.linalg.norm", MATHEMATICS) and not touches("numpy", MATHEMATICS)


def test_every_test_file_has_a_name_of_its_own():
    # pytest imports test files by their bare names: two of one name end the whole run.
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))
