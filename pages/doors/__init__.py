"""Who and what is let in, before Streamlit sees it: ASGI middleware of the served app."""
