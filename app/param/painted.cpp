#include "app/param/painted.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/param/reading.h"

namespace param {
namespace {

using Spans = std::vector<CellSpan>;

bool earlier(const CellSpan& a, const CellSpan& b) { return a.first < b.first; }

// Appends a span that begins no earlier than the last one does.
void append(Spans& spans, CellSpan next) {
  if (!spans.empty() && next.first <= spans.back().last + 1) {
    spans.back().last = std::max(spans.back().last, next.last);
  } else {
    spans.push_back(next);
  }
}

Spans both(const Spans& a, const Spans& b) {
  Spans sorted(a.size() + b.size()), result;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), sorted.begin(), earlier);
  for (const CellSpan& span : sorted) append(result, span);
  return result;
}

Spans without(const Spans& a, const Spans& b) {
  Spans result;
  auto hole = b.begin();
  for (CellSpan left : a) {
    while (hole != b.end() && hole->last < left.first) ++hole;
    auto at = hole;
    for (; at != b.end() && at->first <= left.last; ++at) {
      if (left.first < at->first) result.push_back({left.first, at->first - 1});
      left.first = at->last + 1;
    }
    if (left.first <= left.last) result.push_back(left);
  }
  return result;
}

void append(CellSet& cells, CellBand band) {
  if (band.columns.empty()) return;
  const bool goes_on = !cells.empty() && cells.back().rows.last + 1 == band.rows.first &&
                       cells.back().columns == band.columns;
  if (goes_on) {
    cells.back().rows.last = band.rows.last;
  } else {
    cells.push_back(std::move(band));
  }
}

// Walks down the bands of one set.
struct Walk {
  const CellSet& cells;
  std::size_t at = 0;

  static constexpr int kEnd = std::numeric_limits<int>::max();

  bool covers(int row) const { return at < cells.size() && cells[at].rows.first <= row; }
  const Spans& columns(int row) const {
    static const Spans none;
    return covers(row) ? cells[at].columns : none;
  }
  // The first row from `row` on in which there may be others.
  int next(int row) const {
    if (at == cells.size()) return kEnd;
    return covers(row) ? cells[at].rows.last + 1 : cells[at].rows.first;
  }
  void pass(int row) {
    if (at < cells.size() && cells[at].rows.last < row) ++at;
  }
};

template <class Join>
CellSet combined(const CellSet& a, const CellSet& b, const Join& join) {
  CellSet result;
  Walk left{a}, right{b};
  for (int row = 0; row != Walk::kEnd;) {
    const int next = std::min(left.next(row), right.next(row));
    if (next == Walk::kEnd) break;
    append(result, {{row, next - 1}, join(left.columns(row), right.columns(row))});
    row = next;
    left.pass(row);
    right.pass(row);
  }
  return result;
}

std::string serialize_span(CellSpan span) {
  return span.first == span.last ? fmt::format("{}", span.first)
                                 : fmt::format("{}-{}", span.first, span.last);
}

class CellReader {
 public:
  CellReader(int rows, int columns) : rows_(rows), columns_(columns) {}

  CellSet read(std::string_view text) const {
    std::vector<CellSet> parts;
    std::size_t spans = 0;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
      const CellBand band = read_band(trimmed(taken_to(';', text)));
      spans += band.columns.size();
      if (spans > Painted::kMostSpans) refuse(words::Sentence::plain(fmt::format("{}", spans)));
      parts.push_back({band});
    }
    return join(parts, 0, parts.size());
  }

 private:
  // Halves first: texts in any order take n log n.
  static CellSet join(const std::vector<CellSet>& parts, std::size_t begin, std::size_t end) {
    if (begin == end) return {};
    if (end - begin == 1) return parts[begin];
    const std::size_t middle = begin + (end - begin) / 2;
    return united(join(parts, begin, middle), join(parts, middle, end));
  }

  [[noreturn]] void refuse(words::Sentence got) const {
    throw Mismatch(expected_cells(rows_, columns_), std::move(got));
  }

  CellBand read_band(std::string_view text) const {
    const std::string_view whole_text = text;
    CellBand band{read_span(taken_to(':', text), rows_, whole_text), {}};
    Spans spans;
    do {
      spans.push_back(read_span(taken_to(',', text), columns_, whole_text));
    } while (!text.empty());
    std::sort(spans.begin(), spans.end(), earlier);
    for (const CellSpan& span : spans) append(band.columns, span);
    return band;
  }

  CellSpan read_span(std::string_view text, int count, std::string_view in) const {
    std::string_view rest = text;
    const auto first = whole<int>(trimmed(taken_to('-', rest)));
    const bool one = text.find('-') == text.npos;
    const auto last = one ? first : whole<int>(trimmed(rest));
    if (!first || !last || *first < 0 || *last < *first || *last >= count) refuse(shown(in));
    return {*first, *last};
  }

  int rows_, columns_;
};

}  // namespace

CellSet united(const CellSet& a, const CellSet& b) { return combined(a, b, both); }

CellSet subtracted(const CellSet& a, const CellSet& b) { return combined(a, b, without); }

CellSet with_block(const CellSet& cells, const CellBlock& block, bool erase) {
  const CellSet one{{block.rows, {block.columns}}};
  return erase ? subtracted(cells, one) : united(cells, one);
}

bool contains(const CellSet& cells, int row, int column) {
  const auto ends_before = [](const auto& spans, int at) { return spans.last < at; };
  const auto band =
      std::lower_bound(cells.begin(), cells.end(), row,
                       [&](const CellBand& each, int at) { return ends_before(each.rows, at); });
  if (band == cells.end() || band->rows.first > row) return false;
  const auto span =
      std::lower_bound(band->columns.begin(), band->columns.end(), column, ends_before);
  return span != band->columns.end() && span->first <= column;
}

std::size_t span_count(const CellSet& cells) {
  std::size_t count = 0;
  for (const CellBand& band : cells) count += band.columns.size();
  return count;
}

std::string serialize_cells(const CellSet& cells) {
  std::string text;
  for (const CellBand& band : cells) {
    if (!text.empty()) text += ';';
    text += serialize_span(band.rows);
    for (const CellSpan& span : band.columns) {
      text += &span == band.columns.data() ? ':' : ',';
      text += serialize_span(span);
    }
  }
  return text;
}

words::Sentence expected_cells(int rows, int columns) {
  return words::Sentence(N_("cells such as 0:3-7,9;4:0-2 with rows from 0 to {}, columns from 0 to "
                            "{} and at most {} ranges"),
                         rows - 1, columns - 1, Painted::kMostSpans);
}

CellSet read_cells(std::string_view text, int rows, int columns) {
  return CellReader(rows, columns).read(text);
}

}  // namespace param
