"""The container, the locks and the licence list say what the project really installs."""

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

from streamlit import config

ROOT = Path(__file__).resolve().parents[3]
CONTAINER = (ROOT / "Containerfile").read_text()
DEPLOY = (ROOT / "docs" / "deploy.md").read_text()
PINNED = re.compile(r"^([A-Za-z0-9_.-]+)==([^\s;\\]+)", re.MULTILINE)


def pins(name):
    return {
        package.lower().replace("_", "-"): version
        for package, version in PINNED.findall((ROOT / name).read_text())
    }


def steps(instruction):
    return re.findall(rf"^{instruction} (.+)$", CONTAINER, re.MULTILINE)


def test_the_container_installs_as_run_does():
    script = (ROOT / "run").read_text()
    (call,) = re.findall(r"^use_environment .+$", script, re.MULTILINE)
    assert [step for step in steps("RUN") if call in step and "environment.sh" in step]
    copied = " ".join(steps("COPY")[:2]).split()
    assert {"requirements-build.lock", "requirements.lock", "scripts/environment.sh"} <= set(copied)
    assert steps("CMD")[-1].startswith('["./run"')


def test_the_container_runs_as_a_user_without_rights():
    assert CONTAINER.index("\nUSER visitor") < CONTAINER.index("\nCMD")
    assert "_stcore/health" in CONTAINER


def test_every_lock_holds_what_is_asked_for():
    names = ("requirements-build", "requirements", "requirements-cluster", "requirements-dev")
    for name in names:
        asked, locked = pins(f"{name}.txt"), pins(f"{name}.lock")
        assert asked and asked.items() <= locked.items()
    assert pins("requirements.lock").items() <= pins("requirements-dev.lock").items()


def test_every_locked_package_has_hashes():
    for path in ROOT.glob("*.lock"):
        packages = re.split(r"^(?=[a-z0-9])", path.read_text(), flags=re.MULTILINE)[1:]
        assert packages and all("--hash=sha256:" in package for package in packages)


def test_the_licence_list_is_that_of_the_lock():
    listed = (ROOT / "docs" / "licences.md").read_text()
    rows = dict(re.findall(r"^\| ([a-z0-9._-]+) \| (\d\S*) \|", listed, re.MULTILINE))
    elsewhere = re.findall(r"^Only on other systems: (.+)\.$", listed, re.MULTILINE)
    absent = {name for line in elsewhere for name in line.split(", ")}
    locked = pins("requirements.lock")
    assert rows.keys() | absent == locked.keys()
    assert rows.items() <= locked.items()
    assert "not declared" not in listed


def test_nothing_is_installed_without_its_hash():
    """By the scripts, and by whoever follows the documents."""
    script = (ROOT / "scripts" / "environment.sh").read_text()
    installs = re.findall(r"pip install .*", script)
    assert len(installs) == 2
    assert all("--require-hashes" in line or "--no-deps --no-index" in line for line in installs)
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    told = [line for path in documents for line in path.read_text().splitlines()]
    assert not [
        line for line in told if re.search(r"pip install (?!\.)(?!.*--require-hashes)", line)
    ]
    assert [line for line in told if "use_environment requirements-cluster.lock" in line]


def test_the_base_image_is_pinned_by_digest_and_the_docs_say_how_to_take_another():
    base = re.search(
        r"^ARG BASE=python:3\.11\.\d+-\S+@sha256:[0-9a-f]{64}$", CONTAINER, re.MULTILINE
    )
    assert base and base.start() < CONTAINER.index("\nFROM ${BASE}\n")
    assert steps("FROM") == ["${BASE}"]
    assert "--build-arg BASE=python@sha256:" in DEPLOY


def ignored(path):
    """Whether .dockerignore keeps `path` out: the last line that names it or its folder wins."""
    out = False
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!").removeprefix("**/")
        if any(fnmatch(str(part), pattern) for part in (path, *path.parents)):
            out = not line.startswith("!")
    return out


def test_the_image_holds_what_runs_and_no_tests():
    runs = ("app.py", "run", "pages", "dirrac_core", "scripts/environment.sh", "pyproject.toml")
    for kept in runs:
        assert (ROOT / kept).exists() and not ignored(Path(kept))
    for name in (
        "tests/unit/project/test_deployment.py",
        "benchmarks/fuzz.py",
        "test",
        "scripts/lock.sh",
    ):
        assert (ROOT / name).exists() and ignored(Path(name))
    assert ignored(Path(".git"))


def test_the_run_line_gives_away_nothing_that_is_not_needed():
    (line,) = re.findall(r"^    (docker run (?:.*\\\n)*.*)$", DEPLOY, re.MULTILINE)
    for option in ("--init", "--read-only", "--cap-drop ALL", "--security-opt no-new-privileges"):
        assert option in line
    assert "-p 127.0.0.1:8501:8501" in line


def test_the_sample_proxy_frames_nothing_guesses_nothing_and_closes_the_metrics():
    text = re.sub(r"#.*", "", (ROOT / "docs" / "deploy" / "nginx.conf").read_text())
    assert text.count("{") == text.count("}")
    assert all(line.strip().endswith((";", "{", "}", "")) for line in text.splitlines())
    headers = dict(re.findall(r'add_header (\S+)\s+"(.+)" always;', text))
    assert headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    # A location with a header of its own would lose those of the server.
    assert text.count("add_header") == len(headers)
    assert re.search(r"location = /_stcore/metrics \{\s+return 404;", text)
    assert "auth_basic_user_file" in text and "proxy_set_header Upgrade" in text
    assert "deploy/nginx.conf" in DEPLOY
    # Whatever the page takes gets through, with its envelope, and not much more.
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    (megabytes,) = re.findall(r"client_max_body_size (\d+)m;", text)
    assert 1 <= int(megabytes) - config["server"]["maxUploadSize"] <= 5


def test_no_table_has_a_download_of_its_own():
    """Streamlit's writes a cell that starts with = as it is."""
    set_ = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert set_["client"]["disableDataExport"] is True
    assert "client.disableDataExport" in config.get_config_options()


def test_doors_are_shut():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["enableXsrfProtection"] is True
    assert config["server"]["enableCORS"] is True
    assert config["server"]["enableAgentApi"] is False
    assert config["browser"]["gatherUsageStats"] is False
    assert config["client"]["showErrorDetails"] == "none"


def test_no_visitor_waits_for_a_collection_of_all_garbage():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["runner"]["postScriptGC"] is False
