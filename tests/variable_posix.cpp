#include "variable.h"

#include <cstdlib>

namespace test {

const char* const kDataFolder = "XDG_DATA_HOME";
const char* const kSettingsFolder = "XDG_CONFIG_HOME";

Variable::Variable(const char* name, const char* value) : name_(name) {
  if (const char* now = std::getenv(name)) was_ = now;
  value ? ::setenv(name, value, 1) : ::unsetenv(name);
}

Variable::~Variable() { was_ ? ::setenv(name_, was_->c_str(), 1) : ::unsetenv(name_); }

}  // namespace test
