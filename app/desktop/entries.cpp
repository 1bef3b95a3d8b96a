#include "app/desktop/entries.h"

#include <fmt/format.h>

#include "app/words/words.h"

namespace desktop {
namespace {

constexpr std::string_view kWhat = N_("Oscilloscope for attention");
constexpr std::string_view kSummary =
    N_("See how attention and Transformers work, number by number");
constexpr std::string_view kKeywords[] = {N_("attention"),      N_("Transformer"),
                                          N_("neural network"), N_("machine learning"),
                                          N_("heatmap"),        N_("lesson")};

struct Type {
  std::string_view id, comment, parent, rules;
};

// Lessons are Markdown that names a lab in its head; where two globs of one weight fit, the
// specification lets how the file begins decide.
constexpr Type kTypes[] = {
    {"application/x-attnscope-session", N_("attnscope session"), "application/json",
     R"(    <glob pattern="*.attn"/>
)"},
    {"text/x-attnscope-lesson", N_("attnscope lesson"), "text/markdown",
     R"(    <magic priority="60">
      <match type="string" offset="0" value="# ">
        <match type="string" offset="3:1500" value="\nlab: "/>
      </match>
    </magic>
    <glob pattern="*.md"/>
)"},
    {"application/x-npy", N_("NumPy array"), "",
     R"(    <magic priority="50">
      <match type="string" offset="0" value="\223NUMPY"/>
    </magic>
    <glob pattern="*.npy"/>
)"},
    {"application/x-npz", N_("NumPy arrays"), "application/zip",
     R"(    <glob pattern="*.npz"/>
)"},
    {"application/x-safetensors", N_("Tensors (safetensors)"), "",
     R"(    <glob pattern="*.safetensors"/>
)"},
};

// What else the program opens, which is others' type: the folder of a published model.
constexpr std::string_view kFolders = "inode/directory";

const words::Words& chinese() {
  static const words::Words w(words::Language::zh_CN);
  return w;
}

// A key of an entry in all languages.
std::string key(std::string_view name, std::string_view message) {
  return fmt::format("{}={}\n{}[zh_CN]={}\n", name, message, name, chinese()(message));
}

std::string keywords(std::string_view name, const words::Words& w) {
  std::string line = fmt::format("{}=", name);
  for (const std::string_view word : kKeywords) line += w(word) + ";";
  return line + "\n";
}

// The same of an element of XML, which calls the language otherwise.
std::string element(std::string_view name, std::string_view message, std::string_view indent) {
  return fmt::format("{0}<{1}>{2}</{1}>\n{0}<{1} xml:lang=\"zh_CN\">{3}</{1}>\n", indent, name,
                     message, chinese()(message));
}

// An argument of Exec: quoted, with what the specification wants escaped.
std::string quoted(const std::string& program) {
  if (program.find_first_of(" \t\n\"'\\><~|&;$*?#()`%") == std::string::npos) return program;
  std::string out = "\"";
  for (const char c : program) {
    if (c == '"' || c == '`' || c == '$' || c == '\\') out += "\\\\";
    if (c == '%') out += '%';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::string entry(const std::string& program) {
  std::string types;
  for (const Type& type : kTypes) types += fmt::format("{};", type.id);
  return fmt::format(
      "[Desktop Entry]\nType=Application\nVersion=1.1\nName={0}\n{1}{2}{3}Exec={4} "
      "%f\nIcon={0}\nTerminal=false\nStartupWMClass={0}\nCategories=Education;"
      "ArtificialIntelligence;DataVisualization;\nMimeType={5}{6};\n",
      kId, key("GenericName", kWhat), key("Comment", kSummary),
      keywords("Keywords", words::Words(words::Language::en)) +
          keywords("Keywords[zh_CN]", chinese()),
      quoted(program), types, kFolders);
}

std::string mime_types() {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<mime-info xmlns=\"http://www.freedesktop.org/standards/shared-mime-info\">\n";
  for (const Type& type : kTypes) {
    out += fmt::format("  <mime-type type=\"{}\">\n{}", type.id,
                       element("comment", type.comment, "    "));
    if (!type.parent.empty()) out += fmt::format("    <sub-class-of type=\"{}\"/>\n", type.parent);
    out += fmt::format("{}  </mime-type>\n", type.rules);
  }
  return out + "</mime-info>\n";
}

std::string metainfo() {
  const std::string_view kParagraph =
      N_("Turn a knob, and a mechanism of the Transformer answers on screen in the same frame: "
         "attention heads, position encodings, masks, number formats, encoders, decoders, a small "
         "GPT that is trained in the program, and models of your own. Every number is computed, "
         "and can be unfolded down to its inputs; every figure leaves the program as a file for a "
         "paper.");
  const std::string_view kLessons = N_("Lessons ask before they show, in English and Chinese.");
  std::string types;
  for (const Type& type : kTypes) types += fmt::format("    <mediatype>{}</mediatype>\n", type.id);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<component type=\"desktop-application\">\n"
      "  <id>local.{0}.{0}</id>\n"
      "  <metadata_license>MIT</metadata_license>\n"
      "  <project_license>MIT</project_license>\n"
      "  <name>{0}</name>\n{1}"
      "  <description>\n{2}{3}  </description>\n"
      "  <launchable type=\"desktop-id\">{0}.desktop</launchable>\n"
      "  <icon type=\"stock\">{0}</icon>\n"
      "  <developer_name>attnscope contributors</developer_name>\n"
      "  <content_rating type=\"oars-1.1\"/>\n"
      "  <categories>\n    <category>Education</category>\n    <category>Science</category>\n"
      "  </categories>\n"
      "  <provides>\n    <binary>{0}</binary>\n{4}  </provides>\n"
      "</component>\n",
      kId, element("summary", kSummary, "  "), element("p", kParagraph, "    "),
      element("p", kLessons, "    "), types);
}

}  // namespace desktop
