#include "app/ui/controls/text_box.h"

#include <doctest/doctest.h>

#include "rig.h"

namespace text_box_test {

TEST_CASE("broken lines come back unbroken, and the cursor with them") {
  const Rig rig;
  const ui::Gui& gui = rig.shell.gui();
  for (const std::string text :
       {"a rose is a rose is a rose is a rose", "two\nlines and some more words", "",
        "averyveryverylongwordthatfitsnowhere", "中文没有空格也要断行中文没有空格也要断行"}) {
    const std::string broken = ui::soft_break(gui, text, ui::TextStyle::body, 80);
    CHECK(ui::soft_join(broken) == text);
    for (int at = 0; at <= static_cast<int>(text.size()); ++at) {
      int cursor = at;
      const std::string again = ui::soft_break(gui, text, ui::TextStyle::body, 80, &cursor);
      CHECK(ui::soft_join(again, &cursor) == text);
      CHECK(cursor == at);
    }
  }
}

TEST_CASE("no broken line is wider than the box") {
  const Rig rig;
  const ui::Gui& gui = rig.shell.gui();
  const std::string broken =
      ui::soft_break(gui, "a rose is a rose is a rose is a rose", ui::TextStyle::body, 80);
  CHECK(broken.find('\n') != std::string::npos);
  std::size_t from = 0;
  while (from < broken.size()) {
    const std::size_t end = std::min(broken.find('\n', from), broken.size());
    std::string line = broken.substr(from, end - from);
    if (line.ends_with(ui::kSoftBreak)) line.resize(line.size() - 3);
    while (line.ends_with(' ')) line.pop_back();
    CHECK(gui.width(line, ui::TextStyle::body) <= 80);
    from = end + 1;
  }
}

}  // namespace text_box_test
