// The environment, which standard C++ can only read.
#pragma once

#include <optional>
#include <string>

namespace test {

// The variable under which the system names the folder for what a program keeps.
extern const char* const kDataFolder;
extern const char* const kSettingsFolder;

// An environment variable's value while this lives, in UTF-8; null: none.
class Variable {
 public:
  Variable(const char* name, const char* value);
  ~Variable();
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> was_;
};

}  // namespace test
