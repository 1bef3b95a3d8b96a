// What made a page, in a line for its reader.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/paper/export_figure.h"
#include "app/param/stack.h"

namespace paper {
namespace {

using words::Words;

// A whole path names its machine and its owner, who is not to stand on paper.
std::string shown_file(const std::string& path) {
  const std::filesystem::path whole(path);
  if (!whole.has_root_directory()) return path;  // on Windows one of another system is not absolute
  const std::filesystem::path name = whole.has_filename() ? whole : whole.parent_path();
  return name.filename().string();
}

// What a value is called; each kind says so.
struct ValueText {
  const param::Parameter& parameter;
  const Words& w;

  std::string operator()(const param::Flag& flag) const { return *flag.value ? w("yes") : w("no"); }
  std::string operator()(const param::Choice& choice) const {
    const auto k = static_cast<std::size_t>(choice.get());
    return k < choice.options.size() ? w(choice.options[k].label) : plain();
  }
  std::string operator()(const param::Name& name) const {
    const auto at = name.at();
    return at ? (*name.names)[*at].shown() : plain();
  }
  std::string operator()(const param::File& file) const { return shown_file(*file.value); }
  std::string operator()(const param::Stack& stack) const {
    std::string text;
    for (const param::StackItem& item : *stack.value) {
      std::string one = item_text(item, *stack.catalogue);
      text = text.empty() ? std::move(one) : w.format(N_("{}; {}"), text, one);
    }
    return text;
  }
  std::string operator()(const auto&) const { return plain(); }

 private:
  std::string plain() const { return param::serialize(parameter); }

  std::string item_text(const param::StackItem& item, const param::Catalogue& catalogue) const {
    const param::Entry& entry = catalogue.entries[static_cast<std::size_t>(item.entry)];
    std::string text = w(entry.label);
    const auto operation = static_cast<std::size_t>(item.operation);
    if (operation > 0 && operation < catalogue.operations.size()) {
      text = w.format(N_("{} {}"), w(catalogue.operations[operation].label), text);
    }
    for (std::size_t k = 0; k < entry.arguments.size(); ++k) {
      const param::Argument& argument = entry.arguments[k];
      text = w.format(
          N_("{} ({})"), text,
          fmt::format("{} = {}", w(argument.label), argument.serialize(item.arguments[k])));
    }
    return text;
  }
};

// By its id in English, as the command line takes it.
std::string text_of(const param::Parameter& p, const Words& w) {
  if (w.language() != words::Language::en) return knob_text(p, w);
  const auto* file = std::get_if<param::File>(&p.kind);
  return fmt::format("{} = {}", p.info.id, file ? shown_file(*file->value) : param::serialize(p));
}

}  // namespace

std::string parameter_line(const param::List& list, const Words& w) {
  std::vector<std::string> all;
  for (const param::Parameter& p : list.items()) {
    // What is empty, a text or a file that is not used, tells nothing.
    if (p.info.active && !param::serialize(p).empty()) all.push_back(text_of(p, w));
  }
  return w.list(all);
}

std::string differing_line(const param::List& list, const param::List& other, const Words& w) {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < std::min(list.items().size(), other.items().size()); ++k) {
    const param::Parameter &now = list.items()[k], &then = other.items()[k];
    if (!now.info.active && !then.info.active) continue;
    if (param::serialize(now) != param::serialize(then)) all.push_back(text_of(then, w));
  }
  return w.list(all);
}

std::string knob_text(const param::Parameter& p, const Words& w) {
  return fmt::format("{} = {}", w(p.info.label), std::visit(ValueText{p, w}, p.kind));
}

}  // namespace paper
