#!/usr/bin/env python3
"""Writes the .npy and .npz files beside it with NumPy 1.24 and Python's zipfile.

The k-th number, counted in C order, is 0.75 k - 4 where the type has fractions, 5 k - 11 in a signed
integer, 7 k + 1 in an unsigned one, and k % 3 == 0 in a bool.
"""
import os
import zipfile

import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))


def array(code, shape, order="C"):
    k = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    kind = np.dtype(code).kind
    numbers = {"f": 0.75 * k - 4, "i": 5 * k - 11, "u": 7 * k + 1, "b": k % 3 == 0}[kind]
    return np.asarray(numbers.astype(code), order=order)


CODES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
every = {}
for code in CODES:
    every["little_" + code] = array("<" + code, (2, 3))
    every["big_" + code] = array(">" + code, (2, 3))
every["fortran"] = array("<f4", (3, 4, 5), order="F")
every["number"] = array("<f8", ())
every["row"] = array("<i4", (7,))
every["none"] = array("<f4", (0, 3))
np.savez("stored.npz", **every)
np.savez_compressed("deflated.npz", **every, long=array("<f4", (40, 300)))

np.save("matrix.npy", array("<f4", (3, 5)))
with open("version_2.npy", "wb") as file:
    np.lib.format.write_array(file, array(">f8", (3, 5)), version=(2, 0))
with open("version_3.npy", "wb") as file:
    np.lib.format.write_array(file, array("<u2", (3, 5), order="F"), version=(3, 0))

np.save("objects.npy", np.array([None, "x"], dtype=object), allow_pickle=True)
np.save("records.npy", np.zeros(2, dtype=[("a", "<f4"), ("b", "<i8")]))
np.save("complex.npy", np.zeros(2, dtype="<c16"))
np.save("texts.npy", np.array(["ab", "c"]))

# Every number of its directory stands in the fields of zip64.
zipfile.ZIP64_LIMIT = 0
np.savez("zip64.npz", matrix=array("<f4", (3, 5)), row=array("<i4", (7,)))
