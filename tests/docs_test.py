#!/usr/bin/env python3
"""README.md and docs: short where they are to be short, and true to the tree. Every link leads somewhere, every
file that is named is there, every command can be given, every lab has its row and its picture, every room says what
it is for.

usage: docs_test.py SOURCE_FOLDER [PROGRAM]
"""
import json
import re
import shlex
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

# README.md: a row of its table of labs, and all else. With the 26 labs of today both make less than 6 KB.
README_ROW_BYTES = 176
README_OTHER_BYTES = 2100
PICTURE_BYTES = 3 << 20
PICTURES = {".png", ".gif", ".svg", ".jpg", ".webp"}
# A file of the tree named in the words: a path, or a name alone.
NAMED = re.compile(r"^[\w.-]+(/[\w.-]+)*\.(h|cpp|inc|md|py|sh|po|csv|frag|vert)$")
PROGRAMS = {".py", ".cpp", ".sh"}
PLACEHOLDER = re.compile(r"(^|/)(LAB|NAME|ID|OUT)(\b|_)")
FOLDER = re.compile(r"^(app|core|tests|assets|shaders|docs|tools|python)(/[\w.-]+)*/?$")

faults = []


def fault(where, what):
    faults.append(f"{where}: {what}")


def without_code(text):
    """A page without its fenced examples."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def anchors(text):
    """The names of a page's headings, as links say them."""
    found, seen = set(), {}
    for heading in re.findall(r"^#{1,6} (.*)$", without_code(text), re.M):
        name = "".join(c for c in heading.lower() if c in " -_" or unicodedata.category(c)[0] in "LN").replace(" ", "-")
        found.add(name + (f"-{seen[name]}" if name in seen else ""))
        seen[name] = seen.get(name, 0) + 1
    return found


def check_links(root, page, text):
    links = re.findall(r"\]\(([^)\s]+)\)", without_code(text)) + re.findall(r'<img src="?([^\s">]+)', text)
    for link in links:
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if anchor and target.is_dir():
            target /= "README.md"
        if not target.exists():
            fault(page.relative_to(root), f"expected a file behind the link {link}, got none")
        elif anchor and anchor not in anchors(target.read_text(encoding="utf-8")):
            fault(page.relative_to(root), f"expected a heading behind the link {link}, got none")
    return len(links)


def check_names(root, page, text, files):
    """Files that are named in `…` stand in the tree, wherever a path or a name may begin."""
    count = 0
    for name in re.findall(r"`([^`\n]+)`", without_code(text)):
        if PLACEHOLDER.search(name):
            continue
        if FOLDER.match(name):
            count += 1
            if not (root / name).exists():
                fault(page.relative_to(root), f"expected the folder {name}, got none")
        elif NAMED.match(name):
            count += 1
            if not any(("/" + one).endswith("/" + name) for one in files):
                fault(page.relative_to(root), f"expected a file {name} in the tree, got none")
    return count


def check_pages(root, pages):
    tops = ("app", "core", "tests", "assets", "shaders", "docs", "tools", "packaging", "python")
    files = [p.relative_to(root).as_posix() for top in tops for p in (root / top).rglob("*") if p.is_file()]
    files += [p.name for p in root.iterdir() if p.is_file()]
    links = names = 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        links += check_links(root, page, text)
        names += check_names(root, page, text, files)
        titles = re.findall(r"^# ", without_code(text), re.M)
        if len(titles) != 1 or not text.startswith("# "):
            fault(page.relative_to(root), f"expected one title, at the beginning, got {len(titles)}")
    # Were nothing read, nothing would be found wrong.
    if links < 100 or names < 100:
        fault("docs", f"expected at least 100 links and 100 named files, got {links} and {names}")


def check_symbols(root):
    """In the tables for developers, what is named in a row stands in a file of that row. The way from a slider to
    pixels names a function at each step."""
    count = 0
    for page in sorted((root / "docs/developer").glob("*.md")):
        for row in re.findall(r"^\| .* \|$", page.read_text(encoding="utf-8"), re.M):
            named = re.findall(r"`([^`\n]+)`", row)
            symbols = [n for n in named if re.fullmatch(r"\w+(::\w+)+|\w+\(\)", n)]
            paths = [root / n.replace("LAB", "pooling") for n in named if NAMED.match(n) and "/" in n]
            if page.name == "slider.md" and re.match(r"\| \d", row) and not (symbols and paths):
                fault(page.relative_to(root), f"expected a file and a function in the row {row[:60]}..., got not both")
            if not paths:
                continue
            text = "".join(p.read_text(encoding="utf-8") for path in paths for p in (path, path.with_suffix(".cpp"))
                           if p.is_file())
            for symbol in symbols:
                last = symbol.removesuffix("()").split("::")[-1]
                count += 1
                if not re.search(rf"\b{last}\b", text):
                    fault(page.relative_to(root), f"expected {symbol} in a file of its row, got none in {named}")
    if count < 30:
        fault("docs/developer", f"expected at least 30 names of the code in tables, got {count}")


def check_schemes(root):
    """The labs that a new position scheme has to be offered in are those that the test of knobs asks for all that act
    there."""
    page = (root / "docs/developer/add-a-scheme.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^ *\| [\w, ]+ \| `app/labs/(\w+)` \| `(\w+)` \|$", page, re.M))
    test = (root / "tests/app/labs/position_schemes_test.cpp").read_text(encoding="utf-8")
    asked = {(lab, knob) for lab, knob, law in re.findall(r'offered\("(\w+)", "(\w+)"\) ==([^;]*);', test)
             if "acts ==" in law}
    if told != asked or not told:
        fault("docs/developer/add-a-scheme.md", f"expected the labs and knobs {sorted(asked)}, got {sorted(told)}")


def check_reachable(root, pages):
    """Every page of docs is found from its index."""
    seen, todo = set(), [root / "docs" / "README.md"]
    while todo:
        page = todo.pop()
        if page in seen:
            continue
        seen.add(page)
        for link in re.findall(r"\]\(([^)#\s]+)", without_code(page.read_text(encoding="utf-8"))):
            target = (page.parent / link).resolve()
            if target.suffix == ".md" and target.is_file():
                todo.append(target)
    for page in pages:
        if page.is_relative_to(root / "docs") and page not in seen:
            fault(page.relative_to(root), "expected a way to it from docs/README.md, got none")


def check_rooms(root):
    rooms = [p for top in ("app", "app/ui", "core") for p in (root / top).iterdir() if p.is_dir()]
    for room in rooms:
        if not (room / "README.md").is_file():
            fault(room.relative_to(root), "expected a README.md that says what it is for, got none")
    return len(rooms)


def check_tools(root):
    """Assets are data: what makes them is a tool, and the room of tools tells of each."""
    for path in (root / "assets").rglob("*"):
        if path.suffix in PROGRAMS and path.name not in ("assets.cpp", "assets_table.cpp", "assets_web.cpp"):
            fault(path.relative_to(root), "expected what makes assets in tools, got it in assets")
    told = (root / "tools" / "README.md").read_text(encoding="utf-8")
    tools = [path.name for path in (root / "tools").iterdir() if path.suffix in PROGRAMS]
    for tool in tools:
        if f"`{tool}`" not in told:
            fault("tools/README.md", f"expected a row for {tool}, got none")
    if len(tools) < 5:
        fault("tools", f"expected at least 5 tools, got {tools}")


def check_pictures(root, pages):
    pictures = [p for top in ("docs", "assets") for p in (root / top).rglob("*") if p.suffix in PICTURES]
    size = sum(p.stat().st_size for p in pictures)
    if size > PICTURE_BYTES:
        fault("docs", f"expected pictures of at most {PICTURE_BYTES} bytes, got {size}")
    words = "".join(page.read_text(encoding="utf-8") for page in pages)
    for picture in pictures:
        if picture.name not in words:
            fault(picture.relative_to(root), "expected a page that shows it, got none")


def readme_row(lab):
    return (f"| [{lab['id']}](docs/labs#{lab['id']}) | {lab['question']} "
            f"| <img src=docs/labs/{lab['id']}.png width=200 alt> |")


def rows_of_readme(text):
    return re.findall(r"^\| \[\w+\]\(docs/labs#.*\|$", text, re.M)


def check_length(text):
    """README.md is read at a glance: its words are few, and so are those of a lab."""
    rows = [row + "\n" for row in rows_of_readme(text)]
    for row in rows:
        if len(row.encode()) > README_ROW_BYTES:
            fault("README.md", f"expected a row of at most {README_ROW_BYTES} bytes, got {len(row.encode())}: ask the lab's "
                  f"question in fewer words (question: in its text), or give it a shorter id:\n{row.strip()}")
    size = len(text.encode()) - sum(len(row.encode()) for row in rows)
    if size > README_OTHER_BYTES:
        fault("README.md", f"expected at most {README_OTHER_BYTES} bytes beside the rows of the labs, got {size}: take out or "
              "shorten a sentence outside of the table (rows of labs are not counted here)")


def check_rows(page, got, wanted):
    """The rows of the labs, in the order of the sidebar: what is missing, too much, or elsewhere."""
    for row in wanted:
        if row not in got:
            fault(page, f"lacks this row, as the lab's text says it:\n{row}")
    for row in got:
        if row not in wanted:
            fault(page, f"has a row that no lab's text says:\n{row}")
    kept = [row for row in got if row in wanted]
    order = [row for row in wanted if row in got]
    for k, (one, other) in enumerate(zip(kept, order)):
        if one != other:
            fault(page, f"expected row {k + 1} to be that of another lab, in the order of app/labs/list.inc:\n{other}")
            break


def check_counts(root, pages):
    """Where a page says how many labs or lessons there are, there are so many."""
    labs = len(re.findall(r"^ATTNSCOPE_LAB\(", (root / "app/labs/list.inc").read_text(), re.M))
    lessons = len(list((root / "assets/lessons/en").glob("*.md")))
    there = {word: (labs, "app/labs/list.inc") for word in ("labs", "个实验")}
    there |= {word: (lessons, "assets/lessons/en") for word in ("lessons", "课")}
    count = 0
    for page in pages:
        for number, what in re.findall(rf"\b(\d+)\s+({'|'.join(there)})", page.read_text(encoding="utf-8")):
            count += 1
            now, counted = there[what]
            if int(number) != now:
                fault(page.relative_to(root), f'expected "{now} {what}", as many as {counted} has, got "{number} {what}"')
    if count < 2:
        fault("README.md", f"expected the numbers of labs and lessons, got {count} numbers")


def check_labs(root, program):
    with tempfile.TemporaryDirectory() as folder:
        told = subprocess.run([program, "labs", "--json"], capture_output=True, check=True, cwd=folder).stdout
        labs = json.loads(told)["labs"]
        readme = (root / "README.md").read_text(encoding="utf-8")
        check_rows("README.md", rows_of_readme(readme), [readme_row(lab) for lab in labs])
        page = (root / "docs/labs/README.md").read_text(encoding="utf-8")
        entries = re.findall(r"^### .*\n\n.*\n\n!.*$", page, re.M)
        check_rows("docs/labs/README.md", entries,
                   [f"### {lab['id']}\n\n**{lab['title']}.** {lab['question']}\n\n![{lab['title']}]({lab['id']}.png)"
                    for lab in labs])
        # A picture opens where it was made: the session in it is one of this program's.
        for lab in labs:
            picture = root / "docs/labs" / f"{lab['id']}.png"
            done = subprocess.run([program, "export", lab["id"], "--session", str(picture), "-o", "x.json"],
                                  capture_output=True, cwd=folder)
            if done.returncode:
                fault(picture.relative_to(root), f"expected a session that opens, got {done.stderr.decode()}")


def check_version(root):
    built = re.search(r"^project\(attnscope VERSION (\S+)", (root / "CMakeLists.txt").read_text(), re.M)
    cited = re.search(r"^version: (\S+)$", (root / "CITATION.cff").read_text(), re.M)
    if not built or not cited or built[1] != cited[1]:
        fault("CITATION.cff", f"expected the version of CMakeLists.txt, {built and built[1]}, got {cited and cited[1]}")


def command_in(line):
    """The words of an example without what is said beside it; none where it opens a window, takes long, or names a
    file or a lab that stands for another."""
    said = re.split(r"  +", line.removeprefix("build/release/").strip())[0]
    if not said.startswith("attnscope ") or said.endswith("\\"):  # it goes on in the next line
        return None
    words = shlex.split(said, comments=True)
    stands_for_another = any(PLACEHOLDER.search(word) or word.startswith(("my_", "figure.")) for word in words)
    if stands_for_another:
        return None
    makes = words[1] == "labs" or {"-o", "--names", "--handout"} & set(words)
    return tuple(words[1:]) if makes else None


def check_commands(root, program, pages):
    """The examples do what they say; films of fewer frames."""
    wanted = {}
    for page in pages:
        for block in re.findall(r"^```\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S):
            wanted |= {words: page for words in map(command_in, block.splitlines()) if words}
    if len(wanted) < 15:
        fault("docs", f"expected at least 15 commands, got {len(wanted)}")
    with tempfile.TemporaryDirectory() as folder:
        for words, page in wanted.items():
            is_film = words[0] == "sweep" and not {"--grid", "--frames", "--fps"} & set(words)
            done = subprocess.run([program, *words, *(["--fps", "5"] if is_film else [])], capture_output=True, cwd=folder)
            if done.returncode:
                fault(page.relative_to(root), f"expected {shlex.join(words)} to be done, got {done.stderr.decode()}")


def main():
    root = Path(sys.argv[1]).resolve()
    check_length((root / "README.md").read_text(encoding="utf-8"))
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    for top in ("app", "core", "assets", "tests", "tools", "python"):
        pages += sorted((root / top).rglob("README.md"))
    check_pages(root, pages)
    check_symbols(root)
    check_schemes(root)
    check_reachable(root, pages)
    check_pictures(root, pages)
    check_tools(root)
    check_version(root)
    check_counts(root, pages)
    rooms = check_rooms(root)
    if rooms < 30:
        fault("docs", f"expected at least 30 rooms, got {rooms}")
    if len(sys.argv) > 2:
        program = str(Path(sys.argv[2]).resolve())
        check_labs(root, program)
        check_commands(root, program, pages)
    for one in faults:
        print("FAILED:", one)
    print(f"{len(pages)} pages, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
