"""The doors of a really running server: foreign names, foreign pages, uploads nobody asked for."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from protocol import answer, handshake, megabytes_of_uploads, put, session_of
from websockets.exceptions import InvalidStatus

from pages.doors.uploads import MOST_BYTES, MOST_FILES

FOREIGN = "evil.example"
MEGABYTE = 1_000_000
ROOT = Path(__file__).parents[2]
PATIENCE = 120.0
# The state of a listening socket in the lists of the kernel.
LISTENING = "0A"


@pytest.mark.parametrize("origin", [f"http://{FOREIGN}", f"https://{FOREIGN}:8501", "null", "x"])
def test_a_page_of_another_site_is_refused_and_nobody_is_asked(server, outward_log, origin):
    with pytest.raises(InvalidStatus) as refused, handshake(server, origin=origin):
        pass
    assert refused.value.response.status_code == 403
    assert not outward_log.exists(), outward_log.read_text()
    assert answer(server, "/", Origin=origin)[0] == 403


@pytest.mark.parametrize("host", [FOREIGN, f"{FOREIGN}:8501", "localhost.evil.example"])
def test_another_name_of_this_machine_is_refused(server, outward_log, host):
    with pytest.raises(InvalidStatus) as refused, handshake(server, host=host):
        pass
    assert refused.value.response.status_code == 403
    # A rebound page is of the name it was sent to.
    with pytest.raises(InvalidStatus), handshake(server, host=host, origin=f"http://{host}"):
        pass
    status, _, text = answer(server, "/", Host=host)
    assert status == 403 and "--browser.serverAddress" in text
    assert not outward_log.exists(), outward_log.read_text()


def test_own_pages_are_let_in(server):
    for origin in (server, server.replace("localhost", "127.0.0.1")):
        with handshake(server, origin=origin) as socket:
            assert session_of(socket)


def test_the_command_listens_on_this_machine_alone_wherever_it_is_started(tmp_path):
    """From a folder without settings, as somebody does who has installed the package."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "dirrac_core", "dashboard", "--server.headless=true"]
    python_path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    with subprocess.Popen(
        [*command, f"--server.port={port}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": python_path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # The command starts the server as its child: both are ended together.
        start_new_session=True,
    ) as running:
        try:
            end = time.monotonic() + PATIENCE
            while not (found := listening(port)):
                assert time.monotonic() < end and running.poll() is None
                time.sleep(0.2)
        finally:
            os.killpg(running.pid, signal.SIGTERM)
    assert found == {"127.0.0.1"}


def listening(port):
    """The addresses of this machine on which somebody takes connections at a port."""
    found = set()
    for family, name in ((socket.AF_INET, "tcp"), (socket.AF_INET6, "tcp6")):
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
            local, state = line.split()[1], line.split()[3]
            address, hexadecimal = local.split(":")
            if int(hexadecimal, 16) == port and state == LISTENING:
                # Words of four bytes, each in the machine's order.
                words = [bytes.fromhex(address[i : i + 8])[::-1] for i in range(0, len(address), 8)]
                found.add(socket.inet_ntop(family, b"".join(words)))
    return found


def test_uploads_of_one_session_are_few(server):
    before = megabytes_of_uploads(server)
    with handshake(server) as socket:
        session = session_of(socket)
        content = b"x" * (99 * MEGABYTE // 10)
        for number in range(10):
            assert put(server, session, f"unasked-{number}", content) == 204
        assert 9 < megabytes_of_uploads(server) - before <= MOST_BYTES / MEGABYTE
        for number in range(3 * MOST_FILES):
            assert put(server, session, f"small-{number}", b"a,b\n") == 204
        # Only the newest are left: the small ones.
        assert megabytes_of_uploads(server) - before < 1


def test_simultaneous_uploads_of_one_session_are_few(server):
    with handshake(server) as socket:
        session, seen = session_of(socket), []
        content = b"x" * (9 * MEGABYTE)
        threads = [
            threading.Thread(target=lambda n=n: seen.append(put(server, session, f"{n}", content)))
            for n in range(3 * MOST_FILES)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(seen) <= {204, 429} and len(seen) == len(threads)
        assert 0 < megabytes_of_uploads(server) <= MOST_BYTES / MEGABYTE
