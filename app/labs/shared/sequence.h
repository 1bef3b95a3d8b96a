// The sequence that a lab looks at: a text, or vectors made for the purpose.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/shared/text_knobs.h"
#include "app/labs/shared/tokens.h"

namespace lab {

// What the tokens are: a text, vectors that have nothing in common, a pattern again and again,
// groups of alike ones, or vectors that change slowly.
enum class Input { text, random, repeated, clusters, smooth };

// A lab's parameters inherit it.
struct SequenceKnobs {
  Input input = Input::text;
  std::string text{kSampleText};
  core::Unit unit = core::Unit::words;
  int length = 256;
  int period = 8;

  bool is_text() const { return input == Input::text; }
  bool has_period() const { return !is_text() && input != Input::random; }
  // How many tokens there are, at most `most`. Invalid text, which `param::parse` refuses, has
  // none.
  int token_count(int most);

 private:
  TokenCount counted_;
};

// The group "Sequence": "input", "text", "unit", "length" (1 to `most`) and "period".
void describe_sequence(
    SequenceKnobs& knobs, int most, param::List& list,
    std::string_view length_help =
        N_("The number of tokens n; of a text, at most its first n. The scores are n times n"));

// The tokens with vectors (n, d_model), kept while nothing that they depend on changes.
std::shared_ptr<const Tokens> tokens_of(const SequenceKnobs& knobs, int d_model, int seed,
                                        const Context& context);

}  // namespace lab
