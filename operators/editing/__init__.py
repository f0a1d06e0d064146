"""One exact edit of a text: proposing, replaying, crossing and combining edits."""
