#!/usr/bin/env bash
# Asks the public vulnerability database about every locked package. Needs the internet.
set -eu
cd "$(dirname "$0")/.."
tools=.cache/audit-tools
if [ ! -x "$tools/bin/pip-audit" ]; then
    echo "Installing pip-audit into $tools (once)"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check "pip-audit==2.10.1"
fi
exec "$tools/bin/pip-audit" --requirement requirements-dev.lock --disable-pip --strict "$@"
