// The numbers of a figure as a text for the clipboard.
#include <algorithm>

#include "app/paper/numbers/number_formats.h"
#include "app/paper/numbers/numbers.h"

namespace paper {
namespace {

// Puts a field of a table with tabs in quotes where it needs them.
void add_field(std::string& out, const std::string& field) {
  if (field.find_first_of("\t\"\n") == std::string::npos) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

// RFC 4180 to tabs and line feeds.
std::string tabbed(std::string_view csv) {
  std::string out, field;
  out.reserve(csv.size());
  bool quoted = false;
  for (std::size_t k = 0; k < csv.size(); ++k) {
    const char c = csv[k];
    if (c == '"') {
      const bool doubled = quoted && k + 1 < csv.size() && csv[k + 1] == '"';
      if (doubled) field += c, ++k;
      if (!doubled) quoted = !quoted;
    } else if (!quoted && (c == ',' || c == '\n')) {
      add_field(out, field);
      field.clear();
      out += c == ',' ? '\t' : '\n';
    } else if (quoted || c != '\r') {
      field += c;
    }
  }
  add_field(out, field);
  return out;
}

bool too_large(const figure::Mark& mark) {
  const auto* map = std::get_if<figure::Heatmap>(&mark);
  return map && map->source &&
         static_cast<double>(map->source->rows()) * static_cast<double>(map->source->cols()) >
             static_cast<double>(kMostCopiedCells);
}

}  // namespace

CopiedNumbers copied_numbers(const figure::Figure& figure) {
  CopiedNumbers copied;
  figure::Figure kept = figure;
  for (figure::Plot& plot : kept.plots) {
    if (std::erase_if(plot.marks, too_large) > 0) copied.left_out.push_back(plot.id);
  }
  NumbersText sink;
  write_blocks({kept}, sink);
  copied.text = tabbed(sink.text());
  return copied;
}

}  // namespace paper
