"""Text ranking shared by sources and the extractive model: pure, no input or output."""
