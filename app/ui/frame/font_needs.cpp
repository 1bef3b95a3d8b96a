#include "app/ui/frame/font_needs.h"

#include <utility>

#include "app/lesson/library.h"

namespace ui {

FontNeeds::FontNeeds(const state::Program& program, Fonts& fonts)
    : program_(program), fonts_(fonts), language_(program.words().language()) {
  fonts_.need(language_);
}

void FontNeeds::look(param::List knobs, const std::string& edited, bool names_lessons) {
  fonts_.set_scale(program_.looks.scale);
  if (language_ != program_.words().language()) {
    language_ = program_.words().language();
    fonts_.need(language_);
  }
  if (const state::Computed* page = program_.pages.page();
      page && seen_page_ != program_.pages.version()) {
    seen_page_ = program_.pages.version();
    fonts_.need(page->page);
  }
  const auto held = program_.holding.page();
  if (std::exchange(seen_held_, held) != held && held) fonts_.need(held->page);
  for (const param::Parameter& p : knobs.items()) {
    const auto* name = std::get_if<param::Name>(&p.kind);
    if (param::is_text(p) || name) need_text(std::string(p.info.id), param::serialize(p));
    if (name) need_names(std::string(p.info.id), *name);
  }
  need_text("edit", edited);
  need_names_found(names_lessons);
  fonts_.need(program_.messages.last().text);
}

void FontNeeds::need_text(const std::string& id, const std::string& text) {
  std::string& seen = seen_texts_[id];
  if (seen == text) return;
  seen = text;
  fonts_.need(text);
}

void FontNeeds::need_names(const std::string& id, const param::Name& name) {
  param::Names& seen = seen_names_[id];
  if (seen == name.names) return;
  seen = name.names;
  for (std::size_t k = 0; seen && k < seen->size(); ++k) fonts_.need((*seen)[k].shown());
}

// Glyphs for the names of stops and papers, once they can be found, and the tick of what is
// finished.
void FontNeeds::need_names_found(bool shown) {
  const words::Language language = program_.words().language();
  if (!shown || listed_in_ == language) return;
  listed_in_ = language;
  fonts_.need("✓");
  for (const std::string& name : lesson::names()) {
    const lesson::Lesson& one = lesson::shipped(name, language);
    for (const lesson::Stop& stop : one.stops) fonts_.need(stop.title);
  }
  for (const lab::Lab& one : program_.desk.labs()) {
    for (const lab::Source& source : one.sources) fonts_.need(source.citation);
  }
}

}  // namespace ui
