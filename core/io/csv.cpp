#include "core/io/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/io/regular_file.h"
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

char separator_of(std::string_view line) {
  for (const char c : {'\t', ';', ','}) {
    if (line.find(c) != line.npos) return c;
  }
  return ',';
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t end = line.find(separator);
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

class Reader {
 public:
  Reader(std::istream& in, const std::string& name, const CsvLimits& limits)
      : in_(in), name_(name), limits_(limits) {}

  NumberPairs read(const Cancel& cancel) {
    NumberPairs pairs;
    std::string line;
    Index blank = 0;  // the first of the empty lines before this one; 0: none
    while (next(line)) {
      if (line_ % kLinesBetweenPolls == 0) cancel.poll();
      if (trimmed(line).empty()) {
        if (blank == 0) blank = line_;
        continue;
      }
      if (blank > 0 && started_) {
        refuse_line(blank, N_("{}, line {}: expected 2 columns, got an empty line"));
      }
      take(line, pairs);
      blank = 0;
    }
    if (in_.bad()) refuse_file(N_("{}: cannot be read"));
    if (x_.empty()) refuse_file(N_("{}: expected lines of two numbers, got none"));
    pairs.separator = separator_;
    pairs.decimal_comma = comma_line_ > 0;
    pairs.x = Eigen::Map<const VectorD>(x_.data(), static_cast<Index>(x_.size()));
    pairs.y = Eigen::Map<const VectorD>(y_.data(), static_cast<Index>(y_.size()));
    return pairs;
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

  void take(const std::string& line, NumberPairs& pairs) {
    if (!started_) separator_ = separator_of(line);
    const std::vector<std::string_view> cells = split(line, separator_);
    if (cells.size() != 2) {
      refuse_line(line_, N_("{}, line {}: expected 2 columns, got {}"), cells.size());
    }
    const bool first = !std::exchange(started_, true);
    if (first && is_header(cells[0]) && is_header(cells[1]) &&
        !(cells[0].empty() && cells[1].empty())) {
      pairs.header = true;
      pairs.x_name = cells[0];
      pairs.y_name = cells[1];
      return;
    }
    const double x = value(cells[0]), y = value(cells[1]);
    if (static_cast<Index>(x_.size()) == limits_.rows) {
      refuse_file(N_("{}: expected at most {} rows, got more"), limits_.rows);
    }
    x_.push_back(x);
    y_.push_back(y);
  }

  static bool is_header(std::string_view cell) {
    return !number(cell) && !begins_like_number(cell);
  }

  double value(std::string_view cell) {
    std::optional<double> read = number(cell);
    const bool comma = !read && separator_ != ',' && cell.find(',') != cell.npos;
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
  bool started_ = false;
  char separator_ = ',';
  std::vector<double> x_, y_;
};

}  // namespace

NumberPairs read_number_pairs(std::istream& in, const std::string& name, const CsvLimits& limits,
                              const Cancel& cancel) {
  return Reader(in, name, limits).read(cancel);
}

NumberPairs read_number_pairs(const std::filesystem::path& path, const CsvLimits& limits,
                              const Cancel& cancel) {
  const std::string name = printable(path.string(), 400);
  std::ifstream in;
  if (const Message reason = open_regular(path, in); !reason.empty()) {
    throw InputError(Message(N_("cannot read {}: {}"), name, reason));
  }
  return read_number_pairs(in, name, limits, cancel);
}

}  // namespace core
