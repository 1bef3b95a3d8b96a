// Rows of text in columns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kInset = 8, kColumnGap = 20;  // beside the texts; the marked row's tint has room
constexpr float kNarrowGap = 9;               // where words would be broken otherwise
constexpr float kRowPad = 6, kLeading = 2;
constexpr float kTint = 0.14f;
constexpr float kBandGap = 14;  // between tables that are one

// Where a column's texts stand.
struct Lane {
  float x, w;
  int align;
};

struct Written {
  std::string text;
  TextStyle style;
  Rgba color;
  float middle;  // from the top of its row
};

struct Block {
  std::vector<std::vector<Written>> cells;  // one a lane
  float height = 0;
};

std::vector<Table::Column> columns_of(const Table& table) {
  if (!table.columns.empty()) return table.columns;
  std::size_t most = 0;
  for (const auto& row : table.rows) most = std::max(most, row.size());
  return std::vector<Table::Column>(most);
}

float share_of(const Table::Column& column) {
  return std::isfinite(column.share) && column.share > 0 ? column.share : 1;
}

// What a column wants to break no word; on a screen that of its title alone.
std::vector<float> least_of(const Table& table, const std::vector<Table::Column>& columns,
                            const Pen& pen) {
  std::vector<float> least;
  for (const Table::Column& column : columns) {
    least.push_back(pen.widest_word(column.title, TextStyle::label_bold));
  }
  if (!pen.paper()) return least;
  for (const auto& row : table.rows) {
    for (std::size_t k = 0; k < std::min(row.size(), columns.size()); ++k) {
      for (const Span& span : row[k]) {
        least[k] = std::max(least[k], pen.widest_word(span.text, span.style));
      }
    }
  }
  return least;
}

// Where not all fit, the widest give way until they do: numbers stay whole, long words are broken.
void cap(std::vector<float>& least, float room) {
  std::vector<float> sorted = least;
  std::sort(sorted.begin(), sorted.end());
  float left = room;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const float most = std::max(0.0f, left) / static_cast<float>(sorted.size() - k);
    if (sorted[k] > most) {
      for (float& one : least) one = std::min(one, most);
      return;
    }
    left -= sorted[k];
  }
}

// Each column's share of `room`; where one has a longer word, the others give way.
std::vector<float> widths_of(const Table& table, const std::vector<Table::Column>& columns,
                             float room, const Pen& pen) {
  std::vector<float> widths(columns.size(), 0), least = least_of(table, columns, pen);
  if (pen.paper()) cap(least, room);
  if (std::accumulate(least.begin(), least.end(), 0.0f) > room + 0.5f) {
    least.assign(columns.size(), 0);
  }
  std::vector<bool> kept(columns.size(), false);  // at its least width
  for (bool changed = true; changed;) {
    float left = room, total = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      (kept[k] ? left : total) += kept[k] ? -least[k] : share_of(columns[k]);
    }
    changed = false;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      widths[k] = kept[k] ? least[k] : total > 0 ? left * share_of(columns[k]) / total : 0;
      if (kept[k] || widths[k] >= least[k]) continue;
      kept[k] = changed = true;
    }
  }
  return widths;
}

std::vector<Lane> lanes_of(const Table& table, float left, float width, const Pen& pen) {
  const std::vector<Table::Column> columns = columns_of(table);
  const auto gaps = static_cast<float>(columns.size()) - 1;
  const auto room_with = [&](float gap) {
    return std::max(0.0f, width - pen.px(2 * kInset) - gaps * pen.px(gap));
  };
  float gap = kColumnGap;
  if (pen.paper()) {
    const std::vector<float> least = least_of(table, columns, pen);
    if (std::accumulate(least.begin(), least.end(), 0.0f) > room_with(gap)) gap = kNarrowGap;
  }
  const std::vector<float> widths = widths_of(table, columns, room_with(gap), pen);
  std::vector<Lane> lanes;
  float x = left + pen.px(kInset);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    lanes.push_back({x, widths[k], columns[k].align});
    x += widths[k] + pen.px(gap);
  }
  return lanes;
}

// Appends a text's lines to a cell; `y` is where they begin, and then where they end.
void write(const Span& span, float width, float& y, std::vector<Written>& cell, const Pen& pen) {
  const float pitch = pen.line_height(span.style) + pen.px(kLeading);
  for (const std::string& line : pen.wrap(span.text, span.style, width)) {
    // Only a letter wider than its column is cut here.
    cell.push_back({pen.fit(line, span.style, width), span.style, resolve(span.color, pen.theme()),
                    y + pitch / 2});
    y += pitch;
  }
}

Block block_of(const std::vector<Table::Cell>& row, const std::vector<Lane>& lanes,
               const Pen& pen) {
  Block block;
  block.cells.resize(lanes.size());
  float bottom = pen.px(kRowPad) + pen.line_height(TextStyle::label);
  for (std::size_t k = 0; k < std::min(row.size(), lanes.size()); ++k) {
    float y = pen.px(kRowPad);
    for (const Span& span : row[k]) write(span, lanes[k].w, y, block.cells[k], pen);
    bottom = std::max(bottom, y);
  }
  block.height = bottom + pen.px(kRowPad);
  return block;
}

Block header_of(const Table& table, const std::vector<Lane>& lanes, const Pen& pen) {
  std::vector<Table::Cell> titles;
  bool any = false;
  for (const Table::Column& column : table.columns) {
    titles.push_back({{column.title, Role::dim, TextStyle::label_bold}});
    any = any || !column.title.empty();
  }
  return any ? block_of(titles, lanes, pen) : Block{};
}

void draw_block(const Block& block, const std::vector<Lane>& lanes, float top, const Pen& pen) {
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    const Lane& lane = lanes[k];
    const float align = lane.align < 0 ? 0.0f : lane.align == 0 ? 0.5f : 1.0f;
    for (const Written& line : block.cells[k]) {
      pen.text({lane.x + lane.w * align, top + line.middle}, line.text, line.style, line.color,
               align);
    }
  }
}

// On paper too narrow for all columns at once: several tables, each with the first column and some
// of the others, so that no number is broken. Of a few columns words are broken instead.
std::vector<Table> bands_of(const Table& table, float width, const Pen& pen) {
  constexpr std::size_t kFewest = 4;
  const std::vector<Table::Column> columns = columns_of(table);
  if (!pen.paper() || columns.size() < kFewest) return {table};
  const std::vector<float> least = least_of(table, columns, pen);
  const float gap = pen.px(kNarrowGap), room = width - pen.px(2 * kInset);
  std::vector<std::vector<std::size_t>> bands;
  float used = room;
  for (std::size_t k = 1; k < columns.size(); ++k) {
    if (bands.empty() || used + gap + least[k] > room) {
      bands.push_back({0});
      used = least[0];
    }
    bands.back().push_back(k);
    used += gap + least[k];
  }
  if (bands.size() < 2) return {table};
  std::vector<Table> tables;
  for (const std::vector<std::size_t>& band : bands) {
    Table& one = tables.emplace_back();
    one.marked = table.marked;
    for (const std::size_t k : band) one.columns.push_back(columns[k]);
    for (const auto& row : table.rows) {
      auto& cells = one.rows.emplace_back();
      for (const std::size_t k : band) cells.push_back(k < row.size() ? row[k] : Table::Cell());
    }
  }
  return tables;
}

float missing_height(const Pen& pen) { return pen.line_height(TextStyle::label) + pen.px(kRowPad); }

// The first rows, as many as fit into `room`; with a line for the number of the others.
std::vector<Block> rows_in(const Table& table, const std::vector<Lane>& lanes, float room,
                           const Pen& pen) {
  constexpr float kSlack = 0.5f;  // heights are whole pixels, rows are not
  std::vector<Block> rows;
  float used = 0;
  for (const auto& row : table.rows) {
    rows.push_back(block_of(row, lanes, pen));
    used += rows.back().height;
    if (used > room + kSlack) break;
  }
  if (used <= room + kSlack) return rows;
  while (!rows.empty() && used > room - missing_height(pen)) {
    used -= rows.back().height;
    rows.pop_back();
  }
  return rows;
}

void draw_row(const Table& table, std::size_t k, const Rect& at, const Placed& p, const Pen& pen) {
  if (static_cast<int>(k) == table.marked) {
    pen.fill(at, pen.theme().accent.with_alpha(kTint), pen.px(4));
  }
  const bool last = k + 1 == table.rows.size();
  if (!last) {
    pen.line({at.x, at.bottom()}, {at.right(), at.bottom()}, pen.theme().line.with_alpha(0.6f),
             pen.px(1));
  }
  if (k < table.picks.size() && !table.picks[k].empty()) {
    pen.drawing().hits.push_back({at, p.index, table.picks[k], ""});
  }
}

float columns_height(const Table& table, float width, const Pen& pen) {
  const std::vector<Lane> lanes = lanes_of(table, 0, width, pen);
  float height = header_of(table, lanes, pen).height;
  for (const auto& row : table.rows) height += block_of(row, lanes, pen).height;
  return height;
}

void draw_columns(const Table& table, const Placed& p, const Pen& pen) {
  const Rect& a = p.area;
  const std::vector<Lane> lanes = lanes_of(table, a.x, a.w, pen);
  float y = a.y;
  const Block header = header_of(table, lanes, pen);
  if (header.height > a.h + 0.5f) return;
  if (header.height > 0) {
    draw_block(header, lanes, y, pen);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].tooltip.empty()) continue;
      pen.drawing().hits.push_back(
          {{lanes[c].x, y, lanes[c].w, header.height}, p.index, {}, table.columns[c].tooltip});
    }
    y += header.height;
    pen.line({a.x, y}, {a.right(), y}, pen.theme().faint, pen.px(1));
  }
  const std::vector<Block> rows = rows_in(table, lanes, a.bottom() - y, pen);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    draw_row(table, k, {a.x, y, a.w, rows[k].height}, p, pen);
    draw_block(rows[k], lanes, y, pen);
    y += rows[k].height;
  }
  const std::size_t missing = table.rows.size() - rows.size();
  if (missing == 0 || y + missing_height(pen) > a.bottom() + 0.5f) return;
  const std::string text =
      pen.fit(fmt::format("… +{}", missing), TextStyle::label, a.w - pen.px(2 * kInset));
  pen.text({a.x + pen.px(kInset), y + missing_height(pen) / 2}, text, TextStyle::label,
           pen.theme().dim);
}

}  // namespace

float table_height(const Table& table, float width, const Pen& pen) {
  const std::vector<Table> bands = bands_of(table, width, pen);
  float height = pen.px(kBandGap) * static_cast<float>(bands.size() - 1);
  for (const Table& band : bands) height += columns_height(band, width, pen);
  return height;
}

void draw_table(const Table& table, const Placed& p, const Pen& pen) {
  const std::vector<Table> bands = bands_of(table, p.area.w, pen);
  if (bands.size() == 1) return draw_columns(table, p, pen);
  Placed part = p;
  for (const Table& band : bands) {
    const float left = p.area.bottom() - part.area.y;
    part.area.h = std::min(left, columns_height(band, p.area.w, pen));
    if (part.area.h > 0) draw_columns(band, part, pen);
    part.area.y += part.area.h + pen.px(kBandGap);
  }
}

}  // namespace figure::parts
