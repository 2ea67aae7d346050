"""The container, the locks and the licence list say what the project really installs."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONTAINER = (ROOT / "Containerfile").read_text()
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


def test_doors_are_shut():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["server"]["enableXsrfProtection"] is True
    assert config["server"]["enableCORS"] is True
    assert config["server"]["enableAgentApi"] is False
    assert config["browser"]["gatherUsageStats"] is False
    assert config["client"]["showErrorDetails"] == "none"


def test_no_visitor_waits_for_a_collection_of_all_garbage():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["runner"]["postScriptGC"] is False
