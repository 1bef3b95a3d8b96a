#include "app/cli/installed/installed.h"

#include <fmt/format.h>

#include <thread>

#include "app/cli/installed/completions.h"
#include "app/cli/installed/manual.h"
#include "app/desktop/entries.h"
#include "app/labs/shared/derivation/number_text.h"
#include "app/system/folders.h"
#include "app/system/machine.h"
#include "app/system/program.h"
#include "app/words/sentence.h"
#include "core/attention/fast/isa.h"
#include "core/system/environment.h"
#include "core/system/memory.h"
#include "core/system/own_program.h"
#include "core/system/threads.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

std::string instruction_set() {
  switch (core::chosen_isa()) {
    case core::Isa::v4: return "v4 (AVX-512)";
    case core::Isa::v3: return "v3 (AVX2, FMA, F16C)";
    case core::Isa::baseline:
    case core::Isa::best: break;
  }
  return "baseline";
}

// A file that is made and removed again there.
std::string writable(const fs::path& folder, const words::Words& w) {
  if (folder.empty()) return w(N_("the environment names none"));
  return sys::can_write_below(folder) ? w(N_("can be written")) : w(N_("cannot be written"));
}

std::string given(const char* variable, const words::Words& w) {
  return core::environment(variable).value_or("").empty() ? w(N_("not set")) : w(N_("set"));
}

}  // namespace

std::vector<desktop::File> installed_files(const std::string& program, const CLI::App& english,
                                           const CLI::App& chinese) {
  std::vector<desktop::File> all = desktop::files(program);
  const auto add = [&](std::string_view path, std::string bytes) {
    all.push_back({path, std::move(bytes)});
  };
  const words::Words en(words::Language::en), zh(words::Language::zh_CN);
  add("man/man1/attnscope.1", manual(english, en, ATTNSCOPE_VERSION));
  add("man/zh_CN/man1/attnscope.1", manual(chinese, zh, ATTNSCOPE_VERSION));
  add("bash-completion/completions/attnscope", completions(english, Shell::bash));
  add("zsh/vendor-completions/_attnscope", completions(english, Shell::zsh));
  add("fish/vendor_completions.d/attnscope.fish", completions(english, Shell::fish));
  return all;
}

std::string own_program() {
  // An archive's launcher says how it was started itself.
  const std::string launcher = core::environment("ATTNSCOPE_LAUNCHER").value_or("");
  return launcher.empty() ? core::own_program().string() : launcher;
}

fs::path own_share() {
  if (!sys::has_desktop_files()) {
    words::refuse<core::InputError>(
        N_("expected Linux; on Windows the setup program puts attnscope into the menu"));
  }
  const fs::path data = sys::data_folder();
  if (data.empty()) {
    words::refuse<core::InputError>(
        N_("expected a home folder, HOME is not set; attnscope desktop-files FOLDER names one"));
  }
  return data.parent_path();
}

std::string version_text() {
  return fmt::format("attnscope {}\n{}\ninstruction set: {}\n", ATTNSCOPE_VERSION,
                     ATTNSCOPE_BUILT_WITH, instruction_set());
}

std::string diagnosis(const words::Words& w, const Facts& display) {
  const auto gigabytes = [](std::size_t bytes) {
    return lab::bytes_text(static_cast<double>(bytes));
  };
  Facts facts = {
      {w(N_("system")), sys::system_name()},
      {w(N_("processors")),
       w.format(N_("{}, of which this program may use {}"), std::thread::hardware_concurrency(),
                core::allowed_cores().count())},
      {w(N_("memory")), w.format(N_("{}, of which {} are free"), gigabytes(core::machine_memory()),
                                 gigabytes(core::free_memory()))},
      {"LANG", core::environment("LANG").value_or("")},
      {"DISPLAY", given("DISPLAY", w)},
      {"WAYLAND_DISPLAY", given("WAYLAND_DISPLAY", w)},
  };
  facts.insert(facts.end(), display.begin(), display.end());
  facts.emplace_back(
      "ffmpeg", sys::find_program("ffmpeg").empty() ? w(N_("is not there")) : w(N_("is there")));
  facts.emplace_back(w(N_("settings folder")), writable(sys::settings_folder(), w));
  facts.emplace_back(w(N_("data folder")), writable(sys::data_folder(), w));
  std::string text = version_text();
  for (const auto& [name, value] : facts) text += w.format(N_("{}: {}"), name, value) + "\n";
  return text;
}

}  // namespace cli
