#!/usr/bin/env python3
"""Writes a C++ source that holds files as string literals, which a compiler reads at a hundred times
the rate of arrays of numbers; any system and linker takes them. With --later the files are laid in a
folder, by their names, and the source has their sizes.
usage: embed.py GROUP OUT.cpp NAME FILE [NAME FILE]...
       embed.py --later FOLDER OUT.cpp NAME FILE [NAME FILE]..."""
import pathlib
import shutil
import sys

if sys.argv[1] == "--later":
    folder, out, pairs = pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
    shutil.rmtree(folder, ignore_errors=True)
    table = []
    for name, file in zip(pairs[::2], pairs[1::2]):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / name)
        table.append(f'    {{"{name}", {(folder / name).stat().st_size}}},\n')
    with open(out, "w", encoding="ascii") as source:
        source.write('#include "assets/assets.h"\n\nnamespace assets::detail {\nnamespace {\n'
                     f"constexpr Later kTable[] = {{\n{''.join(table)}}};\n}}  // namespace\n"
                     "extern const std::span<const Later> later{kTable};\n}  // namespace assets::detail\n")
    sys.exit()

group, out, pairs = sys.argv[1], sys.argv[2], sys.argv[3:]


def spelled(byte):
    if byte in b'"\\?':  # two question marks would begin a trigraph
        return "\\" + chr(byte)
    # Three digits in any case: what follows might be a digit.
    return chr(byte) if 32 <= byte < 127 else "\\%03o" % byte


SPELLED = [spelled(byte) for byte in range(256)]
with open(out, "w", encoding="ascii") as source:
    source.write('#include "assets/assets.h"\n\nnamespace assets::detail {\nnamespace {\n')
    table = []
    for k, (name, file) in enumerate(zip(pairs[::2], pairs[1::2])):
        with open(file, "rb") as opened:
            content = opened.read()
        literal = "".join(map(SPELLED.__getitem__, content))
        source.write(f'alignas(16) constexpr char k{k}[] = "{literal}";\n')
        table.append(f'    {{"{name}", {{k{k}, {len(content)}}}}},\n')
    source.write(f"constexpr Entry kTable[] = {{\n{''.join(table)}}};\n}}  // namespace\n"
                 f"extern const std::span<const Entry> {group}{{kTable}};\n"
                 "}  // namespace assets::detail\n")
