"""What a page loads for good is set aside once."""

import gc

from pages import memory


def test_each_page_is_set_aside_once(monkeypatch):
    frozen = []
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(True))
    memory.settle.cache_clear()
    for page in ("one", "other", "one"):
        memory.settle(page)
    memory.settle.cache_clear()
    assert len(frozen) == 2
