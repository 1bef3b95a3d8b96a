#include "app/system/atomic_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>

#include "app/system/temporary_series.h"
#include "folder.h"

namespace atomic_file_test {

namespace {

std::string refusal(const std::filesystem::path& target, const std::string& bytes = "new") {
  try {
    sys::write_atomically(target, bytes);
  } catch (const sys::IoError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a file is written, replaced, and nothing else is left") {
  const test::Folder folder;
  sys::write_atomically(folder / "a.txt", "old");
  ::chmod((folder / "a.txt").c_str(), 0640);
  std::string large(3'000'000, 'x');
  large.back() = 'y';
  {
    sys::AtomicFile file(folder / "a.txt");
    file.write("begin");
    file.write(large);
    file.write("end");
    CHECK(test::read(folder / "a.txt") == "old");
    file.commit();
  }
  CHECK(test::read(folder / "a.txt") == "begin" + large + "end");
  CHECK(folder.files() == 1);
  struct stat info {};
  ::stat((folder / "a.txt").c_str(), &info);
  CHECK((info.st_mode & 0777) == 0640);
}

TEST_CASE("a file that is not committed leaves the old one") {
  const test::Folder folder;
  test::write(folder / "a.txt", "old");
  { sys::AtomicFile(folder / "a.txt").write("new"); }
  CHECK(test::read(folder / "a.txt") == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("a link is followed") {
  const test::Folder folder;
  std::filesystem::create_symlink("real.txt", folder / "link.txt");
  sys::write_atomically(folder / "link.txt", "through");
  CHECK(std::filesystem::is_symlink(folder / "link.txt"));
  CHECK(test::read(folder / "real.txt") == "through");
}

TEST_CASE("what cannot be written is said with its path and reason") {
  const test::Folder folder;
  std::filesystem::create_directory(folder / "sub");
  CHECK(refusal(folder / "sub").find("sub: it is a folder") != std::string::npos);
  CHECK(refusal(folder / "none" / "a.txt").find("a.txt: there is no such file") !=
        std::string::npos);
  CHECK(refusal("/dev/null").find("not a regular file") != std::string::npos);
  CHECK(refusal("").find("names no file") != std::string::npos);
  CHECK(std::filesystem::is_character_file("/dev/null"));
  CHECK(folder.files() == 1);
}

// Runs in a child, since it changes what the process may do; 0: as it should be.
template <class Check>
int in_child(Check check) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(check() ? 0 : 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

TEST_CASE("a folder that may not be written to") {
  const test::Folder folder;
  test::write(folder / "a.txt", "old");
  ::chmod(folder.path().c_str(), 0555);
  const int status = in_child([&] {
    // Nothing is forbidden to root, so the child becomes nobody.
    if (::geteuid() == 0 && ::setuid(65534) != 0) return false;
    return refusal(folder / "a.txt").find("permission denied") != std::string::npos;
  });
  ::chmod(folder.path().c_str(), 0755);
  CHECK(status == 0);
  CHECK(test::read(folder / "a.txt") == "old");
}

TEST_CASE("a disk that is full keeps the old file and no temporary") {
  const test::Folder folder;
  test::write(folder / "a.txt", "old");
  const int status = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &small);
    return refusal(folder / "a.txt", std::string(1'000'000, 'x')).find("a.txt: ") !=
           std::string::npos;
  });
  CHECK(status == 0);
  CHECK(test::read(folder / "a.txt") == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("links in a circle, protected files and those of others are left as they are") {
  const test::Folder folder;
  std::filesystem::create_symlink("b.txt", folder / "a.txt");
  std::filesystem::create_symlink("a.txt", folder / "b.txt");
  CHECK(refusal(folder / "a.txt").find("its links form a loop") != std::string::npos);
  CHECK(std::filesystem::is_symlink(folder / "a.txt"));
  test::write(folder / "c.txt", "old");
  ::chmod((folder / "c.txt").c_str(), 0444);
  CHECK(refusal(folder / "c.txt").find("c.txt: it is write-protected") != std::string::npos);
  CHECK(test::read(folder / "c.txt") == "old");
  if (::geteuid() == 0) {
    test::write(folder / "d.txt", "old");
    REQUIRE(::chown((folder / "d.txt").c_str(), 65534, 65534) == 0);
    CHECK(refusal(folder / "d.txt").find("d.txt: it belongs to another user") != std::string::npos);
    CHECK(test::read(folder / "d.txt") == "old");
  }
  const std::string message = refusal(folder / "x\x1b[2J" / std::string(90'000, 'y'));
  CHECK(message.find('\x1b') == std::string::npos);
  CHECK(message.size() < 600);
}

constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};

// Hides what leads to files without a name from this process, which then has none; only root may.
bool hide_proc() {
  return ::geteuid() == 0 && ::unshare(CLONE_NEWNS) == 0 &&
         ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("none", "/proc", "tmpfs", 0, nullptr) == 0;
}

bool has_nameless_files(const std::filesystem::path& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (file >= 0) ::close(file);
  return file >= 0;
}

enum class Files { nameless, named };

// Where a child that is in the midst of writing ends as `end` has it, and what waitpid says of it;
// exit status 98: it cannot have files of that sort.
template <class End>
int ended_while_writing(const std::filesystem::path& target, End end,
                        Files files = Files::nameless) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (files == Files::named && !hide_proc()) ::_exit(98);
    // doctest has handlers of its own, which the program has not.
    for (const int signal : kEnding) std::signal(signal, SIG_DFL);
    sys::remove_guarded_on_signals();
    sys::AtomicFile file(target);
    file.write(std::string(1'000'000, 'x'));
    end();
    ::_exit(99);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

bool cannot_be(int status) {
  const bool cannot = WIFEXITED(status) && WEXITSTATUS(status) == 98;
  if (cannot) MESSAGE("skipped: only root may hide /proc");
  return cannot;
}

TEST_CASE("whatever signal ends the program, no temporary is left") {
  const test::Folder folder;
  test::write(folder / "a.txt", "old");
  for (const Files files : {Files::nameless, Files::named}) {
    for (const int signal : kEnding) {
      CAPTURE(signal);
      const int status = ended_while_writing(
          folder / "a.txt", [&] { std::raise(signal); }, files);
      if (cannot_be(status)) return;
      CHECK(WIFSIGNALED(status));
      CHECK(WTERMSIG(status) == signal);
      CHECK(folder.files() == 1);
    }
    // As Xlib ends a program whose server has gone.
    const int status = ended_while_writing(
        folder / "a.txt", [] { std::exit(1); }, files);
    CHECK(WEXITSTATUS(status) == 1);
    CHECK(folder.files() == 1);
    CHECK(test::read(folder / "a.txt") == "old");
  }
}

TEST_CASE("of a file that is written nothing is seen, and a kill leaves nothing") {
  const test::Folder folder;
  if (!has_nameless_files(folder.path())) {
    MESSAGE("skipped: this file system has no such files");
    return;
  }
  {
    sys::AtomicFile file(folder / "a.txt");
    file.write(std::string(1'000'000, 'x'));
    CHECK(folder.files() == 0);
    file.commit();
    CHECK(folder.files() == 1);
  }
  struct stat info {
  }, usual{};
  test::write(folder / "b.txt", "as any program does");
  REQUIRE(::stat((folder / "a.txt").c_str(), &info) == 0);
  REQUIRE(::stat((folder / "b.txt").c_str(), &usual) == 0);
  CHECK(info.st_mode == usual.st_mode);
  const int status = ended_while_writing(folder / "a.txt", [] { std::raise(SIGKILL); });
  CHECK(WTERMSIG(status) == SIGKILL);
  CHECK(folder.files() == 2);
}

TEST_CASE("where files cannot be without a name they are written all the same") {
  const test::Folder folder;
  const int status = in_child([&] {
    if (!hide_proc()) return true;
    sys::AtomicFile file(folder / "a.txt");
    file.write("named");
    const bool seen = folder.files() == 1;
    file.commit();
    return seen && folder.files() == 1 && test::read(folder / "a.txt") == "named";
  });
  CHECK(status == 0);
}

TEST_CASE("a signal takes a series with it, and the folder that was made for it") {
  const test::Folder folder;
  test::write(folder / "frame-0001.png", "old");
  for (const bool made : {true, false}) {
    const std::filesystem::path where = made ? folder / "frames" : folder.path();
    const pid_t child = ::fork();
    if (child == 0) {
      std::signal(SIGINT, SIG_DFL);
      sys::remove_guarded_on_signals();
      if (made) std::filesystem::create_directory(where);
      sys::TemporarySeries series(where, made, "frame-{}.png", 4);
      for (int k = 0; k < 120; ++k) sys::write_atomically(series.next(), "new");
      std::raise(SIGINT);
      ::_exit(99);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));
    CHECK(folder.files() == 1);
    CHECK_FALSE(std::filesystem::exists(folder / "frames"));
    CHECK(test::read(folder / "frame-0001.png") == "old");
  }
}

TEST_CASE("an ignored signal stays ignored") {
  const test::Folder folder;
  const int status = ended_while_writing(folder / "a.txt", [] {
    std::signal(SIGHUP, SIG_IGN);  // as nohup does before the program starts
    sys::remove_guarded_on_signals();
    std::raise(SIGHUP);
  });
  CHECK(WEXITSTATUS(status) == 99);
}

TEST_CASE("what a killed process left is swept by the next one, and nothing else") {
  const test::Folder folder;
  const int status = ended_while_writing(
      folder / "a.txt", [] { std::raise(SIGKILL); }, Files::named);
  if (cannot_be(status)) return;
  CHECK(WTERMSIG(status) == SIGKILL);
  REQUIRE(folder.files() == 1);
  test::write(folder / ".a.txt.attnscope-1-0123456789abcdef.tmp", "of a process that lives");
  test::write(folder / ".a.txt.attnscope-4294967292-0123456789abcdef.tmp", "of another system");
  test::write(folder / ".b.tmp", "of somebody else");
  test::write(folder / ".attnscope-999999999-short.tmp", "no such name");
  sys::write_atomically(folder / "a.txt", "first");
  CHECK(test::read(folder / "a.txt") == "first");
  CHECK(folder.files() == 5);
}

TEST_CASE("what is being written stays, whoever sweeps") {
  const test::Folder folder;
  int told[2];
  REQUIRE(::pipe(told) == 0);
  const pid_t writer = ::fork();
  if (writer == 0) {
    const bool named = hide_proc();
    sys::AtomicFile file(folder / "a.txt");
    file.write("first");
    char on = named ? 'y' : 'n';
    if (::write(told[1], &on, 1) != 1) ::_exit(1);
    while (!std::filesystem::exists(folder / "b.txt")) ::usleep(1000);
    file.commit();
    ::_exit(0);
  }
  char on = 'n';
  REQUIRE(::read(told[0], &on, 1) == 1);
  CHECK(folder.files() == (on == 'y' ? 1 : 0));
  sys::write_atomically(folder / "b.txt", "second");
  int status = -1;
  ::waitpid(writer, &status, 0);
  CHECK(status == 0);
  CHECK(test::read(folder / "a.txt") == "first");
  CHECK(folder.files() == 2);
}

}  // namespace

}  // namespace atomic_file_test
