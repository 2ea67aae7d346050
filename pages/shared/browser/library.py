"""The library that draws the charts, from the installed package: nothing comes from elsewhere."""

from importlib.resources import files

from plotly import __version__
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Route
from streamlit import config


def address() -> str:
    """Where a browser finds the library; another version has another address."""
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    return f"{'/' if base else ''}{base}/charts/plotly-{__version__}.js"


async def _library(request: Request) -> FileResponse:
    # The version is in the name, so what a browser keeps never grows old.
    return FileResponse(
        str(files("plotly").joinpath("package_data/plotly.min.js")),
        media_type="text/javascript",
        headers={"Cache-Control": "public, max-age=31536000, immutable"},
    )


def route() -> Route:
    """The way to the library, for the app."""
    return Route(address(), _library)
