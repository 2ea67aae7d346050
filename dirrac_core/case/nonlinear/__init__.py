"""Cases whose model is not linear: networks, boosted trees, files brought along, any model."""
