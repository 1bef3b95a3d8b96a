#include "core/io/tensor/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/io/regular_file.h"
#include "core/system/error.h"
#include "core/text/printable.h"
#include "core/text/utf8.h"

namespace core {
namespace {

constexpr Index kLinesBetweenPolls = 4096;

std::string_view trimmed(std::string_view cell) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = cell.find_first_not_of(kSpace);
  if (begin == cell.npos) return {};
  cell = cell.substr(begin, cell.find_last_not_of(kSpace) - begin + 1);
  const bool quoted = cell.size() >= 2 && cell.front() == '"' && cell.back() == '"';
  return quoted ? cell.substr(1, cell.size() - 2) : cell;
}

// Where the first cell of a line ends: at a separator that does not stand in its quotes (RFC 4180).
std::size_t cell_end(std::string_view line, char separator) {
  const std::size_t begin = line.find_first_not_of(" \t");
  std::size_t from = 0;
  if (begin != line.npos && line[begin] == '"') {
    from = line.find('"', begin + 1);
    while (from != line.npos && line.substr(from).starts_with("\"\"")) {
      from = line.find('"', from + 2);
    }
    if (from == line.npos) from = 0;  // it ends nowhere: it is a letter like any other
  }
  return line.find(separator, from);
}

char separator_of(std::string_view line) {
  const bool pairs = std::count(line.begin(), line.end(), '"') % 2 == 0;  // or they are letters
  for (const char separator : {'\t', ';', ','}) {
    bool quoted = false;
    for (const char c : line) {
      if (c == '"' && pairs) quoted = !quoted;
      if (c == separator && !quoted) return separator;
    }
  }
  return ',';
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t end = cell_end(line, separator);
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == line.npos) return cells;
    line.remove_prefix(end + 1);
  }
}

// The whole cell as a number, infinite when no double can hold it; empty when it is none.
std::optional<double> number(std::string_view cell) {
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (end != cell.data() + cell.size() || cell.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
  return value;
}

// Whether a person would take it for a number: "1,5", "-.5", "0x10", "12 000".
bool begins_like_number(std::string_view cell) {
  cell.remove_prefix(std::min(cell.find_first_not_of("+-.,"), cell.size()));
  return !cell.empty() && cell.front() >= '0' && cell.front() <= '9';
}

bool is_header(std::string_view cell) { return !number(cell) && !begins_like_number(cell); }

bool is_header(const std::vector<std::string_view>& cells) {
  const auto empty = [](std::string_view cell) { return cell.empty(); };
  return !std::all_of(cells.begin(), cells.end(), empty) &&
         std::all_of(cells.begin(), cells.end(),
                     [](std::string_view cell) { return is_header(cell); });
}

// Within quotes a quote stands twice.
std::string name_of(std::string_view cell) {
  std::string name(cell);
  for (std::size_t at = name.find("\"\""); at != name.npos; at = name.find("\"\"", at + 1)) {
    name.erase(at, 1);
  }
  return name;
}

std::vector<CsvColumn> columns_of(const std::vector<std::string_view>& cells, bool header) {
  std::unordered_set<std::string> names;
  std::vector<CsvColumn> columns;
  columns.reserve(cells.size());
  for (const std::string_view cell : cells) {
    CsvColumn column{header ? name_of(cell) : std::string(), true};
    if (column.name.empty() || names.contains(column.name)) {
      column = {"column " + std::to_string(columns.size() + 1), false};
      while (names.contains(column.name)) column.name += '\'';
    }
    names.insert(column.name);
    columns.push_back(std::move(column));
  }
  return columns;
}

class Reader {
 public:
  Reader(std::istream& in, const std::string& name, const CsvLimits& limits)
      : in_(in), name_(name), limits_(limits) {}

  NumberPairs read(const CsvChoice& choice, const Cancel& cancel) {
    NumberPairs pairs;
    std::string line;
    if (first(line)) {
      choose(choice);
      pairs.header = header_;
      if (header_) {
        pairs.x_name = header_name(x_at_);
        pairs.y_name = header_name(y_at_);
      } else {
        take(line);
      }
    }
    Index blank = 0;  // the first of the empty lines before this one; 0: none
    while (next(line)) {
      if (line_ % kLinesBetweenPolls == 0) cancel.poll();
      if (trimmed(line).empty()) {
        if (blank == 0) blank = line_;
        continue;
      }
      if (blank > 0) {
        refuse_line(blank, N_("{}, line {}: expected {} columns, got an empty line"),
                    columns_.size());
      }
      take(line);
    }
    if (in_.bad()) refuse_file(N_("{}: cannot be read"));
    if (x_.empty()) refuse_file(N_("{}: expected lines of two numbers, got none"));
    pairs.separator = separator_;
    pairs.decimal_comma = comma_line_ > 0;
    pairs.x = Eigen::Map<const VectorD>(x_.data(), static_cast<Index>(x_.size()));
    pairs.y = Eigen::Map<const VectorD>(y_.data(), static_cast<Index>(y_.size()));
    return pairs;
  }

  std::vector<CsvColumn> columns() {
    std::string line;
    const bool any = first(line);
    if (in_.bad()) refuse_file(N_("{}: cannot be read"));
    if (!any) refuse_file(N_("{}: expected lines of two numbers, got none"));
    return std::move(columns_);
  }

 private:
  // `args` follow the file and the line.
  template <class... Args>
  [[noreturn]] void refuse_line(Index line, std::string_view message, const Args&... args) const {
    throw InputError(Message(message, name_, line, args...));
  }
  template <class... Args>
  [[noreturn]] void refuse_file(std::string_view message, const Args&... args) const {
    throw InputError(Message(message, name_, args...));
  }

  // The next line without its end; a line that has none within the limit is not read on.
  bool next(std::string& line) {
    line.clear();
    std::streambuf& buffer = *in_.rdbuf();
    int c = 0;
    while ((c = buffer.sbumpc()) != std::char_traits<char>::eof() && c != '\n') {
      if (static_cast<Index>(line.size()) == limits_.line_bytes) {
        refuse_line(line_ + 1, N_("{}, line {}: expected at most {} bytes, got a longer line"),
                    limits_.line_bytes);
      }
      line += static_cast<char>(c);
    }
    if (c != '\n' && line.empty()) return false;
    ++line_;
    if (line_ == 1 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
    if (const auto bad = invalid_utf8(line)) {
      constexpr char kDigits[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(line[*bad]);
      refuse_line(line_, N_("{}, line {}: expected UTF-8 text, got the byte {}"),
                  std::string{'0', 'x', kDigits[byte >> 4], kDigits[byte & 15]});
    }
    return true;
  }

  // Reads on to the first line that is not empty, which says what columns there are; false when
  // there is none.
  bool first(std::string& line) {
    do {
      if (!next(line)) return false;
    } while (trimmed(line).empty());
    separator_ = separator_of(line);
    const std::vector<std::string_view> cells = split(line, separator_);
    if (cells.size() < 2) {
      refuse_line(line_, N_("{}, line {}: expected at least 2 columns, got {}"), cells.size());
    }
    header_ = is_header(cells);
    columns_ = columns_of(cells, header_);
    return true;
  }

  void choose(const CsvChoice& choice) {
    x_at_ = choice.x.empty() ? 0 : column_at(choice.x);
    y_at_ = choice.y.empty() ? 1 : column_at(choice.y);
  }

  std::size_t column_at(const std::string& column) const {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      if (columns_[k].name == column) return k;
    }
    refuse_file(N_("{}: there is no column \"{}\""), printable(column));
  }

  std::string header_name(std::size_t at) const {
    return columns_[at].from_header ? columns_[at].name : std::string();
  }

  void take(const std::string& line) {
    const std::vector<std::string_view> cells = split(line, separator_);
    if (cells.size() != columns_.size()) {
      refuse_line(line_, N_("{}, line {}: expected {} columns, got {}"), columns_.size(),
                  cells.size());
    }
    const double x = value(cells[x_at_]), y = value(cells[y_at_]);
    if (static_cast<Index>(x_.size()) == limits_.rows) {
      refuse_file(N_("{}: expected at most {} rows, got more"), limits_.rows);
    }
    x_.push_back(x);
    y_.push_back(y);
  }

  double value(std::string_view cell) {
    std::optional<double> read = number(cell);
    // Between commas it stands in quotes.
    const bool comma = !read && cell.find(',') != cell.npos;
    if (comma) {
      std::string with_point(cell);
      with_point[cell.find(',')] = '.';
      read = number(with_point);
    }
    if (!read)
      refuse_line(line_, N_("{}, line {}: expected a number, got \"{}\""), printable(cell));
    if (!std::isfinite(*read)) {
      refuse_line(line_,
                  N_("{}, line {}: expected a finite number that fits into a double, got \"{}\""),
                  printable(cell));
    }
    // 1,500 beside 1.5 may be fifteen hundred: nobody knows.
    if (comma && comma_line_ == 0) comma_line_ = line_;
    if (cell.find('.') != cell.npos && point_line_ == 0) point_line_ = line_;
    if (comma_line_ > 0 && point_line_ > 0) {
      refuse_file(N_("{}: expected decimal points or decimal commas, got a comma in line {} and a "
                     "point in line {}"),
                  comma_line_, point_line_);
    }
    return *read;
  }

  std::istream& in_;
  const std::string& name_;
  const CsvLimits& limits_;
  Index line_ = 0;                         // how many were read
  Index comma_line_ = 0, point_line_ = 0;  // the first with a decimal comma, a decimal point
  char separator_ = ',';
  bool header_ = false;
  std::vector<CsvColumn> columns_;
  std::size_t x_at_ = 0, y_at_ = 1;
  std::vector<double> x_, y_;
};

}  // namespace

NumberPairs read_number_pairs(std::istream& in, const std::string& name, const CsvChoice& choice,
                              const CsvLimits& limits, const Cancel& cancel) {
  return Reader(in, name, limits).read(choice, cancel);
}

std::vector<CsvColumn> csv_columns(std::istream& in, const std::string& name,
                                   const CsvLimits& limits) {
  return Reader(in, name, limits).columns();
}

namespace {

// Adds the file's name to what the system's streams throw where the disk fails.
template <class Read>
auto read_named(const std::string& name, Read read) {
  try {
    return read();
  } catch (const std::ios_base::failure&) {
    throw InputError(Message(N_("cannot read {}: {}"), name,
                             system_reason(std::make_error_code(std::errc::io_error))));
  }
}

// The name by which sentences call it.
std::string opened(const std::filesystem::path& path, std::ifstream& in) {
  std::string name = printable(path.string(), 400);
  if (const Message reason = open_regular(path, in); !reason.empty()) {
    throw InputError(Message(N_("cannot read {}: {}"), name, reason));
  }
  return name;
}

}  // namespace

NumberPairs read_number_pairs(const std::filesystem::path& path, const CsvChoice& choice,
                              const CsvLimits& limits, const Cancel& cancel) {
  std::ifstream in;
  const std::string name = opened(path, in);
  return read_named(name, [&] { return read_number_pairs(in, name, choice, limits, cancel); });
}

std::vector<CsvColumn> csv_columns(const std::filesystem::path& path, const CsvLimits& limits) {
  std::ifstream in;
  const std::string name = opened(path, in);
  return read_named(name, [&] { return csv_columns(in, name, limits); });
}

}  // namespace core
