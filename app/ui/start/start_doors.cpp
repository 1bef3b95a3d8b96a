// The start page's three ways in: a lesson, something to try, a file; and what was opened last.
#include <algorithm>
#include <cmath>

#include "app/lesson/text/text.h"
#include "app/param/reading.h"
#include "app/ui/start/start_page.h"
#include "app/words/sentence.h"
#include "core/text/characters.h"

namespace ui {

namespace {

constexpr float kDoor = 188, kDoorButton = 34, kDoorHead = 26, kDoorGap = 10, kNarrowDoor = 250;

}  // namespace

session::Session looking_at(const std::string& sentence, const lab::Lab& inside) {
  const auto state = inside.make();
  param::assign(state->describe(),
                {{"from", "published"},
                 {"published", core::mostly_ideographs(sentence) ? "chinese" : "english"},
                 {"text", sentence}});
  return {.lab = std::string(inside.id), .values = param::values(state->describe()), .views = {}};
}

// The lab that shows every head of a model that has read, and what it would write next; null: the
// program has other labs.
const lab::Lab* StartPage::model_lab() const {
  const auto& labs = program_.desk.labs();
  const auto lab = std::find_if(labs.begin(), labs.end(),
                                [](const lab::Lab& one) { return one.id == "gpt_inside"; });
  return lab == labs.end() ? nullptr : &*lab;
}

void StartPage::look_at_sentence() {
  const std::string text(param::trimmed(sentence_));
  if (text.empty()) {
    fault_ = gui_.words()("Type a few words first.");
    gui_.keyboard().focus(kStartSentence, true);
    return;
  }
  try {
    program_.files.restore(looking_at(text, *model_lab()));
  } catch (const core::InputError& error) {
    fault_ = words::translated(error, program_.words());
    return;
  }
  leave();
}

// Beside each other where there is room, what was opened last below.
float StartPage::doors(float x, float y, float w) {
  const float gap = gui_.px(kGap);
  const auto fit = static_cast<int>((w + gap) / (gui_.px(kNarrowDoor) + gap));
  const int cards = model_lab() ? 3 : 2;
  const int columns = fit >= cards ? cards : 1;
  const float each =
      std::floor((w - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  const float h = door_height(each);
  Rect card{x, y, each, h};
  const auto next = [&] {
    if (columns == 1) {
      card.y += h + gap;
    } else {
      card.x += each + gap;
    }
  };
  learn(card);
  next();
  if (model_lab()) {
    sentence(card);
    next();
  }
  if (columns > 1) card.w = x + w - card.x;
  files(card);
  y = card.bottom();
  const std::size_t count = program_.files.recents().all().size();
  if (count == 0) return y;
  const float list = gui_.px(62) + gui_.px(24) * static_cast<float>(count);
  recents({x, y + gap, w, list});
  return y + gap + list;
}

// Cards this wide are as high as the fullest one wants: two rows of buttons under its words.
float StartPage::door_height(float w) const {
  const float said =
      gui_.paragraph_height(w - 2 * gui_.px(kPad), model_lab() ? to_type() : "", TextStyle::label);
  const float buttons = gui_.px(2 * kDoorButton + kDoorGap);
  return std::max(gui_.px(kDoor), gui_.px(2 * kPad + kDoorHead + kDoorGap) + said + buttons);
}

// A card with its title; what is left of it inside.
Rect StartPage::titled_card(const Rect& r, const std::string& title) const {
  gui_.fill(r, gui_.theme().card, gui_.px(8));
  gui_.outline(r, gui_.theme().line, gui_.px(8));
  const float pad = gui_.px(kPad), head = gui_.px(kDoorHead);
  const Rect inside{r.x + pad, r.y + pad, r.w - 2 * pad, r.h - 2 * pad};
  gui_.text_in(inside.x, inside.y + gui_.px(9), inside.w, title, TextStyle::panel,
               gui_.theme().text);
  return {inside.x, inside.y + head, inside.w, inside.h - head};
}

// The one lesson to take now.
void StartPage::learn(const Rect& r) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& words = gui_.words();
  const Rect inside = titled_card(r, words("Learn"));
  const std::string name = state::next_lesson(program_.learned, program_.files.recents());
  const lesson::Lesson& next = lesson::shipped(name, words.language());
  const bool goes_on = program_.learned.begun(name) && !program_.learned.of(name).done;
  float y = inside.y;
  y += gui_.paragraph(inside.x, y, inside.w,
                      words("A lesson asks, you answer, and the page shows what really happens."),
                      TextStyle::label, theme.dim) +
       gui_.px(8);
  y += gui_.paragraph(inside.x, y, inside.w, next.title, TextStyle::card_title, theme.text);
  ButtonLook look;
  look.kind = ButtonLook::Kind::accent;
  const std::string label = goes_on ? words("Go on") : words("Begin");
  const float wide = button_width(gui_, label, look) + gui_.px(10), high = gui_.px(kDoorButton);
  const Rect go{inside.x, inside.bottom() - high, wide, high};
  if (button(gui_, "start.learn", go, label, look,
             lesson::plain(lesson::text_of(next.about, {}, words)))) {
    program_.events.add(state::LessonRequest{name});
  }
  const std::string tail =
      goes_on
          ? words.format(N_("stop {} of {}"), program_.learned.of(name).stop + 1, next.stops.size())
          : words.format(N_("{} min"), next.minutes);
  gui_.text(go.right() + gui_.px(10), go.y + go.h / 2, tail, TextStyle::label, theme.dim);
}

// What the box for a sentence is for, or what is wrong with what stands in it.
std::string StartPage::to_type() const {
  if (!fault_.empty()) return fault_;
  return gui_.words()(
      "Type a sentence, or a word and a colon: what the heads of a trained "
      "model do with it, and which word comes next.");
}

// A sentence for a model that has read, and a text for one that has read nothing yet.
void StartPage::sentence(const Rect& r) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& words = gui_.words();
  const Rect inside = titled_card(r, words("Try"));
  const float x = inside.x, w = inside.w, high = gui_.px(kDoorButton);
  gui_.paragraph(x, inside.y, w, to_type(), TextStyle::label,
                 fault_.empty() ? theme.dim : theme.bad);
  const float y = inside.bottom() - 2 * high - gui_.px(kDoorGap);
  const std::string label = words("Look at it");
  const float wide = button_width(gui_, label, {}) + gui_.px(10);
  BoxLook look;
  look.style = TextStyle::reading;
  look.align = 0;
  look.wrong = !fault_.empty();
  look.hint = words("the river bank was steep");
  const Rect box{x, y, w - wide - gui_.px(8), high};
  const EditEvent event =
      text_box(gui_, edit_, kStartSentence, box, sentence_, look,
               words("A small model reads it that learned from English definitions, or, if it is "
                     "Chinese, from verse"));
  if (edit_.id == kStartSentence) sentence_ = edit_.buffer;
  if (event == EditEvent::changed) fault_.clear();
  const bool go = button(gui_, "start.look", {box.right() + gui_.px(8), y, wide, box.h}, label, {},
                         words("Opens \"Inside a GPT\" with this sentence (Enter)"));
  if (event == EditEvent::applied || go) look_at_sentence();
  if (button(gui_, "start.train", {x, inside.bottom() - high, w, high},
             words("Train a GPT on a text of yours"), {},
             words("Opens \"A GPT learns\" with a short text that it learns in seconds; put yours "
                   "in its place"))) {
    program_.events.add(state::LabRequest{"gpt_training", "own"});
  }
}

void StartPage::files(const Rect& r) {
  const words::Words& words = gui_.words();
  const Rect inside = titled_card(r, words("Open"));
  const std::string label = words("Choose a file…");
  const float wide = button_width(gui_, label, {}) + gui_.px(10), high = gui_.px(kDoorButton);
  if (button(gui_, "start.open", {inside.x, inside.bottom() - high, wide, high}, label, {},
             words("Choose a file (Ctrl O)"))) {
    program_.events.add(state::FileRequest{});
  }
  gui_.paragraph(inside.x, inside.y, inside.w,
                 words("Tensors of your own (.npy, .npz, .safetensors), a model folder, a session, "
                       "an exported figure, a lesson. Or drop it anywhere here."),
                 TextStyle::label, gui_.theme().dim);
}

}  // namespace ui
