// What a language model writes: thirty sentences that it goes on with and thirty words that it
// defines, the likeliest token each time, and drawn by chance with a seed. The good and the bad, as
// they come.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/checkpoint/generation.h"
#include "core/decode/sampling.h"
#include "core/tokenizer/tokenizer_file.h"

namespace {

namespace published = core::checkpoint;
using Ids = std::vector<std::int32_t>;

constexpr std::array<const char*, 30> kSentences = {
    "The dog ran",
    "In the beginning",
    "And the king said unto him,",
    "She opened the door and",
    "A computer is",
    "The sea was calm, and",
    "He who digs a pit",
    "Two men went up into the mountain",
    "It is better to",
    "The old man sat by the fire and",
    "When the rain came",
    "My heart is",
    "The hackers of the laboratory",
    "Blessed is the man that",
    "In the year that king Uzziah died",
    "The program crashed because",
    "Bread and wine",
    "A wise son",
    "The moon is",
    "They sang a song about",
    "Once there was a small bird that",
    "The mother of the child",
    "On the third day",
    "The letter was written by",
    "Nobody knows",
    "If you see a wolf,",
    "The city had twelve gates,",
    "War is",
    "The physician told him to",
    "At night the stars",
};

constexpr std::array<const char*, 30> kWords = {
    "pigeon",   "river",   "hammer",     "democracy", "violin",     "thunder", "baker",   "justice",
    "triangle", "whisper", "volcano",    "telescope", "kindness",   "spider",  "harvest", "bicycle",
    "grammar",  "pepper",  "lawyer",     "island",    "courageous", "slowly",  "melt",    "promise",
    "bug",      "kernel",  "photograph", "winter",    "elephant",   "zorblax",
};

std::string written(const std::shared_ptr<const published::Model>& model,
                    const core::subword::Tokenizer& tokenizer, const std::string& begin,
                    const core::decode::WriteOptions& options) {
  const auto encoding = tokenizer.around(tokenizer.encode(begin));
  const auto generation = std::make_shared<published::Generation>(
      model, published::GenerationOptions{.keep_layers = false});
  const auto next = [&](const Ids& ids) -> core::VectorD {
    const Ids fresh(ids.begin() + generation->tokens(), ids.end());
    return generation->read(fresh).cast<double>();
  };
  const auto text =
      core::decode::write(next, Ids(encoding.ids.begin(), encoding.ids.end()), options);
  Ids ids;
  for (const auto& token : text.tokens) ids.push_back(token.id);
  return tokenizer.decode(ids, core::subword::Tokenizer::Specials::skip) +
         (text.ended ? "" : " ...");
}

void run(const std::filesystem::path& folder, std::uint64_t seed) {
  const auto model = published::open_model(folder);
  const auto tokenizer = core::subword::read_tokenizer(folder / "tokenizer.json", {}, {});
  core::decode::WriteOptions greedy{.samples = false, .most = 32, .end = model->facts().end};
  core::decode::WriteOptions drawn = greedy;
  drawn.samples = true;
  drawn.seed = seed;
  drawn.filters = {{core::decode::Filter::Kind::temperature, 0.8}};
  const auto write = [&](const std::string& begin) {
    fmt::print("{}|{}\n  seed {}: |{}\n", begin, written(model, tokenizer, begin, greedy), seed,
               written(model, tokenizer, begin, drawn));
  };
  fmt::print(
      "Up to 32 tokens; behind | what the model wrote: the likeliest token each time, then "
      "drawn at temperature 0.8.\n\nThirty continuations\n\n");
  for (const char* sentence : kSentences) write(sentence);
  fmt::print("\nThirty definitions\n\n");
  for (const char* word : kWords) write(std::string(word) + ":");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view seed = argc > 2 ? argv[2] : "";
  const bool counts = !seed.empty() && seed.size() < 10 &&
                      seed.find_first_not_of("0123456789") == std::string_view::npos;
  if (argc != 3 || !counts) {
    std::fputs("usage: write_texts FOLDER_OF_MODEL SEED\n", stderr);
    return 2;
  }
  try {
    run(argv[1], std::stoul(argv[2]));
  } catch (const std::exception& fault) {
    fmt::print(stderr, "write_texts: {}\n", fault.what());
    return 1;
  }
}
