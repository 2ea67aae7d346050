"""What the pages share: state and links, cached calls, controls, words."""
