"""What a page in the browser hears from its server: when, and whether it is being drawn.

The page itself is told of a run only where it takes a while (`pages/doors/running.py`).
"""

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_NUMBERS = {
    name: ForwardMsg.DESCRIPTOR.fields_by_name[name].number
    for name in ("new_session", "script_finished")
}
# Before anything else. A message is a row of fields, each with its number and kind in front.
LISTEN = """
window.reaction = {pressed: 0, changed: 0, heard: 0};
window.drawing = false;
window.WebSocket = class extends window.WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', ({data}) => {
      window.reaction.heard = performance.now();
      const bytes = new Uint8Array(data);
      let at = 0;
      const number = () => {
        let read = 0;
        for (let unit = 1; ; unit *= 128) {
          const byte = bytes[at++];
          read += (byte % 128) * unit;
          if (byte < 128) return read;
        }
      };
      while (at < bytes.length) {
        const field = number();
        if (field >> 3 === BEGUN) window.drawing = true;
        if (field >> 3 === FINISHED) window.drawing = false;
        const length = number();
        if (field % 8 === 2) at += length;
      }
    });
  }
};"""
LISTEN = LISTEN.replace("BEGUN", str(_NUMBERS["new_session"]))
LISTEN = LISTEN.replace("FINISHED", str(_NUMBERS["script_finished"]))
