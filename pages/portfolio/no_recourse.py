"""Who has no recourse, and which lock is to blame most often."""

import pandas as pd
import streamlit as st

from dirrac_core.studies.people.portfolio import locks_to_blame
from dirrac_core.wording import joined
from pages.portfolio.run import Reviewed
from pages.shared import wording
from pages.shared.downloads import offer_csv
from pages.shared.plain_text import plain

MOST_LISTED = 200


def show_no_recourse(reviewed: Reviewed) -> None:
    """The people without a plan, and what would open one."""
    st.markdown("#### Who has no recourse")
    lost = reviewed.without_plan
    if lost.empty:
        st.write("Everyone has a plan under these conditions.")
        return
    for sentence in sentences(lost):
        st.markdown(sentence)
    blamed = locks_to_blame(lost)
    if not blamed.empty:
        freed = blamed.set_axis(["Feature", "Enough alone", "Needed with others"], axis=1)
        st.dataframe(
            freed,
            hide_index=True,
            height="content",
            width="content",
            alt="For how many people without a plan freeing a feature would open one",
        )
        offer_csv(freed, "what to free")
        st.caption(
            "“Enough alone”: people for whom freeing this feature opens a plan. “Needed with "
            "others”: it belongs to a smallest set of several that does. A person may count for "
            "several features. That a lock is in the way does not make it wrong."
        )
    with st.expander(f"Without a plan: {wording.people(len(lost))}", icon=":material/person_off:"):
        listed = pd.DataFrame(
            {
                "Applicant": lost["row"],
                "Smaller ρ alone": [
                    "✓ yes" if doubt else "✗ no" for doubt in lost["too_much_doubt"]
                ],
                "What to free": [ways_out(sets) for sets in lost["unlocks"]],
            }
        )
        st.dataframe(
            listed.head(MOST_LISTED), hide_index=True, alt="People without a plan and ways out"
        )
        offer_csv(listed, "people without a plan")


def sentences(lost: pd.DataFrame) -> list[str]:
    """How many are without a plan and what would help."""
    lines = [f"{wording.people(len(lost), 'has', 'have')} no plan at any effort."]
    blamed = locks_to_blame(lost)
    if not blamed.empty:
        kind, alone = ("alone", "alone") if blamed["alone"].any() else ("together", "with others")
        most = int(blamed[kind].max())
        names = [f"**{plain(name)}**" for name in blamed.loc[blamed[kind] == most, "feature"]]
        one = len(names) == 1
        lines.append(
            f"{joined(names)} {'is' if one else 'are'} in the way most often: freeing "
            f"{'it' if one else 'one of them'} {alone} would open a plan for {wording.people(most)}"
            f"{'' if one else ' each'}."
        )
    doubt = int(lost["too_much_doubt"].sum())
    if doubt:
        lines.append(f"A smaller radius of doubt ρ alone would open a plan for {doubt:,} of them.")
    helpless = int(
        ((~lost["too_much_doubt"].astype(bool)) & (lost["unlocks"].str.len() == 0)).sum()
    )
    if helpless:
        lines.append(f"For {helpless:,} neither helps: ranges and rules leave no acceptable point.")
    return lines


def ways_out(sets: tuple[tuple[str, ...], ...]) -> str:
    """ "Status; or Age and Duration"; cheapest first."""
    return "; or ".join(" and ".join(names) for names in sets) or "nothing helps"
