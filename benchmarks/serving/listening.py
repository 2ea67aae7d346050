"""What a page in the browser hears from its server: when, and whether it is being drawn.

The page itself is told of a run only where it takes a while (`pages/doors/running.py`). What a
panel's clock draws again, once a second, answers no press and does not count as heard.
"""

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_FIELDS = ForwardMsg.DESCRIPTOR.fields_by_name
_METADATA = _FIELDS["metadata"].message_type.fields_by_name
_NUMBERS = {
    "BEGUN": _FIELDS["new_session"].number,
    "FINISHED": _FIELDS["script_finished"].number,
    "METADATA": _FIELDS["metadata"].number,
    "RUN": _METADATA["run"].number,
    "FRAGMENTS": _METADATA["run"].message_type.fields_by_name["fragment_ids"].number,
    "CLOCK": _FIELDS["auto_rerun"].number,
    "CLOCKED": _FIELDS["auto_rerun"].message_type.fields_by_name["fragment_id"].number,
}
# Before anything else. A message is a row of fields, each with its number and kind in front; a
# field of kind 2 holds text or another message.
LISTEN = """
window.reaction = {pressed: 0, changed: 0, heard: 0};
window.drawing = window.ticking = false;
{
  const clocks = new Set();
  const fieldsOf = (bytes) => {
    const fields = [];
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
      const key = number();
      if (key % 8 === 1) at += 8;
      else if (key % 8 === 5) at += 4;
      else {
        const length = number();
        const held = key % 8 === 2 ? bytes.subarray(at, at + length) : null;
        if (held) at += length;
        fields.push([key >> 3, held]);
      }
    }
    return fields;
  };
  const inside = (fields, wanted) => fields.filter(([field]) => field === wanted)
    .flatMap(([, held]) => fieldsOf(held));
  const texts = (fields, wanted) => fields.filter(([field]) => field === wanted)
    .map(([, held]) => new TextDecoder().decode(held));
  window.WebSocket = class extends window.WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({data}) => {
        const message = fieldsOf(new Uint8Array(data));
        const kinds = new Set(message.map(([field]) => field));
        texts(inside(message, CLOCK), CLOCKED).forEach((clock) => clocks.add(clock));
        if (kinds.has(BEGUN)) {
          const drawn = texts(inside(inside(message, METADATA), RUN), FRAGMENTS);
          window.drawing = true;
          window.ticking = drawn.length > 0 && drawn.every((each) => clocks.has(each));
        }
        if (!window.ticking) window.reaction.heard = performance.now();
        if (kinds.has(FINISHED)) window.drawing = window.ticking = false;
      });
    }
  };
}"""
for name, number in sorted(_NUMBERS.items(), key=lambda pair: -len(pair[0])):
    LISTEN = LISTEN.replace(name, str(number))
