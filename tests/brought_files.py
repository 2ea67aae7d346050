"""Small model files, as users bring them along."""

import json

import pytest

from dirrac_core.trees.brought.match import matched_inputs


def stump(threshold, below, above):
    """An XGBoost file with one question about the first of two columns."""
    tree = {
        "base_weights": [0.0, below, above],
        "categories": [],
        "categories_nodes": [],
        "categories_segments": [],
        "categories_sizes": [],
        "default_left": [0, 0, 0],
        "id": 0,
        "left_children": [1, -1, -1],
        "loss_changes": [1.0, 0.0, 0.0],
        "parents": [2147483647, 0, 0],
        "right_children": [2, -1, -1],
        "split_conditions": [threshold, below, above],
        "split_indices": [0, 0, 0],
        "split_type": [0, 0, 0],
        "sum_hessian": [2.0, 1.0, 1.0],
        "tree_param": {
            "num_deleted": "0",
            "num_feature": "2",
            "num_nodes": "3",
            "size_leaf_vector": "1",
        },
    }
    booster = {
        "name": "gbtree",
        "model": {
            "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": "1"},
            "iteration_indptr": [0, 1],
            "tree_info": [0],
            "trees": [tree],
        },
    }
    learner = {
        "attributes": {},
        "feature_names": [],
        "feature_types": [],
        "gradient_booster": booster,
        "learner_model_param": {"base_score": "5E-1", "num_class": "0", "num_feature": "2"},
        "objective": {"name": "binary:logistic", "reg_loss_param": {"scale_pos_weight": "1"}},
    }
    return json.dumps({"learner": learner, "version": [2, 0, 0]}).encode()


def lightgbm_file(dataset, outcome, rounds=20):
    """A LightGBM file of small trees on the columns of a dataset in real units."""
    lightgbm = pytest.importorskip("lightgbm")
    names = [feature.name for feature in dataset.schema.features]
    inputs = matched_inputs(dataset.schema, names).inputs(dataset.present.X)
    settings = {"objective": "binary", "verbose": -1, "num_threads": 1}
    settings |= {"max_depth": 3, "num_leaves": 6}
    trained = lightgbm.train(settings, lightgbm.Dataset(inputs, outcome), rounds)
    return trained.model_to_string().encode()
