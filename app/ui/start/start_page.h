// What the window opens with: three ways in (learn, try, open), routes through the lessons with how
// far one has come, and a small live picture of every lab. It is no lab's state: nothing here is
// undone or saved, and whatever brings a lab or a lesson on screen leaves it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/lesson/library.h"
#include "app/state/gallery.h"
#include "app/state/program.h"
#include "app/state/route.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/controls/widgets.h"
#include "app/ui/draw/gui.h"
#include "app/ui/draw/screen_painter.h"

namespace ui {

inline constexpr const char* kStartSentence = "start.sentence";  // the box

class StartPage {
 public:
  StartPage(state::Program& program, Gui& gui, ScreenPainter& painter,
            const figure::TextMeasure& measure, TextEdit& edit, std::function<void()> wake);

  bool open() const { return open_; }
  void show();
  void leave();
  // Every frame, before anything is drawn: takes over pictures, and leaves when the window has come
  // to show something else.
  void advance();
  void draw(const Rect& area);
  void need_fonts(Fonts& fonts);
  // Pictures are being made.
  bool busy() const { return open_ && gallery_.busy(); }

 private:
  static constexpr float kGap = 12, kPad = 16;  // between cards, and inside of them

  // Each from (x, y) down, w wide; answer where they end.
  float heading(float x, float y, float w);
  float look(float right, float y);
  float routes(float x, float y, float w);
  float route(const lesson::Route& route, const Rect& r);
  float route_height(const lesson::Route& route, float w) const;
  struct LessonWords {
    std::vector<std::string> title = {};
    std::string tail = {};
    float height = 0;
  };
  LessonWords lesson_words(const std::string& name, float w) const;
  float lesson_row(const std::string& name, float x, float y, float w);
  float doors(float x, float y, float w);
  float door_height(float w) const;
  std::string to_type() const;
  void learn(const Rect& r);
  void sentence(const Rect& r);
  void files(const Rect& r);
  void recents(const Rect& r);
  float gallery(float x, float y, float w);
  void tile(std::size_t k, const Rect& r);
  void picture(std::size_t k, const Rect& r);
  float section(const std::string& title, const std::string& about, float x, float y, float w);
  Rect titled_card(const Rect& r, const std::string& title) const;
  void look_at_sentence();
  const lab::Lab* model_lab() const;
  void remember();

  struct Key {
    const figure::Figure* figure = nullptr;
    const figure::Theme* theme = nullptr;
    float w = 0, h = 0, scale = 0, pixel_ratio = 0;
    long fonts = -1;
    bool operator==(const Key&) const = default;
  };
  struct Drawn {
    Key key;
    figure::Drawing drawing;
    figure::Point middle;  // of what its plots fill
  };

  state::Program& program_;
  Gui& gui_;
  ScreenPainter& painter_;
  const figure::TextMeasure& measure_;
  TextEdit& edit_;
  state::Gallery gallery_;
  std::map<std::size_t, Drawn> drawn_;
  std::vector<std::size_t> fresh_;  // pictures whose characters were not asked for yet
  bool open_ = false, to_top_ = false;
  // As it was when the page was opened.
  session::Session session_;
  words::Language language_ = words::Language::en;
  std::string sentence_, fault_;
};

// A session in which a model that has read shows what it does with a sentence; throws
// core::InputError for one that cannot be read.
session::Session looking_at(const std::string& sentence, const lab::Lab& inside);

}  // namespace ui
