"""Whether the tests of se_agent find faults that are planted in se_agent itself."""
