#include "app/ui/search.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace ui {

namespace {

// Lower case of ASCII; other scripts of ours have no case.
std::string folded(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(c < 0x80 ? std::tolower(c) : c); });
  return out;
}

class Query {
 public:
  explicit Query(std::string_view text) {
    std::istringstream stream(folded(text));
    for (std::string word; stream >> word;) words_.push_back(word);
  }
  bool empty() const { return words_.empty(); }

  // True when every word is found in one of the texts or their translations.
  bool matches(std::initializer_list<std::string_view> texts, const words::Words& w) const {
    std::string all;
    for (const std::string_view text : texts) {
      if (text.empty()) continue;
      all += folded(text) + '\n' + folded(w(text)) + '\n';
    }
    return matches(all);
  }
  // The same of a text that is folded already.
  bool matches(const std::string& all) const {
    return std::all_of(words_.begin(), words_.end(), [&](const std::string& word) {
      return all.find(word) != std::string::npos;
    });
  }

 private:
  std::vector<std::string> words_;
};

}  // namespace

std::vector<Found> search(const std::vector<lab::Lab>& labs, std::string_view text,
                          const words::Words& w) {
  const Query query(text);
  std::vector<Found> found, presets, knobs;
  if (query.empty()) return found;
  for (const lab::Lab& one : labs) {
    const std::string id(one.id), title(w(one.title));
    if (query.matches({one.id, one.title, one.question, lab::chapter_title(one.chapter)}, w)) {
      found.push_back({Found::Kind::lab, id, "", title, ""});
    }
    for (const lab::Preset& p : one.presets) {
      if (!query.matches({p.id, p.title, p.teaches}, w)) continue;
      presets.push_back({Found::Kind::preset, id, std::string(p.id), w(p.title), title});
    }
    auto state = one.make();
    const param::List parameters = state->list();
    for (const param::Parameter& p : parameters.items()) {
      if (!query.matches({p.info.id, p.info.label, p.info.help}, w)) continue;
      knobs.push_back({Found::Kind::knob, id, std::string(p.info.id), w(p.info.label), title});
    }
  }
  found.insert(found.end(), presets.begin(), presets.end());
  found.insert(found.end(), knobs.begin(), knobs.end());
  return found;
}

std::vector<std::size_t> search(const std::vector<param::Named>& names, std::string_view text) {
  const Query query(text);
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (query.matches(folded(names[k].id) + '\n' + folded(names[k].label))) found.push_back(k);
  }
  return found;
}

}  // namespace ui
