// What other systems do not have: the desktop's folders, pipes, devices.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <string>

#include "app/state/files/settings.h"
#include "program_rig.h"
#include "variable.h"

namespace files_posix_test {

using program_rig::Folder;
using test::Variable;

TEST_CASE("settings are found where the desktop says, else in the home") {
  const Variable home("HOME", "/home/ada");
  {
    const Variable config("XDG_CONFIG_HOME", "/conf");
    CHECK(state::settings_file() == "/conf/attnscope/settings.json");
  }
  {
    const Variable config("XDG_CONFIG_HOME", "relative");  // counts for nothing
    CHECK(state::settings_file() == "/home/ada/.config/attnscope/settings.json");
  }
  const Variable config("XDG_CONFIG_HOME", nullptr);
  CHECK(state::settings_file() == "/home/ada/.config/attnscope/settings.json");
  const Variable none("HOME", nullptr);
  CHECK(state::settings_file().empty());
}

TEST_CASE("a pipe is not waited for, and a device is not read") {
  const Folder folder;
  state::Program program(test_lab::labs());
  program.wait();
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  for (const auto& [path, why] :
       {std::pair<std::string, std::string>(folder.file("pipe"), "it is a pipe"),
        {"/dev/zero", "device"}}) {
    program.files.open(path);  // comes back: nobody writes into the pipe
    program.wait();
    CHECK(program.messages.last().is_error);
    CHECK(program.messages.last().text.find(why) != std::string::npos);
  }
  try {
    state::read_settings(folder / "pipe");
    FAIL("a pipe was read");
  } catch (const core::InputError& error) {
    CHECK(error.what() ==
          "cannot read " + folder.file("pipe") + ": it is a pipe, a socket or a device");
  }
}

}  // namespace files_posix_test
