#include "core/task/pair/own_pairs.h"

#include <fstream>
#include <optional>
#include <utility>

#include "core/io/regular_file.h"
#include "core/system/error.h"
#include "core/text/printable.h"
#include "core/text/utf8.h"

namespace core::task {
namespace {

constexpr std::size_t kMostLineBytes = 4 * kMostPairBytes;
constexpr std::size_t kLinesBetweenPolls = 4096;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// `where` names the place: "pair 3", "own.csv, line 3".
void require_side(const Message& where, std::string_view side) {
  if (side.empty()) {
    throw InputError(Message(N_("{}: expected a text on both sides, got an empty one"), where));
  }
  if (side.size() > kMostPairBytes) {
    throw InputError(Message(N_("{}: expected texts of at most {} bytes, got {}"), where,
                             kMostPairBytes, side.size()));
  }
  if (const auto bad = invalid_utf8(side)) {
    throw InputError(Message(N_("{}: expected UTF-8, got something else at byte {}"), where, *bad));
  }
}

void add(const Message& where, const Message& whole, std::string_view source,
         std::string_view target, std::vector<Pair>& pairs) {
  require_side(where, source);
  require_side(where, target);
  if (pairs.size() == kMostPairs) {
    throw InputError(Message(N_("{}: expected at most {} pairs, got more"), whole, kMostPairs));
  }
  pairs.push_back({std::string(source), std::string(target)});
}

void require_some(const Message& whole, const std::vector<Pair>& pairs) {
  if (pairs.empty())
    throw InputError(Message(N_("{}: expected at least one pair, got none"), whole));
}

char separator_of(std::string_view line) {
  for (const char c : {'\t', ';'}) {
    if (line.find(c) != line.npos) return c;
  }
  return ',';
}

// The next cell of a line, which is then cut off with its separator; empty: a quote has no end, or
// something stands behind it.
std::optional<std::string> take_cell(std::string_view& line, char separator) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (!line.starts_with('"')) {
    const std::size_t end = std::min(line.find(separator), line.size());
    const std::string cell(trimmed(line.substr(0, end)));
    line.remove_prefix(std::min(end + 1, line.size()));
    return cell;
  }
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] != '"') {
      cell += line[i];
    } else if (line.substr(i + 1).starts_with('"')) {
      cell += line[i++];
    } else {
      line.remove_prefix(i + 1);
      line = trimmed(line);
      if (!line.empty() && line.front() != separator) return std::nullopt;
      if (!line.empty()) line.remove_prefix(1);
      return std::string(trimmed(cell));
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Pair> parse_pairs(std::string_view text) {
  const Message whole(N_("pairs"));
  std::vector<Pair> pairs;
  while (!trimmed(text).empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view item = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (item.empty()) continue;
    const std::size_t between = item.find('=');
    const Message where(N_("pair {}"), pairs.size() + 1);
    if (between == item.npos) {
      throw InputError(Message(N_("{}: expected two texts with = between them, got \"{}\""), where,
                               printable(item, 80)));
    }
    add(where, whole, trimmed(item.substr(0, between)), trimmed(item.substr(between + 1)), pairs);
  }
  require_some(whole, pairs);
  return pairs;
}

std::vector<Pair> read_pairs(std::istream& in, const std::string& name, const Cancel& cancel) {
  const std::string shown = printable(name, 400);
  const Message whole = Message::plain(shown);
  std::vector<Pair> pairs;
  std::string line;
  char separator = 0;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (number % kLinesBetweenPolls == 0) cancel.poll();
    std::string_view rest = line;
    if (number == 1 && rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    rest = trimmed(rest);
    if (rest.empty()) continue;
    const Message where(N_("{}, line {}"), shown, number);
    if (rest.size() > kMostLineBytes) {
      throw InputError(Message(N_("{}: expected texts of at most {} bytes, got {}"), where,
                               kMostPairBytes, rest.size()));
    }
    if (separator == 0) separator = separator_of(rest);
    const auto source = take_cell(rest, separator);
    const auto target = source ? take_cell(rest, separator) : std::nullopt;
    if (!target || !trimmed(rest).empty()) {
      throw InputError(
          Message(N_("{}: expected two texts, got \"{}\""), where, printable(trimmed(line), 80)));
    }
    add(where, whole, *source, *target, pairs);
  }
  if (in.bad())
    throw InputError(Message(N_("cannot read {}: {}"), shown,
                             system_reason(std::make_error_code(std::errc::io_error))));
  require_some(whole, pairs);
  return pairs;
}

std::vector<Pair> read_pairs(const std::filesystem::path& path, const Cancel& cancel) {
  std::ifstream in;
  if (const Message fault = open_regular(path, in); !fault.empty()) {
    throw InputError(
        Message(N_("{}: expected a file of pairs, but {}"), printable(path.string(), 400), fault));
  }
  return read_pairs(in, path.string(), cancel);
}

}  // namespace core::task
