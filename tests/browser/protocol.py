"""What a browser sends and a script can send as well: handshakes, uploads, with any headers."""

import http.client
import socket
import time
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

# Streamlit counts at most this often, in seconds, and gives the old number meanwhile.
METRICS_AGE = 5.5


def handshake(server: str, **headers: str) -> ClientConnection:
    """A WebSocket connection with these headers on top; the server's refusal is raised."""
    there = urlsplit(server)
    given = {name.capitalize(): value for name, value in headers.items()}
    origin = given.pop("Origin", None)
    # The address named first decides the Host header; the connection goes to this machine.
    host = given.pop("Host", there.netloc)
    return connect(
        f"ws://{host}/_stcore/stream",
        origin=origin,
        subprotocols=["streamlit"],
        additional_headers=given,
        sock=socket.create_connection(("127.0.0.1", there.port)),
        max_size=None,
    )


def session_of(line: ClientConnection) -> str:
    """Run the first page once; the number of the session it runs in."""
    line.send(BackMsg(rerun_script={}).SerializeToString())
    found = ""
    while True:
        message = ForwardMsg.FromString(line.recv(timeout=120))
        if message.WhichOneof("type") == "new_session":
            found = message.new_session.initialize.session_id
        if message.WhichOneof("type") == "script_finished":
            return found


def answer(server: str, path: str, method: str = "GET", body: bytes = b"", **headers: str):
    """Status, headers and text of the server's answer."""
    there = urlsplit(server)
    line = http.client.HTTPConnection("127.0.0.1", there.port, timeout=60)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    line.request(method, path, body, {"Host": there.netloc, **given})
    reply = line.getresponse()
    text = reply.read().decode(errors="replace")
    line.close()
    return reply.status, reply.headers, text


def put(server: str, session: str, file: str, content: bytes) -> int:
    """Upload a file as the browser does; the status of the answer."""
    _, headers, _ = answer(server, "/_stcore/health")
    cookie = headers["Set-Cookie"].split(";")[0]
    edge = "edge-of-a-part"
    begin = f'--{edge}\r\nContent-Disposition: form-data; name="f"; filename="f.csv"\r\n\r\n'
    body = begin.encode() + content + f"\r\n--{edge}--\r\n".encode()
    status, _, _ = answer(
        server,
        f"/_stcore/upload_file/{session}/{file}",
        "PUT",
        body,
        Cookie=cookie,
        X_Xsrftoken=cookie.split("=", 1)[1],
        Content_Type=f"multipart/form-data; boundary={edge}",
    )
    return status


def megabytes_of_uploads(server: str) -> float:
    """What the server says all uploads together take."""
    time.sleep(METRICS_AGE)
    status, _, text = answer(server, "/_stcore/metrics", Accept="text/plain")
    assert status == 200, text
    for line in text.splitlines():
        if "UploadedFileManager" in line and not line.startswith("#"):
            return float(line.rsplit(" ", 1)[1]) / 1e6
    return 0.0
