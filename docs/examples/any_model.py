"""Any model in Python: a whole scikit-learn pipeline that reads the columns in real units."""

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from dirrac_core import load_dataset
from dirrac_core.case.nonlinear.any_model import recourse_for_model
from dirrac_core.data import with_constant
from dirrac_core.models.given.raw_columns import raw_columns_model

german = load_dataset("german")
people = german.present.people
outcome = np.where(german.present.y == 1, "good", "bad")
categories = [f.name for f in german.schema.features if f.is_categorical]
pipeline = make_pipeline(
    make_column_transformer((OneHotEncoder(), categories), remainder="passthrough"),
    RandomForestClassifier(20, max_depth=4, random_state=0),
).fit(people, outcome)

model = raw_columns_model(pipeline, german, favourable="good")
row = int(np.flatnonzero(~model.decision(german.present.X))[0])
x0 = with_constant(german.present.X[row])
plan = recourse_for_model(model, german, x0)
if plan.x is None:
    print(plan.message)
else:
    print(german.schema.sentence(x0, plan.x))
    before, after = model.probability(np.stack([x0, plan.x])[:, :-1])
    print(f"The pipeline says {before:.2f} today and {after:.2f} with the plan")
