"""Dataset cards: the facts a reader needs before trusting a number."""

from dataclasses import dataclass

from dirrac_core.data.dataset import Dataset, Sample


@dataclass(frozen=True)
class SampleCard:
    """Rows of a sample, and how many of them had the favourable outcome."""

    rows: int
    favourable: int

    @property
    def share(self) -> float:
        """The share with the favourable outcome."""
        return self.favourable / self.rows


@dataclass(frozen=True)
class DatasetCard:
    """The facts of a dataset; accuracy is added by whoever trains a model on it."""

    name: str
    title: str
    features: int
    columns: int
    years: str
    shift: str
    favourable: str
    unfavourable: str
    present: SampleCard
    shifted: SampleCard | None
    notes: tuple[str, ...]


def dataset_card(dataset: Dataset) -> DatasetCard:
    """The card of a dataset."""
    return DatasetCard(
        name=dataset.name,
        title=dataset.title,
        features=len(dataset.schema.features),
        columns=len(dataset.schema.columns),
        years=dataset.years,
        shift=dataset.shift_description,
        favourable=dataset.favourable,
        unfavourable=dataset.unfavourable,
        present=_sample_card(dataset.present),
        shifted=None if dataset.shifted is None else _sample_card(dataset.shifted),
        notes=dataset.notes,
    )


def _sample_card(sample: Sample) -> SampleCard:
    return SampleCard(rows=len(sample), favourable=int(sample.y.sum()))
