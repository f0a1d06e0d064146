"""One file with everything of a run, or of many: it opens offline and follows no link."""
