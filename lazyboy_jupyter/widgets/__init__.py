"""The widgets: live views of tasks, side questions and the roster, and what their clicks do."""
