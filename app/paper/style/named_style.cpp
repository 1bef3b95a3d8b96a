#include "app/paper/style/named_style.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/system/atomic_file.h"
#include "app/system/folders.h"
#include "app/words/sentence.h"
#include "core/io/case/json_check.h"
#include "core/io/regular_file.h"
#include "core/text/printable.h"

namespace paper {
namespace {

namespace fs = std::filesystem;
using core::InputError;
using nlohmann::ordered_json;

constexpr const char* kVersionMember = "attnscope_style";
constexpr int kVersion = 1;
constexpr std::size_t kMostBytes = std::size_t{1} << 16, kMostName = 60;
constexpr double kPointsAMillimetre = 72 / 25.4;
constexpr std::string_view kPaper = N_("Paper");

struct Own {
  const char* name;
  std::string_view title;
  NamedStyle style;
};

// The text width of NeurIPS is 5.5 inches; its captions stand in the text, as those of most do.
const std::vector<Own>& own_styles() {
  static const std::vector<Own> kOwnStyles = {
      {"column",
       N_("One column"),
       {.width = 85, .font = 8, .captions = false, .parameters = false}},
      {"neurips",
       N_("NeurIPS column"),
       {.width = 139.7, .font = 9, .titles = false, .captions = false, .parameters = false}},
      {"grey",
       N_("Column in grey"),
       {.width = 85,
        .font = 8,
        .captions = false,
        .parameters = false,
        .style = {.dashes = true, .markers = true, .colors = ColorMap::gray}}},
      {"thesis", N_("Thesis"), {.width = 150, .font = 10, .parameters = false}},
      {"slide",
       N_("Slide 16:9"),
       {.width = 338.7,
        .height = 190.5,
        .font = 18,
        .captions = false,
        .parameters = false,
        .style = {.line_width = 2.5}}}};
  return kOwnStyles;
}

fs::path styles_folder() {
  const fs::path folder = sys::settings_folder();
  return folder.empty() ? folder : folder / "styles";
}

bool is_file(const std::string& word) {
  return word.ends_with(".json") || word.find('/') != word.npos || word.find('\\') != word.npos;
}

NamedStyle read_file(const fs::path& file) {
  std::ifstream in;
  if (const words::Sentence reason = core::open_regular(file, in); !reason.empty()) {
    words::refuse<InputError>(N_("cannot read {}: {}"), sys::shown_path(file), reason);
  }
  std::string text(kMostBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  try {
    if (text.size() > kMostBytes) {
      words::refuse<InputError>(N_("it is longer than {} bytes"), kMostBytes);
    }
    return style_from_json(text);
  } catch (const InputError& error) {
    words::refuse<InputError>(N_("{} is no style: {}"), sys::shown_path(file),
                              core::message_of(error));
  }
}

std::vector<std::string> saved_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(styles_folder(), error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".json") names.push_back(at->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

const Own* own_style(const std::string& name) {
  for (const Own& one : own_styles()) {
    if (name == one.name) return &one;
  }
  return nullptr;
}

// Letters of all scripts, digits, spaces, - and _: what is a name of a file everywhere.
bool good_name(const std::string& name) {
  const auto good = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) || c == '-' || c == '_' || c == ' ';
  };
  return !name.empty() && name.size() <= kMostName && name.front() != ' ' && name.back() != ' ' &&
         std::all_of(name.begin(), name.end(), good);
}

// Its values that are not as a style begins.
param::Values given(const NamedStyle& style) {
  NamedStyle now = style, plain;
  return param::difference(param::values([&] { return describe(now); }),
                           param::values([&] { return describe(plain); }));
}

}  // namespace

param::List describe(NamedStyle& s) {
  param::List list;
  list.group(kPaper);
  list.real(s.width, "width", N_("Width"), N_("Width of the paper in mm; 0: as on the page"),
            {.unit = "mm", .max = 2000});
  list.real(s.height, "height", N_("Height"),
            N_("Height of the paper in mm; 0: as high as the figures"),
            {.unit = "mm", .max = 2000});
  list.real(s.font, "font", N_("Type"), N_("Size of labels in points; 0: 8 with a width, else 9"),
            {.unit = "pt", .max = kMostFont});
  list.real(s.dpi, "dpi", "dpi", N_("Dots per inch; 0: 300 with a width"), {.max = kMostDpi});
  list.flag(s.titles, "titles", N_("Titles"), N_("The figures' titles"));
  list.flag(s.captions, "captions", N_("Captions"), N_("The captions under the figures"));
  list.flag(s.parameters, "parameters", N_("Parameters"),
            N_("All parameters in one line at the end"));
  list.flag(s.transparent, "transparent", N_("Transparent"),
            N_("Leave the background transparent"));
  list.flag(s.crop, "crop", N_("Crop"), N_("Crop the paper to the drawing"));
  const param::List looks = describe(s.style);
  for (const param::Parameter& one : looks.items()) {
    if (one.group == kLook) list.items().push_back(one);
  }
  return list;
}

NamedStyle named_style_of(const PaperOptions& o) {
  NamedStyle named{.width = o.paper_width / kPointsAMillimetre,
                   .height = o.paper_height / kPointsAMillimetre,
                   .font = o.font,
                   .dpi = o.dpi,
                   .titles = o.heading,
                   .captions = o.caption,
                   .parameters = o.parameter_line,
                   .transparent = o.transparent,
                   .crop = o.crop};
  // In tenths of a micrometre: what was millimetres comes back as it was.
  for (double* length : {&named.width, &named.height}) *length = std::round(*length * 1e4) / 1e4;
  NamedStyle all{.style = o.style};
  param::Values look;
  const param::List list = describe(all.style);
  for (const param::Parameter& one : list.items()) {
    if (one.group == kLook) look.emplace_back(one.info.id, param::serialize(one));
  }
  set(named.style, look);
  return named;
}

void apply(const NamedStyle& s, PaperOptions& o) {
  o.paper_width = s.width * kPointsAMillimetre;
  o.paper_height = s.width > 0 ? s.height * kPointsAMillimetre : 0;
  o.font = s.font, o.dpi = s.dpi;
  o.heading = s.titles, o.caption = s.captions, o.parameter_line = s.parameters;
  o.transparent = s.transparent, o.crop = s.crop;
  param::Values content;
  const param::List list = describe(o.style);
  for (const param::Parameter& one : list.items()) {
    if (one.group == kContent) content.emplace_back(one.info.id, param::serialize(one));
  }
  o.style = s.style;
  set(o.style, content);
}

param::Values paper_values(const PaperOptions& options) {
  NamedStyle now = named_style_of(options);
  param::List list = describe(now);
  param::Values values;
  for (const auto& value : given(now)) {
    if (list.find(value.first)->group == kPaper) values.push_back(value);
  }
  const param::Values look = given(options.style);
  values.insert(values.end(), look.begin(), look.end());
  return values;
}

void set(PaperOptions& options, const param::Values& values) {
  NamedStyle named{.style = options.style};
  param::List list = describe(named);
  param::Values paper, look;
  for (const auto& value : values) {
    const param::Parameter* one = list.find(value.first);
    (one && one->group == kPaper ? paper : look).push_back(value);
  }
  set(options.style, look);
  if (paper.empty()) return;
  param::assign([&] { return describe(named); }, paper);
  named.style = options.style;
  apply(named, options);
}

std::string to_json(const NamedStyle& style) {
  NamedStyle now = style;
  param::List list = describe(now);
  ordered_json json = {{kVersionMember, kVersion}};
  for (const auto& [id, text] : given(style)) json[id] = param::to_json(*list.find(id));
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

NamedStyle style_from_json(const std::string& text) {
  const nlohmann::json json = core::json_fault(text).empty()
                                  ? nlohmann::json::parse(text, nullptr, false)
                                  : nlohmann::json(nlohmann::json::value_t::discarded);
  if (json.is_discarded() || !json.is_object()) {
    words::refuse<InputError>(N_("it is not a JSON object"));
  }
  const auto version = json.find(kVersionMember);
  if (version == json.end() || *version != kVersion) {
    words::refuse<InputError>(N_("expected \"{}\": {}"), kVersionMember, kVersion);
  }
  NamedStyle style;
  for (const auto& [name, value] : json.items()) {
    if (name == kVersionMember) continue;
    param::List list = describe(style);
    const param::Parameter* one = list.find(name);
    if (!one) {
      words::refuse<InputError>(N_("it has a member \"{}\", which no style has"),
                                core::printable(name, 100));
    }
    param::from_json(*one, value);
  }
  return style;
}

std::vector<std::string> style_names() {
  std::vector<std::string> names;
  for (const Own& one : own_styles()) names.emplace_back(one.name);
  for (const std::string& name : saved_names()) {
    if (!own_style(name)) names.push_back(name);
  }
  return names;
}

std::string style_title(const std::string& name, const words::Words& w) {
  const Own* own = own_style(name);
  return own ? w(own->title) : core::printable(name, kMostName);
}

NamedStyle find_style(const std::string& word) {
  if (is_file(word)) return read_file(word);
  if (const Own* own = own_style(word)) return own->style;
  const std::vector<std::string> saved = saved_names();
  if (std::find(saved.begin(), saved.end(), word) != saved.end()) {
    return read_file(styles_folder() / (word + ".json"));
  }
  words::refuse<InputError>(
      N_("style: expected a file that ends in .json, or one of {}, got \"{}\""),
      words::listed(style_names()), core::printable(word, 100));
}

fs::path save_style(const std::string& word, const NamedStyle& style) {
  fs::path file = word;
  if (!is_file(word)) {
    if (!good_name(word)) {
      words::refuse<InputError>(
          N_("expected a name of at most {} letters, digits, spaces, - and _, or a path that ends "
             "in .json, got \"{}\""),
          kMostName, core::printable(word, 100));
    }
    if (own_style(word)) {
      words::refuse<InputError>(N_("\"{}\" is a style of the program: expected another name"),
                                word);
    }
    if (styles_folder().empty()) {
      words::refuse<InputError>(N_("there is no folder for styles: expected a path that ends in "
                                   ".json, got \"{}\""),
                                word);
    }
    sys::make_folder(styles_folder());
    file = styles_folder() / (word + ".json");
  } else if (!word.ends_with(".json")) {
    words::refuse<InputError>(N_("expected a path that ends in .json, got \"{}\""),
                              core::printable(word, 400));
  }
  sys::write_atomically(file, to_json(style));
  return file;
}

}  // namespace paper
