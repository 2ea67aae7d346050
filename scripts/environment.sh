# Sourced by ./run and ./test: makes the local virtual environment once and reuses it.
# use_environment LOCK installs the lock file LOCK into .venv when it has changed since the last
# time, installs this checkout itself (the packages and the command dirrac, in place), then puts
# .venv first on the PATH. Every package must have the hash the lock file states, and so must what
# builds this project and the one that comes as source only (lime): requirements-build.lock.

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3.13 python3.12 python3.11 python3 python; do
        [ -n "$candidate" ] || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "This needs Python 3.11 or newer, and none was found. Install it, or name it: PYTHON=/path/to/python3.11 $0" >&2
    return 1
}

install_checked() {
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes "$@"
}

install_checkout() {
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --no-index --editable .
}

use_environment() {
    local lock=$1 wanted stamp=.venv/installed-$1.sum
    if [ ! -x .venv/bin/python ]; then
        local python
        python=$(find_python) || exit 1
        echo "Making a virtual environment in .venv with $($python --version) (once)"
        "$python" -m venv .venv || {
            echo "Could not make the virtual environment; on Debian and Ubuntu: apt install python3-venv" >&2
            exit 1
        }
    fi
    wanted=$(cat requirements-build.lock "$lock" pyproject.toml | cksum)
    if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
        echo "Installing $lock into .venv (a minute or two the first time)"
        { install_checked -r requirements-build.lock && install_checked --no-build-isolation --use-pep517 -r "$lock" && install_checkout; } || {
            echo "The installation failed; the message above says why. Run $0 again to retry." >&2
            exit 1
        }
        echo "$wanted" > "$stamp"
    fi
    PATH=$PWD/.venv/bin:$PATH
    export PATH
}
