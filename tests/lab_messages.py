#!/usr/bin/python3
"""The messages of the labs' texts (app/labs/LAB/LAB.md) as C++ for xgettext, each on its line.
usage: lab_messages.py SOURCE_DIR FOLDER    writes FOLDER/app/labs/LAB/LAB.md"""
import json
import sys
from pathlib import Path


def messages(text):
    """Pairs of a line's number and a message that begins there."""
    kind, sentences, start = "lab", [], 0
    for number, line in enumerate([*text.split("\n"), "## end"], 1):
        if line.startswith("## "):
            if sentences:
                yield start, " ".join(sentences)
            kind, sentences = line[3:].split(":")[0].strip(), []
        elif line.startswith("> ") and kind in ("about", "preset", "card"):
            start = start if sentences else number
            sentences.append(line[2:].strip())
        elif line.startswith("- ") and kind == "sources":
            parts = line[2:].split("|")
            yield number, (parts[1] if len(parts) == 3 else line.split(":", 1)[1]).strip()
        elif not sentences:
            word, _, rest = line.partition(":")
            if word in ("title", "question", "said", "source"):
                yield number, rest.strip()


source, folder = Path(sys.argv[1]), Path(sys.argv[2])
for file in sorted(source.glob("app/labs/*/*.md")):
    if file.stem != file.parent.name:
        continue
    lines = [""] * (file.read_text(encoding="utf-8").count("\n") + 1)
    for number, message in messages(file.read_text(encoding="utf-8")):
        lines[number - 1] += f"N_({json.dumps(message, ensure_ascii=False)});"
    out = folder / file.relative_to(source)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")
