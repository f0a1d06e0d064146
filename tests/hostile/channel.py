"""Text of a program that writes to the answers' channel as our own code does. Data only."""

from __future__ import annotations

from evaluators.sandbox.frames import ANSWER, FrameKind

FORGE = f"""
import os, struct, sys
def ours():
    frame = sys._getframe()
    while 'job' not in frame.f_locals: frame = frame.f_back
    return frame
def forge(kind, body, size=None):
    frame = ours()
    nonce = frame.f_locals['job'].nonce
    size = len(body) if size is None else size
    os.write(3, struct.pack({ANSWER.format!r}, nonce, kind, size, 0))
    while body: body = body[os.write(3, body):]
def forge_answer(body, kind={FrameKind.VALUE:d}):
    forge(kind, body)
    if ours().f_locals['job'].inputs == 1: forge({FrameKind.LEFT:d}, b'')
    os.read(3, 1)
    forge({FrameKind.ARGUMENTS:d}, b'')
    os.read(3, 99)
"""
"""Finds the nonce of a job in the frames of our code; then any frame can be forged."""
