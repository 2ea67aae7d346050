"""The wheel, installed into an empty environment in another folder, plans and serves."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = {"dataset": "synthetic", "applicant": 0, "components": 1}
# The pages as Streamlit's test runner opens them, from the installed files.
OPEN_START = """
import sys
from streamlit.testing.v1 import AppTest
from dirrac_core.cli.dashboard import app_file
assert "site-packages" in str(app_file()), app_file()
sys.path.insert(0, str(app_file().parent))
script = app_file().parent / "pages" / "dashboard.py"
app = AppTest.from_file(str(script), default_timeout=180).run()
assert not app.exception, app.exception
print(app.title[0].value)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The python of an environment that holds the wheel and sees our dependencies, no checkout."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps"]
    subprocess.run([*build, "--no-index", "--wheel-dir", str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("dirrac_dashboard-*.whl")
    venv.create(folder / "env")
    python = folder / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python)]
    install = [*pip, "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*install, str(wheel)], check=True)
    # The dependencies of this environment, found after the wheel's own files; its link to the
    # checkout (the .pth file) is not followed, because only a site directory's own are.
    (site,) = (folder / "env" / "lib").glob("python*/site-packages")
    dependencies = Path(sys.executable).parents[1] / "lib" / site.parent.name / "site-packages"
    (site / "dependencies.pth").write_text(f"{dependencies}\n")
    return python


def run(python, folder, *arguments):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(
        [str(argument) for argument in arguments],
        cwd=folder,
        env={**environment, "PATH": f"{python.parent}:{environment['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_the_command_plans(installed, tmp_path):
    (tmp_path / "scenario.json").write_text(json.dumps(SCENARIO))
    done = run(installed, tmp_path, installed.parent / "dirrac", "plan", "scenario.json", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] == "optimal"


def test_it_knows_its_version(installed, tmp_path):
    done = run(installed, tmp_path, installed.parent / "dirrac", "--version")
    assert done.stdout.startswith("dirrac 1."), done.stderr


@pytest.mark.slow
def test_the_start_page_opens(installed, tmp_path):
    done = run(installed, tmp_path, installed, "-c", OPEN_START)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
