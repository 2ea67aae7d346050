"""The floor: what Streamlit itself needs for a slider and four small charts, and nothing else."""

import plotly.graph_objects as go
import streamlit as st

st.header("Floor")
value = st.slider("Value", 0.0, 3.0, 0.3, 0.05)
CHARTS = int(st.query_params.get("charts", "4"))
for column, number in zip(st.columns(max(CHARTS, 1)), range(CHARTS), strict=False):
    figure = go.Figure(go.Scatter(x=list(range(20)), y=[value * i * number for i in range(20)]))
    column.plotly_chart(figure.update_layout(height=180), key=f"chart {number}")
