"""Session memory: what all roles of a run agree on, so that nothing is found out twice."""
