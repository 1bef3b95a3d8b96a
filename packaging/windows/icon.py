#!/usr/bin/env python3
"""Puts pictures of several sizes into one icon of Windows. usage: icon.py OUT.ico PICTURE.png..."""
import struct
import sys

out, pictures = sys.argv[1], [open(path, "rb").read() for path in sys.argv[2:]]
at = 6 + 16 * len(pictures)
entries = b""
for picture in pictures:
    width, height = struct.unpack(">II", picture[16:24])
    # 256 is written as 0.
    entries += struct.pack("<BBBBHHII", width % 256, height % 256, 0, 0, 1, 32, len(picture), at)
    at += len(picture)
with open(out, "wb") as file:
    file.write(struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures))
