// Texts whose characters the fonts must have: all that is on screen or may be next.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/state/program.h"
#include "app/ui/draw/fonts.h"

namespace ui {

class FontNeeds {
 public:
  // Both outlive it.
  FontNeeds(const state::Program& program, Fonts& fonts);

  // Before a frame. `edited`: what is being typed; `names_lessons`: names of lessons, stops and
  // papers can be seen.
  void look(param::List knobs, const std::string& edited, bool names_lessons);

 private:
  void need_text(const std::string& id, const std::string& text);
  void need_names(const std::string& id, const param::Name& name);
  void need_names_found(bool shown);

  const state::Program& program_;
  Fonts& fonts_;
  words::Language language_;
  long seen_page_ = -1;
  std::shared_ptr<const state::Computed> seen_held_;
  std::map<std::string, std::string> seen_texts_;
  std::map<std::string, param::Names> seen_names_;
  std::optional<words::Language> listed_in_;  // what can be found
};

}  // namespace ui
