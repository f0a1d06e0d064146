"""How often is noise taken for a gain, and a gain for noise? Measured; all samples are kept."""
