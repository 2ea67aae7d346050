#!/usr/bin/env bash
# Writes a .lock file beside each requirements file: every package, direct or not, with its hashes.
# Versions already locked are kept where they still fit; ./scripts/lock.sh --upgrade takes the newest.
set -eu
cd "$(dirname "$0")/.."
tools=.cache/lock-tools
if [ ! -x "$tools/bin/uv" ]; then
    echo "Installing uv into $tools (once)"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check "uv==0.13.7"
fi
for name in requirements-build requirements requirements-cluster requirements-dev; do
    echo "Locking $name.txt"
    "$tools/bin/uv" pip compile "$name.txt" --output-file "$name.lock" --universal \
        --python-version 3.11 --generate-hashes --no-annotate \
        --custom-compile-command scripts/lock.sh --quiet "$@"
done
