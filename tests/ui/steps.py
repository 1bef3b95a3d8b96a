"""What several window tests do: open a lab, choose, type, pick."""
from driver import check, restless


def settled(program, good, what):
    """The map once all is computed and drawn and good(map) holds. What plays or learns is whole, and never rests."""
    return program.wait(lambda m: (m["settled"] or restless(m)) and good(m), what)


def opens(program, lab):
    program.click(f"lab.{lab}")
    return settled(program, lambda m: m["lab"] == lab, f"the lab {lab}")


def unfolds(program, knob):
    """The knobs that wait behind the button, if this one is among them."""
    def there(m):
        return any(c in (f"knob.{knob}", f"choice.{knob}") or c.startswith(f"choice.{knob}.") for c in m["controls"])
    if not there(program.still()):
        program.click("button.knobs")
        program.wait(there, f"the knob {knob}")


def chooses(program, knob, option):
    """By a tab or a segment where there is one, else by the list behind the knob."""
    unfolds(program, knob)
    if f"choice.{knob}.{option}" not in program.map()["controls"]:
        program.click(f"choice.{knob}")
        program.wait(lambda m: f"choice.{knob}.{option}" in m["controls"], f"the list of {knob}")
    program.click(f"choice.{knob}.{option}")
    return settled(program, lambda m: m["knobs"][knob] == option, f"{knob} {option}")


def picks_cell(program, plot, row, col):
    """Clicks the middle of a cell of a plot that shows cells."""
    x0, x1, y0, y1 = program.map()["plots"][plot]["shown"]
    program.click(f"plot.{plot}", x=(col + 0.5 - x0) / (x1 - x0), y=(row + 0.5 - y0) / (y1 - y0))


def types(program, knob, text):
    """A value typed into a number's box."""
    unfolds(program, knob)
    program.click(f"knob.{knob}.value")
    program.key("ctrl+a")
    program.type(text)
    program.key("Return")


def written(program, pattern):
    """The one file of the program's folder that is called so, once it is there: files appear whole."""
    program.wait(lambda _: any(program.folder.rglob(pattern)), f"a file {pattern}")
    files = list(program.folder.rglob(pattern))
    check(len(files) == 1, f"one file {pattern}", [str(f) for f in files])
    return files[0]


def in_chinese_and_light(program):
    """The last page in the other language and theme, by their keys."""
    program.key("ctrl+l", "ctrl+t")
    settled(program, lambda m: m["language"] == "zh_CN" and m["theme"] == "light", "Chinese, light")
