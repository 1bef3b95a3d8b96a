#include "app/session/link.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/labs/labs.h"
#include "app/param/reading.h"
#include "core/io/deflate.h"
#include "core/text/base64.h"
#include "core/text/printable.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"

namespace session {
namespace {

using core::InputError, nlohmann::ordered_json;

constexpr unsigned kLinkVersion = 1;
// More knobs than these are no help to who reads them.
constexpr std::size_t kMostReadable = 12;
constexpr std::size_t kMostUnpacked = std::size_t{1} << 22;

template <class... Args>
[[noreturn]] void refuse_link(std::string_view reason, const Args&... args) {
  words::refuse<InputError>(N_("the link cannot be used: {}"), words::Sentence(reason, args...));
}

// Characters --------------------------------------------------------------------------------------

// Whether a character means nothing in an address, in a shell's single quotes and to a program that
// looks for the end of a link in a text.
bool stands(char32_t c) {
  if (c >= 0x80) {
    const std::string_view kind = core::unicode::general_category(c);
    return kind.starts_with('L') || kind.starts_with('N') || kind.starts_with('M');
  }
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') ||
         std::string_view("-._~:,;/@*").find(static_cast<char>(c)) != std::string_view::npos;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = core::next_code_point(text, at);
    const std::string_view bytes = text.substr(begin, at - begin);
    if (c == ' ') {
      out += '+';
    } else if (stands(c)) {
      out += bytes;
    } else {
      for (const char byte : bytes) {
        out += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
      }
    }
  }
  return out;
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '%') {
      out += text[k] == '+' ? ' ' : text[k];
      continue;
    }
    const int high = k + 2 < text.size() ? digit_of(text[k + 1]) : -1;
    const int low = k + 2 < text.size() ? digit_of(text[k + 2]) : -1;
    if (high < 0 || low < 0) {
      refuse_link(N_("expected two hexadecimal digits after each %, got \"{}\""),
                  core::printable(text.substr(k, 3)));
    }
    out += static_cast<char>(high * 16 + low);
    k += 2;
  }
  return out;
}

// Packing -----------------------------------------------------------------------------------------

std::string packed(const std::string& text) { return core::to_base64url(core::deflated(text)); }

std::string unpacked(const std::string& text) {
  const auto bytes = core::from_base64url(text);
  std::string out;
  const auto result = bytes ? core::inflate(*bytes, kMostUnpacked, out) : core::Inflated::damaged;
  if (result == core::Inflated::too_long) {
    refuse_link(N_("its packed part holds more than {} bytes"), kMostUnpacked);
  }
  if (result == core::Inflated::damaged) refuse_link(N_("its packed part is damaged"));
  return out;
}

// Writing -----------------------------------------------------------------------------------------

bool reads_file(const lab::Lab& lab, const param::Values& values) {
  return !files_read(lab, values).empty();
}

// The values without files, and without the names that were found in these.
param::Values without_files(const lab::Lab& lab, const param::Values& values) {
  if (!reads_file(lab, values)) return values;
  const auto fresh = lab.make(), state = lab.make();
  param::assign(state->describe(), values);
  const param::List list = state->list();
  param::List first = fresh->list();
  for (const param::Parameter& one : list.items()) {
    const auto* file = std::get_if<param::File>(&one.kind);
    const auto* name = std::get_if<param::Name>(&one.kind);
    const param::Parameter* other = name ? first.find(one.info.id) : nullptr;
    if (file) file->value->clear();
    if (other) *name->value = *std::get<param::Name>(other->kind).value;
  }
  param::settle(state->describe());
  return param::values(state->describe());
}

// What a link takes along.
Session travelling(const Session& session) {
  const lab::Lab& lab = lab::find(session.lab);
  Session out = session;
  out.values = without_files(lab, session.values);
  out.files.clear();
  out.strokes = {};
  out.holds.all.clear();
  out.holds.compared = -1;
  for (std::size_t k = 0; k < session.holds.all.size(); ++k) {
    const Hold& hold = session.holds.all[k];
    if (reads_file(lab, hold.values)) continue;
    if (static_cast<int>(k) == session.holds.compared) {
      out.holds.compared = static_cast<int>(out.holds.all.size());
    }
    out.holds.all.push_back(hold);
  }
  if (out.holds.all.empty()) out.holds = {};
  return out;
}

param::Values start_of(const lab::Lab& lab) { return param::values(lab.make()->describe()); }

bool brings_back(const lab::Lab& lab, const param::Values& some, const param::Values& values) {
  const auto state = lab.make();
  try {
    param::assign(state->describe(), some);
  } catch (const InputError&) {
    return false;  // a value needs one that was left out
  }
  return param::values(state->describe()) == values;
}

// The values that are not as at the lab's start, without what follows from the others; all of them
// where these do not bring back the others.
param::Values differing(const lab::Lab& lab, const param::Values& values) {
  param::Values some = param::difference(values, start_of(lab));
  if (!brings_back(lab, some, values)) return values;
  for (std::size_t k = some.size(); k-- > 0 && some.size() <= kMostReadable;) {
    param::Values fewer = some;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    if (brings_back(lab, fewer, values)) some = std::move(fewer);
  }
  return some;
}

void keep_only(ordered_json& values, const param::Values& kept) {
  ordered_json some = ordered_json::object();
  for (const auto& [id, text] : kept) some[id] = values.at(id);
  values = std::move(some);
}

std::string json_of(const Session& session, const param::Values& kept) {
  const lab::Lab& lab = lab::find(session.lab);
  ordered_json json = ordered_json::parse(to_json(session));
  keep_only(json["values"], kept);
  if (session.views.empty()) json.erase("views");
  for (std::size_t k = 0; k < session.holds.all.size(); ++k) {
    keep_only(json["holds"]["all"][k]["values"], differing(lab, session.holds.all[k].values));
  }
  return json.dump();
}

// "base=100&heads=4", or "packed=...".
std::string knobs_of(const Session& session, bool in_lesson) {
  const param::Values kept = differing(lab::find(session.lab), session.values);
  const std::string close = "packed=" + packed(json_of(session, kept));
  const bool plain = session.views.empty() && session.figures.empty() && session.figure.empty() &&
                     session.holds.all.empty();
  // Without a knob a lesson's link means the page of its stop.
  if (!plain || kept.size() > kMostReadable || (in_lesson && kept.empty())) return close;
  std::string readable;
  for (const auto& [id, value] : kept) {
    readable += (readable.empty() ? "" : "&") + id + "=" + escaped(value);
  }
  return readable.size() <= close.size() ? readable : close;
}

// Reading -----------------------------------------------------------------------------------------

std::size_t whole_number(std::string_view key, const std::string& text) {
  const auto number = param::whole<std::size_t>(text);
  if (!number || *number < 1) {
    refuse_link(N_("\"{}\" should be a whole number from 1, got \"{}\""), key,
                core::printable(text));
  }
  return *number;
}

// What is said besides the knobs; these are left over.
param::Values read_rest(const param::Values& all, Link& link, std::string& close) {
  param::Values knobs;
  for (const auto& [key, value] : all) {
    if (key == "v") {
      const std::size_t version = whole_number(key, value);
      if (version > kLinkVersion) {
        refuse_link(
            N_("it is of version {}, and this program reads version {}: a later one opens it"),
            version, kLinkVersion);
      }
    } else if (key == "lang") {
      if (value != "en" && value != "zh_CN") {
        refuse_link(N_("\"lang\" should be en or zh_CN, got \"{}\""), core::printable(value));
      }
      link.language = words::parse_language(value);
    } else if (key == "lesson") {
      link.lesson = value;
    } else if (key == "stop") {
      link.stop = whole_number(key, value) - 1;
    } else if (key == "packed") {
      close = value;
    } else {
      knobs.emplace_back(key, value);
    }
  }
  return knobs;
}

// "a=1&b=2" with each name once.
param::Values read_pairs(std::string_view text) {
  param::Values all;
  while (!text.empty()) {
    const std::string_view pair = param::taken_to('&', text);
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    if (equals == pair.npos || equals == 0) {
      refuse_link(N_("expected name=value, got \"{}\""), core::printable(pair));
    }
    const std::string key = unescaped(pair.substr(0, equals));
    if (std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.first == key; })) {
      refuse_link(N_("it has \"{}\" twice"), core::printable(key));
    }
    all.emplace_back(key, unescaped(pair.substr(equals + 1)));
  }
  return all;
}

// A link comes from anywhere: it must not open files of who follows it.
void refuse_files(const lab::Lab& lab, const param::Values& values) {
  const std::vector<std::string> files = files_read(lab, values);
  if (files.empty()) return;
  refuse_link(N_("it names the file {}, and no link opens a file"), core::printable(files.front()));
}

Session read_packed(const std::string& text, const std::string& lab) {
  Session session = from_json(unpacked(text));
  if (session.lab != lab) {
    refuse_link(N_("it begins with the lab {} and holds one of {}"), lab, session.lab);
  }
  refuse_files(lab::find(lab), session.values);
  for (const Hold& hold : session.holds.all) refuse_files(lab::find(lab), hold.values);
  session.strokes = {};
  return session;
}

}  // namespace

bool is_link(std::string_view text) {
  return text.starts_with('#') || text.find("://") != text.npos;
}

std::string to_link(const Link& link) {
  std::vector<std::string> parts;
  if (!link.lesson.empty()) parts.push_back("lesson=" + escaped(link.lesson));
  if (!link.lesson.empty() && link.stop) parts.push_back(fmt::format("stop={}", *link.stop + 1));
  if (!link.as_stop) {
    parts.push_back(knobs_of(travelling(link.session), !link.lesson.empty()));
    if (parts.back().empty()) parts.pop_back();
  }
  if (link.language) parts.push_back(fmt::format("lang={}", words::language_id(*link.language)));
  parts.push_back(fmt::format("v={}", kLinkVersion));
  std::string text = "#" + link.session.lab;
  for (std::size_t k = 0; k < parts.size(); ++k) text += (k == 0 ? "?" : "&") + parts[k];
  if (text.size() > kMostLinkBytes) {
    words::refuse<InputError>(
        N_("a link to this view would be {} bytes long, more than {}: save a session instead"),
        text.size(), kMostLinkBytes);
  }
  return text;
}

std::vector<words::Sentence> left_behind(const Session& session) {
  std::vector<words::Sentence> said;
  const lab::Lab& lab = lab::find(session.lab);
  std::vector<std::string> files = files_read(lab, session.values);
  for (const Hold& hold : session.holds.all) {
    for (std::string& file : files_read(lab, hold.values)) files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  for (const std::string& file : files) {
    said.emplace_back(N_("the link does not take the file {} along: it stays on this computer"),
                      core::printable(file, 400));
  }
  if (!session.strokes.empty()) {
    said.emplace_back(N_("the link does not take the strokes of the pen along"));
  }
  return said;
}

Link from_link(std::string_view text) {
  if (text.size() > kMostLinkBytes) {
    refuse_link(N_("it is {} bytes long, more than {}"), text.size(), kMostLinkBytes);
  }
  const std::size_t begin = text.find('#');
  if (begin == text.npos) {
    refuse_link(N_("expected an address with a # and the view behind it, got \"{}\""),
                core::printable(text));
  }
  std::string_view rest = text.substr(begin + 1);
  Link link;
  Session& session = link.session;
  session.lab = unescaped(param::taken_to('?', rest));
  const lab::Lab& lab = lab::find(session.lab);
  std::string close;
  const param::Values knobs = read_rest(read_pairs(rest), link, close);
  if (link.stop && link.lesson.empty()) refuse_link(N_("it has a stop and no lesson"));
  if (!close.empty()) {
    if (!knobs.empty()) refuse_link(N_("it has both a packed part and knobs"));
    session = read_packed(close, session.lab);
    return link;
  }
  link.as_stop = !link.lesson.empty() && knobs.empty();
  const auto state = lab.make();
  param::assign(state->describe(), knobs);
  session.values = param::values(state->describe());
  refuse_files(lab, session.values);
  return link;
}

}  // namespace session
