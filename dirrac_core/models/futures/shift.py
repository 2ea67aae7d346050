"""One shift: a story about the future with its strength, weight and radius."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from dirrac_core.arrays import brief, checked_choice, checked_number
from dirrac_core.data.schema.feature import Value
from dirrac_core.errors import InvalidInput, UnknownName

NOISE = "sampling-noise"
DRIFT = "population-drift"
PRIOR = "prior-shift"
CORRECTION = "coding-correction"
SITE = "site"
HISTORY = "history"


@dataclass(frozen=True)
class Story:
    """A kind of shift: its title, one plain sentence, and the strengths it understands."""

    title: str
    explanation: str
    weakest: float = 0.0
    strongest: float = 1.0


STORIES: Mapping[str, Story] = MappingProxyType(
    {
        NOISE: Story(
            "Sampling noise",
            "Nothing changes but luck: the model is trained again on another draw of the same "
            "people.",
            strongest=0.0,
        ),
        DRIFT: Story(
            "Population drift",
            "Other people apply: those with a chosen value become more common.",
        ),
        PRIOR: Story(
            "Prior shift",
            "The unfavourable outcome becomes more common, or rarer when the strength is "
            "negative; at strength 1 its odds are ten times the present ones.",
            weakest=-1.0,
        ),
        "covariance-growth": Story(
            "Growing noise",
            "The numbers become less reliable: noise is added to each of them.",
        ),
        CORRECTION: Story(
            "Corrected coding",
            "A category turns out to have been coded wrongly, and the codes are put right.",
        ),
        "economic-period": Story(
            "Another economic period",
            "A later period takes over: part of the training data comes from the shifted people.",
        ),
        "another-site": Story(
            "Another site",
            "The model is also trained on another place: part of the training data comes from the "
            "shifted people.",
        ),
        SITE: Story(
            "Subgroup takes over",
            "The future looks like one group of the present people: at strength 1 the model is "
            "trained on that group alone.",
        ),
        HISTORY: Story(
            "Past change again",
            "A change the model went through between two past periods happens once more; at "
            "strength 2 twice as hard.",
            strongest=3.0,
        ),
    }
)


@dataclass(frozen=True)
class Shift:
    """One story with its strength, weight p̂_k (relative to the others) and radius ρ_k.

    `feature` and `value` name what drifts, or the group that takes over; the `value` of a past
    change is its name. `correction` lists (category read so far, category it really was);
    categories left out keep their meaning, and an empty list stands for the dataset's own
    correction. All of it fits in a file or a link.
    """

    story: str
    strength: float = 0.0
    weight: float = 1.0
    radius: float = 0.1
    feature: str | None = None
    value: Value | None = None
    correction: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        kind = STORIES[checked_choice("A shift story", self.story, STORIES)]
        for name in ("strength", "weight", "radius"):
            value = getattr(self, name)
            if isinstance(value, bool | str):
                message = f"The {name} of a shift must be a number, got {brief(value)}"
                raise InvalidInput(message)
        if self.feature is not None and not isinstance(self.feature, str):
            message = f"The feature of a shift must be a name, got {brief(self.feature)}"
            raise InvalidInput(message)
        if isinstance(self.value, bool | list | dict):
            message = (
                f"The value of a shift must be a number or a category, got {brief(self.value)}"
            )
            raise InvalidInput(message)
        if not _is_list(self.correction) or not all(map(_is_pair, self.correction)):
            message = f"A correction must list pairs of categories, got {brief(self.correction)}"
            raise InvalidInput(message)
        weight = checked_number("The weight of a shift", self.weight, low=0.0, strict=True)
        radius = checked_number("The radius 'rho' of a shift", self.radius, low=0.0)
        strength = checked_number("The strength of a shift", self.strength)
        if not kind.weakest <= strength <= kind.strongest:
            message = (
                f"The strength of {self.story!r} must be between {kind.weakest:g} and "
                f"{kind.strongest:g}, got {strength:g}"
            )
            raise InvalidInput(message)
        set_field = object.__setattr__
        set_field(self, "strength", strength)
        set_field(self, "weight", weight)
        set_field(self, "radius", radius)
        set_field(self, "correction", tuple((old, new) for old, new in self.correction))
        if isinstance(self.value, int):
            set_field(self, "value", checked_number("The value of a shift", self.value))

    @property
    def title(self) -> str:
        """The story with what it is about and, where it has one, its strength, rounded."""
        story = STORIES[self.story]
        if story.strongest == story.weakest:
            return story.title
        strength = f"strength {round(self.strength, 2):g}".replace("-", "−")
        return f"{story.title}{self._about} ({strength})"

    @property
    def _about(self) -> str:
        value = f"{self.value:.4g}" if isinstance(self.value, float) else self.value
        if self.story == HISTORY:
            return "" if value is None else f": {value}"
        if self.feature is None:
            return ""
        if self.story == DRIFT and value is not None:
            return f": {self.feature} towards {value}"
        if self.story == SITE and value is not None:
            return f": {self.feature} {value}"
        return f": {self.feature}" if self.story in (DRIFT, SITE, CORRECTION) else ""


def titles(shifts: Sequence[Shift]) -> tuple[str, ...]:
    """One name per shift, all different: those that would be equal get a number."""
    names = [shift.title for shift in shifts]
    often = Counter(names)
    seen: Counter[str] = Counter()
    distinct = []
    for name in names:
        seen[name] += 1
        distinct.append(name if often[name] == 1 else f"{name}, no. {seen[name]}")
    return tuple(distinct)


def read_shift(content: object) -> Shift:
    """A shift from a JSON object; what is missing takes its default."""
    if not isinstance(content, dict) or not isinstance(content.get("story"), str):
        message = f"Each shift must be an object that names a story, got {brief(content)}"
        raise InvalidInput(message)
    known = [field.name for field in fields(Shift)]
    unknown = [key for key in content if key not in known]
    if unknown:
        message = f"A shift may hold {', '.join(known)}, got {', '.join(map(brief, unknown[:5]))}"
        raise UnknownName(message)
    return Shift(**content)


def _is_list(content: object) -> bool:
    return isinstance(content, list | tuple)


def _is_pair(content: Any) -> bool:
    return _is_list(content) and [type(part) for part in content] == [str, str]
