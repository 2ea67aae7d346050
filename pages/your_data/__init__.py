"""Your data: a visitor's own table."""

from pages.shared.address.declaration import Page

PAGE = Page(
    "your_data",
    "Your data",
    ":material/upload_file:",
)
