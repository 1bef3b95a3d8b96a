#include "app/ui/controls/rich_text.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

// A part of the text that is never broken, with the blanks after it.
struct Atom {
  std::string text;
  std::size_t run = 0;  // of the text that it is from
  float width = 0;
  bool glued = false;  // no line begins with it
};

bool is_wide(unsigned c) { return c >= 0x2E80; }

class Atoms {
 public:
  Atoms(const Gui& gui, const RichLook& look) : gui_(gui), look_(look) {}

  void add(const lesson::TextRun& piece, std::size_t run) {
    const char *at = piece.text.data(), *end = at + piece.text.size();
    bool begins = true;
    while (at < end) {
      unsigned c = 0;
      const int bytes = std::max(1, ImTextCharFromUtf8(&c, at, end));
      const bool wide = is_wide(c);
      const bool new_atom =
          begins || after_blank_ || (wide && !closes(c)) || (after_wide_ && !closes(c) && c != ' ');
      if (new_atom && c != ' ') {
        const bool free = all_.empty() || after_blank_ || (wide && !closes(c)) || after_wide_;
        all_.push_back({{}, run, 0, !free || (after_opening_ && !after_blank_) || closes(c)});
        begins = false;
      } else if (all_.empty() || begins) {
        all_.push_back({{}, run, 0, true});
        begins = false;
      }
      all_.back().text.append(at, static_cast<std::size_t>(bytes));
      after_blank_ = c == ' ';
      after_wide_ = wide;
      after_opening_ = opens(c);
      at += bytes;
    }
    for (Atom& atom : all_) {
      if (atom.run == run) {
        atom.width = gui_.width(atom.text, piece.strong ? look_.strong : look_.style);
      }
    }
  }
  const std::vector<Atom>& all() const { return all_; }

 private:
  const Gui& gui_;
  const RichLook& look_;
  std::vector<Atom> all_;
  bool after_blank_ = false, after_wide_ = false, after_opening_ = false;
};

// What is drawn of a word: blanks at its end do not need room.
float inked(const Gui& gui, const Atom& atom, TextStyle style) {
  std::string_view text = atom.text;
  while (text.ends_with(' ')) text.remove_suffix(1);
  return gui.width(text, style);
}

}  // namespace

float rich_pitch(const Gui& gui, const RichLook& look) {
  return std::round(gui.line(look.style) * look.pitch);
}

float rich_paragraph(Gui& gui, float x, float y, float room,
                     const std::vector<lesson::TextRun>& text, const RichLook& look,
                     std::optional<lesson::Reference>* pointed,
                     const std::vector<lesson::Reference>* lit) {
  Atoms atoms(gui, look);
  for (std::size_t k = 0; k < text.size(); ++k) atoms.add(text[k], k);
  const auto style = [&](const Atom& a) { return text[a.run].strong ? look.strong : look.style; };
  const float pitch = rich_pitch(gui, look);
  const std::vector<Atom>& all = atoms.all();
  float at = x, top = y;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (std::size_t k = 0; k < all.size();) {
    // What is glued to a word goes to the next line with it.
    std::size_t end = k + 1;
    float wide = all[k].width;
    while (end < all.size() && all[end].glued) wide += all[end++].width;
    const float seen = wide - all[end - 1].width + inked(gui, all[end - 1], style(all[end - 1]));
    if (at > x && at + seen > x + room) at = x, top += pitch;
    for (; k < end; ++k) {
      const lesson::TextRun& piece = text[all[k].run];
      const Rect rect{at, top, all[k].width, pitch};
      const bool marked = piece.target.has_value();
      if (marked) {
        const float line = std::round(top + pitch / 2 + gui.line(look.style) * 0.52f);
        gui.fill({at, line, inked(gui, all[k], style(all[k])), std::max(1.0f, gui.px(1))},
                 gui.theme().accent.with_alpha(0.6f));
        const bool over = rect.contains({mouse.x, mouse.y}) && ImGui::IsWindowHovered();
        if (over && pointed) *pointed = piece.target;
        const bool meant = lit && std::find(lit->begin(), lit->end(), *piece.target) != lit->end();
        if (meant) gui.control("lesson.lit." + lesson::to_text(*piece.target), rect);
        if (over || meant) {
          gui.fill(rect, gui.theme().accent.with_alpha(over ? 0.14f : 0.26f), gui.px(3));
        }
      }
      gui.text(at, top + pitch / 2, all[k].text, style(all[k]), look.ink);
      at += all[k].width;
    }
  }
  return top + pitch - y;
}

}  // namespace ui
