"""What plug-ins can do besides what they have to. The engine asks for it by `isinstance`."""
