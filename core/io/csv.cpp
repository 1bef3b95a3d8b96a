#include "core/io/csv.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/text/utf8.h"

namespace core {
namespace {

using Problem = CsvError::Problem;

constexpr std::size_t kShownBytes = 24;  // of a cell that is refused
constexpr Index kLinesBetweenPolls = 4096;

std::string message(Problem problem, const std::string& file, Index line, const std::string& got,
                    Index most) {
  const std::string at = line > 0 ? file + ", line " + std::to_string(line) : file;
  switch (problem) {
    case Problem::missing:
      return file + ": there is no such file";
    case Problem::not_a_file:
      return file + ": expected a file, got a directory or a device";
    case Problem::unreadable:
      return file + ": cannot be read";
    case Problem::empty:
      return file + ": expected lines of two numbers, got none";
    case Problem::not_utf8:
      return at + ": expected UTF-8 text, got the byte " + got;
    case Problem::too_long:
      return at + ": expected at most " + std::to_string(most) + " bytes, got a longer line";
    case Problem::ragged:
      return at + ": expected 2 columns, got " + (got.empty() ? "an empty line" : got);
    case Problem::not_a_number:
      return at + ": expected a number, got \"" + got + '"';
    case Problem::not_finite:
      return at + ": expected a finite number that fits into a double, got \"" + got + '"';
    case Problem::too_many:
      return file + ": expected at most " + std::to_string(most) + " rows, got more";
  }
  return file;
}

std::string_view trimmed(std::string_view cell) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = cell.find_first_not_of(kSpace);
  if (begin == cell.npos) return {};
  cell = cell.substr(begin, cell.find_last_not_of(kSpace) - begin + 1);
  const bool quoted = cell.size() >= 2 && cell.front() == '"' && cell.back() == '"';
  return quoted ? cell.substr(1, cell.size() - 2) : cell;
}

// Whole characters of at most kShownBytes.
std::string shown(std::string_view cell) {
  if (cell.size() <= kShownBytes) return std::string(cell);
  std::size_t end = kShownBytes;
  while (end > 0 && (static_cast<unsigned char>(cell[end]) & 0xc0) == 0x80) --end;
  return std::string(cell.substr(0, end)) + "…";
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
      if (blank > 0 && started_) refuse(Problem::ragged, blank);
      take(line, pairs);
      blank = 0;
    }
    if (in_.bad()) refuse(Problem::unreadable);
    if (x_.empty()) refuse(Problem::empty);
    pairs.x = Eigen::Map<const VectorD>(x_.data(), static_cast<Index>(x_.size()));
    pairs.y = Eigen::Map<const VectorD>(y_.data(), static_cast<Index>(y_.size()));
    return pairs;
  }

 private:
  [[noreturn]] void refuse(Problem problem, Index line = 0, std::string got = {},
                           Index most = 0) const {
    throw CsvError(problem, name_, line, std::move(got), most);
  }

  // The next line without its end; a line that has none within the limit is not read on.
  bool next(std::string& line) {
    line.clear();
    std::streambuf& buffer = *in_.rdbuf();
    int c = 0;
    while ((c = buffer.sbumpc()) != std::char_traits<char>::eof() && c != '\n') {
      if (static_cast<Index>(line.size()) == limits_.line_bytes) {
        refuse(Problem::too_long, line_ + 1, {}, limits_.line_bytes);
      }
      line += static_cast<char>(c);
    }
    if (c != '\n' && line.empty()) return false;
    ++line_;
    if (line_ == 1 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
    if (const auto bad = invalid_utf8(line)) {
      constexpr char kDigits[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(line[*bad]);
      refuse(Problem::not_utf8, line_, {'0', 'x', kDigits[byte >> 4], kDigits[byte & 15]});
    }
    return true;
  }

  void take(const std::string& line, NumberPairs& pairs) {
    if (!started_) separator_ = separator_of(line);
    const std::vector<std::string_view> cells = split(line, separator_);
    if (cells.size() != 2) refuse(Problem::ragged, line_, std::to_string(cells.size()));
    const auto x = number(cells[0]), y = number(cells[1]);
    const bool header = !started_ && !x && !y && !(cells[0].empty() && cells[1].empty());
    started_ = true;
    if (header) {
      pairs.x_name = cells[0];
      pairs.y_name = cells[1];
      return;
    }
    for (const auto& [value, cell] : {std::pair{x, cells[0]}, {y, cells[1]}}) {
      if (!value) refuse(Problem::not_a_number, line_, shown(cell));
      if (!std::isfinite(*value)) refuse(Problem::not_finite, line_, shown(cell));
    }
    if (static_cast<Index>(x_.size()) == limits_.rows) {
      refuse(Problem::too_many, 0, {}, limits_.rows);
    }
    x_.push_back(*x);
    y_.push_back(*y);
  }

  std::istream& in_;
  const std::string& name_;
  const CsvLimits& limits_;
  Index line_ = 0;  // how many were read
  bool started_ = false;
  char separator_ = ',';
  std::vector<double> x_, y_;
};

}  // namespace

CsvError::CsvError(Problem which, std::string of_file, Index at_line, std::string what_came,
                   Index limit)
    : InputError(message(which, of_file, at_line, what_came, limit)),
      problem(which),
      file(std::move(of_file)),
      line(at_line),
      got(std::move(what_came)),
      most(limit) {}

NumberPairs read_number_pairs(std::istream& in, const std::string& name, const CsvLimits& limits,
                              const Cancel& cancel) {
  return Reader(in, name, limits).read(cancel);
}

NumberPairs read_number_pairs(const std::filesystem::path& path, const CsvLimits& limits,
                              const Cancel& cancel) {
  const std::string name = path.filename().empty() ? path.string() : path.filename().string();
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw CsvError(Problem::missing, name, 0, {}, 0);
  if (!std::filesystem::is_regular_file(status)) {
    throw CsvError(Problem::not_a_file, name, 0, {}, 0);
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw CsvError(Problem::unreadable, name, 0, {}, 0);
  return read_number_pairs(in, name, limits, cancel);
}

}  // namespace core
