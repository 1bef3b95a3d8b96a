// tokenizer_bench: how long 1 MB of text takes, for each kind of tokenizer, and how long
// byte pairs take to be trained. FOLDER: tokenizers/ of the reference.
//
// Times tell about a machine; nothing here decides a test.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <set>
#include <string>

#include "core/random.h"
#include "core/tokenizer/models/pair_training.h"
#include "core/tokenizer/tokenizer_file.h"
#include "timing.h"

namespace {

using namespace core::subword;

constexpr std::size_t kBytes = 1'000'000;

// Words of all lengths, of which a few are frequent (Zipf), with numbers, signs and line ends; each
// fourth sentence is Chinese.
std::string made_text(std::size_t bytes) {
  static const char* const kParts[] = {"the",  "re", "ad", "er", "in", "g",  "at",  "ten",
                                       "tion", "s",  "le", "a",  "o",  "qu", "est", "é"};
  static const char* const kHan[] = {"注", "意", "力", "机", "制", "让", "模", "型",
                                     "看", "到", "整", "个", "句", "子", "词", "书"};
  core::Random random(1);
  std::string text;
  while (text.size() < bytes) {
    const bool han = random.below(4) == 0;
    for (std::uint32_t word = 0; word < 12; ++word) {
      if (!han) text += word == 0 && random.below(3) == 0 ? "The " : " ";
      core::Random spelling(random.below(1 + random.below(20'000)));
      for (std::uint32_t k = 1 + spelling.below(4); k > 0; --k) {
        text += han ? kHan[spelling.below(16)] : kParts[spelling.below(16)];
      }
      if (random.below(20) == 0) text += " " + std::to_string(random.below(10'000));
    }
    text += han ? "。" : ". ";
    if (random.below(6) == 0) text += "\n    ";
  }
  return text;
}

void time_tokenizer(const std::filesystem::path& folder, const std::string& text) {
  const Tokenizer tokenizer = read_tokenizer(folder / "tokenizer.json");
  bench::Times times;
  std::size_t tokens = 0;
  for (int round = 0; round < 5; ++round) {
    times.add({bench::time_once([&] { tokens = tokenizer.encode(text).ids.size(); })});
  }
  fmt::print("{:<24} {:>9} tokens {:>8.3f} s {:>8.3f} s\n", folder.filename().string(), tokens,
             times.min(), times.median());
}

void time_training(const std::string& text, core::Index size) {
  TrainedPairs trained;
  const double seconds = bench::time_once([&] { trained = train_pairs(text, size); });
  fmt::print("training {:>5} on {:>5.1f} MB {:>6} merges {:>6.3f} s\n", size,
             static_cast<double>(text.size()) / 1e6, trained.merges.size(), seconds);
}

}  // namespace

int main(int count, char** arguments) {
  const std::filesystem::path folder =
      count > 1 ? arguments[1] : ATTNSCOPE_SOURCE_DIR "/tests/reference/tokenizers";
  try {
    const std::string text = made_text(kBytes);
    fmt::print("{:.1f} MB of text: best and median of 5\n", static_cast<double>(text.size()) / 1e6);
    std::set<std::filesystem::path> kinds;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      kinds.insert(entry.path());
    }
    for (const auto& kind : kinds) time_tokenizer(kind, text);
    time_training(text, 4096);
    time_training(made_text(50 * kBytes), 4096);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
