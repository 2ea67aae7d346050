"""The answers on disk: one JSON file per part, one line per answer."""

import hashlib
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "answers"
# Parts whose answers are lists of texts that many of them share: each text is written once.
SHARING = ("pages",)


def compact(content: Any) -> str:
    """JSON on one line; a float is written so that it reads back as the same float."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def write(part: str, answers: dict[str, Any]) -> None:
    if part in SHARING:
        texts = {_short_name(text): text for listed in answers.values() for text in listed}
        _write(f"{part}_texts", dict(sorted(texts.items())))
        answers = {name: " ".join(map(_short_name, listed)) for name, listed in answers.items()}
    _write(part, answers)


def read(part: str) -> dict[str, Any]:
    answers = _read(part)
    if part in SHARING:
        texts = _read(f"{part}_texts")
        return {
            name: [texts[short] for short in listed.split()] for name, listed in answers.items()
        }
    return answers


def _write(name: str, content: dict[str, Any]) -> None:
    lines = ",\n".join(f"{compact(key)}:{compact(value)}" for key, value in content.items())
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def _read(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def _short_name(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:10]
