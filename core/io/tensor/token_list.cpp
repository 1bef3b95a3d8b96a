#include "core/io/tensor/token_list.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "core/io/case/json_check.h"
#include "core/io/large_file.h"
#include "core/text/printable.h"
#include "core/text/utf8.h"

namespace core {
namespace {

std::string shown_json(const nlohmann::json& json) {
  return printable(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::vector<std::string> tokens_of_json(const std::string& text, const Message& where) {
  if (const Message fault = json_fault(text); !fault.empty()) {
    throw InputError(Message(N_("{}: expected a list of tokens in JSON, but {}"), where, fault));
  }
  const nlohmann::json whole = nlohmann::json::parse(text);
  const auto found = whole.is_object() ? whole.find("tokens") : whole.end();
  const nlohmann::json& list = whole.is_object() && found != whole.end() ? *found : whole;
  if (!list.is_array()) {
    throw InputError(Message(
        N_("{}: expected a list of strings, or an object with such a list as \"tokens\", got {}"),
        where, shown_json(list)));
  }
  std::vector<std::string> tokens;
  for (const nlohmann::json& token : list) {
    if (!token.is_string()) {
      throw InputError(Message(N_("{}: expected only strings, got {} as token {}"), where,
                               shown_json(token), tokens.size()));
    }
    tokens.push_back(token.get<std::string>());
  }
  return tokens;
}

std::vector<std::string> tokens_between(const std::string& text, char between) {
  std::vector<std::string> tokens;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(between, begin), text.size());
    tokens.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return tokens;
}

std::vector<std::string> tokens_of_lines(std::string text) {
  std::erase(text, '\r');
  return tokens_between(text, '\n');
}

void require_tokens(const std::vector<std::string>& tokens, const Message& where) {
  if (!tokens.empty()) return;
  throw InputError(Message(N_("{}: expected at least one token, got none"), where));
}

void require_text(const std::string& text, const Message& where) {
  const auto bad = invalid_utf8(text);
  if (!bad) return;
  throw InputError(Message(N_("{}: expected tokens in UTF-8, got other bytes at {}"), where, *bad));
}

void require_length(std::uint64_t bytes, const Message& where) {
  if (bytes <= kMostTokenBytes) return;
  throw InputError(Message(N_("{}: expected tokens of at most {} bytes, got {}"), where,
                           kMostTokenBytes, bytes));
}

// What the bytes of one axis are. A token such as [CLS] may be the first of several.
std::vector<std::string> tokens_in(std::string text, const Message& where) {
  require_text(text, where);
  const bool lines = text.find('\n') != text.npos, zeros = text.find('\0') != text.npos;
  const bool bracket = text.starts_with('[') || text.starts_with('{');
  if (bracket && ((!lines && !zeros) || json_fault(text).empty())) {
    return tokens_of_json(text, where);
  }
  return lines ? tokens_of_lines(std::move(text)) : tokens_between(text, '\0');
}

std::vector<std::string> tokens_of_rows(const std::string& bytes, Index rows, Index width,
                                        const Message& where) {
  std::vector<std::string> tokens;
  for (Index r = 0; r < rows; ++r) {
    std::string token =
        bytes.substr(static_cast<std::size_t>(r * width), static_cast<std::size_t>(width));
    token.resize(std::min(token.find('\0'), token.size()));
    require_text(token, where);
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace

std::vector<std::string> read_tokens(const std::filesystem::path& path, const Cancel& cancel) {
  const LargeFile file(path);
  const Message where = Message::plain(file.name());
  require_length(file.size(), where);
  std::string text = file.read_string(0, file.size(), cancel);
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  require_text(text, where);
  auto tokens =
      path.extension() == ".json" ? tokens_of_json(text, where) : tokens_of_lines(std::move(text));
  require_tokens(tokens, where);
  return tokens;
}

std::vector<std::string> tokens_of(const Tensor& array, const Message& where,
                                   const Cancel& cancel) {
  const bool bytes = array.type == NumberType::uint8 || array.type == NumberType::int8;
  const std::size_t axes = array.shape.size();
  if (!bytes || axes < 1 || axes > 2) {
    throw InputError(Message(N_("{}: expected tokens as bytes in one or two axes, got {} in the "
                                "shape {}"),
                             where, facts(array.type).name, tensor_shape_text(array.shape)));
  }
  require_length(static_cast<std::uint64_t>(array.count()), where);
  std::string text(static_cast<std::size_t>(array.count()), '\0');
  if (array.fortran_order && axes == 2) {
    throw InputError(
        Message(N_("{}: expected tokens in row-major order, got column-major order"), where));
  }
  array.bytes->read(array.begin, std::as_writable_bytes(std::span(text)), cancel);
  auto tokens = axes == 1 ? tokens_in(std::move(text), where)
                          : tokens_of_rows(text, array.shape[0], array.shape[1], where);
  require_tokens(tokens, where);
  return tokens;
}

std::string shown_token(std::string_view token) {
  std::string shown;
  for (const char c : token) {
    if (c == '\n') {
      shown += "⏎";
    } else if (c == ' ') {
      shown += "␣";
    } else {
      shown += c;
    }
  }
  return printable(shown, 400);
}

}  // namespace core
