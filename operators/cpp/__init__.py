"""Rules for C++: edits of the text, found in its tokens; tests and timing accept them."""
