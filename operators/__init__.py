"""What makes candidates: rewrite rules today, models and tuners behind the same seam."""
