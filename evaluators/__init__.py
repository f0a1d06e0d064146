"""What runs candidates in a sandbox and measures them."""
