"""Tests of the built interface in a real browser, against a host that stands in for JupyterLab."""
