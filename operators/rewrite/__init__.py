"""Rules: candidates without a model. One small file a rule; `rule` is the machinery."""
