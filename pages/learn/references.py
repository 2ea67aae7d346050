"""Where everything comes from: the paper, the methods compared, the tools and the data."""

import streamlit as st

from dirrac_core.case.scenario import Scenario
from pages.shared.plain_text import bullets

PAPER = (
    "Duy Nguyen, Ngoc Bui, Viet Anh Nguyen: *Distributionally Robust Recourse Action.* ICLR 2023. "
    "Everything called DiRRAc or Gaussian DiRRAc here is this paper's problem; where its solver "
    "stops early or its text and its proofs differ, these pages solve the stated problem and say "
    "so."
)
METHODS = {
    "Wachter": "Sandra Wachter, Brent Mittelstadt, Chris Russell: *Counterfactual Explanations "
    "Without Opening the Black Box.* Harvard Journal of Law & Technology, 2018. The smallest "
    "change that flips the decision, by gradient steps; no thought of later models.",
    "AR": "Berk Ustun, Alexander Spangher, Yang Liu: *Actionable Recourse in Linear "
    "Classification.* FAT* 2019. The cheapest action on a grid of allowed values, by integer "
    "programming.",
    "ROAR": "Sohini Upadhyay, Shalmali Joshi, Himabindu Lakkaraju: *Towards Robust and Reliable "
    "Algorithmic Recourse.* NeurIPS 2021. Guards against the single worst model within a ball; "
    "solved here both as published and exactly. ROAR-Ensemble and ROAR-Avg are the variants of the "
    "DiRRAc paper's appendix.",
    "CEPM": "Martin Pawelczyk, Klaus Broelemann, Gjergji Kasneci: *Learning Model-Agnostic "
    "Counterfactual Explanations for Tabular Data.* The Web Conference 2020. Plans that look like "
    "real people; a linear auto-encoder stands for the trained one here.",
    "RBR": "Tuan-Duy H. Nguyen, Ngoc Bui, Duy Nguyen, Man-Chung Yue, Viet Anh Nguyen: *Robust "
    "Bayesian Recourse.* UAI 2022. For any classifier, from samples near the boundary.",
    "MINT": "Amir-Hossein Karimi, Bernhard Schölkopf, Isabel Valera: *Algorithmic Recourse: from "
    "Counterfactual Explanations to Interventions.* FAccT 2021. Changes propagate through a causal "
    "model.",
    "LIME": "Marco Tulio Ribeiro, Sameer Singh, Carlos Guestrin: *“Why Should I Trust You?” "
    "Explaining the Predictions of Any Classifier.* KDD 2016. The linear approximation that lets "
    "linear methods speak about a neural network.",
}
MATHEMATICS = (
    "Matthias Gelbrich: *On a Formula for the L2 Wasserstein Metric between Measures on Euclidean "
    "and Hilbert Spaces.* Mathematische Nachrichten, 1990. The distance in which ρ is measured.",
    "Viet Anh Nguyen: *Adversarial Analytics.* Doctoral thesis, EPFL, 2019. Its Lemma 3.31 is the "
    "worst-case Value-at-Risk behind (S).",
    "Werner Dinkelbach: *On Nonlinear Fractional Programming.* Management Science, 1967. The "
    "iteration that finds the largest score.",
    "Garth McCormick: *Computability of Global Solutions to Factorable Nonconvex Programs.* "
    "Mathematical Programming, 1976. The bounds on products used by branch and bound.",
    "Aharon Ben-Tal, Dick den Hertog, Anja De Waegenaere, Bertrand Melenberg, Gijs Rennen: "
    "*Robust Solutions of Optimization Problems Affected by Uncertain Probabilities.* Management "
    "Science, 2013. Uncertain weights.",
    "Robert Thorndike: *Who Belongs in the Family?* Psychometrika, 1953. The elbow rule for K.",
)
DATA = (
    "German credit: Hans Hofmann (1994), UCI Machine Learning Repository, CC BY 4.0; its "
    "correction: Ulrike Grömping (2019), *South German Credit*, CC BY 4.0.",
    "SBA loans: Min Li, Amy Mickel, Stanley Taylor: *“Should This Loan be Approved or Denied?”* "
    "Journal of Statistics Education, 2018.",
    "Student performance: Paulo Cortez, Alice Silva: *Using Data Mining to Predict Secondary "
    "School Student Performance.* FUBUTEC 2008; UCI Machine Learning Repository, CC BY 4.0.",
)


def show_references(scenario: Scenario) -> None:
    """The whole chapter."""
    st.subheader("The paper")
    st.markdown(PAPER)
    st.subheader("The methods compared")
    st.markdown(bullets([f"**{name}.** {words}" for name, words in METHODS.items()]))
    st.subheader("The mathematics")
    st.markdown(bullets(MATHEMATICS))
    st.subheader("The data")
    st.markdown(bullets(DATA))
