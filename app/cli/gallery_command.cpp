#include <fmt/format.h>

#include <fstream>

#include "app/cli/commands.h"
#include "app/cli/shared/output.h"
#include "app/paper/export_figure.h"
#include "app/paper/handout.h"
#include "app/system/atomic_file.h"
#include "app/system/folders.h"
#include "app/words/sentence.h"

namespace cli {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

constexpr std::string_view kStyle = R"(<style>
body { font: 16px/1.5 Inter, sans-serif; max-width: 1100px; margin: 2rem auto; color: #18212b; padding: 0 1rem }
img { width: 100%; border: 1px solid #dce2e8; border-radius: 8px }
h2 { margin-top: 3rem } code { font: 13px "JetBrains Mono", monospace; color: #5c6976 }
</style>)";

std::string head(const words::Words& w) {
  const bool chinese = w.language() == words::Language::zh_CN;
  return fmt::format(
      "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{}</title>{}</head>"
      "<body>\n<h1>attnscope</h1>\n<p>{}</p>\n",
      chinese ? "zh-CN" : "en", escaped(w("attnscope: gallery")), kStyle,
      escaped(w("Every preset of every lab. Each picture carries its session: open it in the "
                "program to go on where it was made.")));
}

// Writes one picture of a lab and returns its entry on the index page.
std::string write_picture(const lab::Lab& lab, const lab::Preset* preset,
                          const std::filesystem::path& folder, const words::Words& w) {
  const std::string name =
      fmt::format("{}{}.png", lab.id, preset ? "-" + std::string(preset->id) : "");
  ExportWords words;
  words.view.lab = lab.id;
  if (preset) words.view.preset = preset->id;
  words.look.theme = "light";
  words.look.language = words::language_id(w.language());
  words.out = (folder / name).string();
  export_figure(words);
  const std::string title = w(preset ? preset->title : lab.question);
  return fmt::format(
      "<h3>{}</h3><p>{}</p>\n<a href=\"{}\"><img src=\"{}\" alt=\"{}\"></a>\n"
      "<p><code>attnscope export {}{} -o {}</code></p>\n",
      escaped(title), escaped(w(preset ? preset->teaches : lab.about)), name, name, escaped(title),
      lab.id, preset ? fmt::format(" --preset {}", preset->id) : "", name);
}

void write_pictures(const std::filesystem::path& folder, const words::Words& w) {
  sys::make_folder(folder);
  std::string index = head(w);
  std::size_t done = 0, total = 0;
  for (const lab::Lab& lab : lab::all()) total += 1 + lab.presets.size();
  const auto add = [&](const lab::Lab& lab, const lab::Preset* preset) {
    report(fmt::format("[{}/{}] {}{}", ++done, total, lab.id,
                       preset ? fmt::format(" {}", preset->id) : ""));
    index += write_picture(lab, preset, folder, w);
  };
  for (const lab::Lab& lab : lab::all()) {
    index += fmt::format("<h2>{}</h2>\n", escaped(w(lab.title)));
    add(lab, nullptr);
    for (const lab::Preset& preset : lab.presets) add(lab, &preset);
  }
  sys::write_atomically(folder / "index.html", index + "</body></html>\n");
  report(w.format(N_("{} pictures and index.html are in {}"), total, folder.string()));
}

void write_handout(const std::filesystem::path& out, const words::Words& w) {
  if (out.extension() != ".pdf") {
    words::refuse<core::InputError>(N_("--handout: expected a name that ends in .pdf, got {}"),
                                    in_quotes(out.string()));
  }
  std::vector<paper::HandoutLab> labs;
  std::size_t done = 0;
  for (const lab::Lab& lab : lab::all()) {
    report(fmt::format("[{}/{}] {}", ++done, lab::all().size(), lab.id));
    ViewWords words;
    words.lab = lab.id;
    words.as_window = true;
    View view = make_view(words, w.language());
    labs.push_back({&lab, view.compute(w.language())});
  }
  sys::write_atomically(out, paper::handout_pdf(labs, w.language()));
}

}  // namespace

CLI::App* GalleryWords::add_to(CLI::App& program, const words::Words& w) {
  CLI::App* command = program.add_subcommand(
      "gallery", w("Write every preset of every lab, with an index page, or write a handout"));
  command->add_option("folder", folder, w("The folder for the pictures"))
      ->check(not_empty(N_("a folder name"), w));
  command
      ->add_option("--handout", handout,
                   w("A .pdf with a page or two for each lab: question, introduction, formula, "
                     "figures, common statements, sources"))
      ->check(not_empty(N_("a file name"), w));
  command->add_option("--lang", language, w("en or zh_CN"));
  return command;
}

void write_gallery(const GalleryWords& words) {
  const words::Words w(words::parse_language(words.language));
  if (words.folder.empty() && words.handout.empty()) {
    words::refuse<core::InputError>(
        N_("gallery: expected a folder for the pictures, or --handout with the name of a .pdf, got "
           "neither"));
  }
  if (!words.handout.empty()) write_handout(words.handout, w);
  if (!words.folder.empty()) write_pictures(words.folder, w);
}

}  // namespace cli
