"""Side questions: asked of a snapshot, beside a run that never hears of them."""
