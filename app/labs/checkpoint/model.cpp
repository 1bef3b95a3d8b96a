#include "app/labs/checkpoint/model.h"

#include <chrono>

#include "core/attention/attention.h"
#include "core/system/memory.h"
#include "core/text/printable.h"

namespace lab::checkpoint {
namespace {

namespace published = core::checkpoint;
using published::Kind, published::ModelFacts, published::Seen, published::Trace;
using OpenedPointer = std::shared_ptr<const Opened>;
using TokensPointer = std::shared_ptr<const Tokens>;
using ReadingPointer = std::shared_ptr<const Reading>;

constexpr std::string_view kDefaultDecoderText = "The cat sat";

// --- the text

struct TextKey {
  OpenedPointer opened;
  std::string text, decoder_text;
  bool around = true;
  bool operator==(const TextKey&) const = default;
};

Tokens tokens_of(const TextKey& key, const Run& run) {
  const Opened& opened = *key.opened;
  Tokens tokens{published_text(opened, key.text, key.around, run.cancel)};
  if (opened.facts().kind == Kind::encoder_decoder) {
    tokens.decoder = {static_cast<std::int32_t>(opened.facts().decoder_start)};
    const bool at_first = opened.tokenizer && key.decoder_text.empty();
    const auto more = published_ids(
        opened, at_first ? std::string(kDefaultDecoderText) : key.decoder_text, run.cancel);
    tokens.decoder.insert(tokens.decoder.end(), more.begin(), more.end());
  }
  opened.model->check(tokens.input());
  return tokens;
}

// --- the pass

// What weights, queries, keys and values of one layer take, in bytes.
double layer_bytes(const ModelFacts& facts, const Tokens& tokens) {
  const double n = to_double(tokens.ids.size()), m = to_double(tokens.decoder.size());
  const double heads = to_double(facts.heads), wide = heads * to_double(facts.head_width);
  return 4 * (heads * std::max(n * n, m * m + n * m) + 4 * (n + m) * wide);
}

struct PassKey {
  OpenedPointer opened;
  TokensPointer tokens;
  std::optional<Index> only;
  bool operator==(const PassKey&) const = default;
};

// One layer alone is kept where all of them would take a quarter of the memory that is free.
std::optional<Index> only_layer(const ModelFacts& facts, const Tokens& tokens, Index shown) {
  const double room = to_double(std::max<std::size_t>(core::free_memory(), 1U << 30)) / 4;
  const double one = layer_bytes(facts, tokens);
  if (one > room) {
    words::refuse<core::InputError>(
        N_("text: expected so many tokens that the weights of a layer fit into {:.1f} GB, got {} "
           "tokens, whose weights take {:.1f} GB"),
        room / 1e9, tokens.ids.size(), one / 1e9);
  }
  const Index layers = facts.layers + facts.decoder_layers;
  if (one * to_double(layers) <= room) return std::nullopt;
  return shown;
}

using Report = std::function<void(const Reading&)>;

Reading read(const PassKey& key, const Run& run, const Report& report) {
  Reading reading{
      .opened = key.opened, .tokens = key.tokens, .trace = {}, .last = {}, .only = key.only};
  published::ForwardOptions<float> options;
  options.keep_heads = true;
  options.logits = published::Logits::none;  // of the tokens that are looked at alone
  options.keep_layers = !key.only;
  options.threads = run.threads;
  const auto keep = [&](const Trace<float>& so_far, const Seen& seen) {
    const auto& from = seen.encoder ? so_far.encoder : so_far.decoder;
    auto& to = seen.encoder ? reading.trace.encoder : reading.trace.decoder;
    to.layers.resize(std::max(to.layers.size(), to_size(seen.layer) + 1));
    if (seen.layer == *key.only) to.layers[to_size(seen.layer)] = from.layers[to_size(seen.layer)];
  };
  options.seen = [&](const Trace<float>& so_far, const Seen& seen) {
    if (seen.what != Seen::What::layer) return;
    // In the end that of the last layer: a decoder follows its encoder.
    const auto& stack = seen.encoder ? so_far.encoder : so_far.decoder;
    reading.last = stack.layers[to_size(seen.layer)]->hidden;
    if (key.only) return keep(so_far, seen);
    if (report) report({key.opened, key.tokens, so_far, {}, key.only, false});
  };
  Trace<float> trace = key.opened->model->forward(key.tokens->input(), options, run.cancel);
  if (key.only) {
    trace.encoder.layers = std::move(reading.trace.encoder.layers);
    trace.decoder.layers = std::move(reading.trace.decoder.layers);
  }
  reading.trace = std::move(trace);
  return reading;
}

// --- what it says after each layer

struct LensKey {
  ReadingPointer reading;
  Index token = 0;
  bool operator==(const LensKey&) const = default;
};

Lens look_through(const LensKey& key, const Run& run) {
  return published::lens(*key.reading->opened->model, key.reading->trace, key.token, std::nullopt,
                         run.threads, run.cancel);
}

// The logits at a token, (vocabulary).
VectorD say(const LensKey& key, const Run& run) {
  const Matrix row = key.reading->last.row(key.token);
  const auto& model = *key.reading->opened->model;
  return model.read_out(row, run.threads, run.cancel).row(0).cast<double>();
}

// --- what it writes

struct WriteKey {
  OpenedPointer opened;
  TokensPointer tokens;
  Index most = 0;
  bool samples = false;
  double temperature = 1;
  int seed = 0;
  bool operator==(const WriteKey&) const = default;
};

bool two_texts(const ModelFacts& facts) { return facts.kind == Kind::encoder_decoder; }

// Only what is new is read; of T5 the encoder's text once.
core::decode::NextLogits next_of(const WriteKey& key, const Run& run) {
  using Ids = std::vector<std::int32_t>;
  const auto& model = key.opened->model;
  const published::GenerationOptions options{.keep_layers = false, .threads = run.threads};
  const auto generation = std::make_shared<published::Generation>(
      two_texts(model->facts()) ? published::Generation::across(model, key.tokens->ids, options)
                                : published::Generation(model, options));
  return [generation, cancel = run.cancel](const Ids& ids) -> VectorD {
    const Ids fresh(ids.begin() + generation->tokens(), ids.end());
    return generation->read(fresh, cancel).cast<double>();
  };
}

core::decode::WrittenText continue_text(const WriteKey& key, const Run& run) {
  const auto& prompt = two_texts(key.opened->facts()) ? key.tokens->decoder : key.tokens->ids;
  core::decode::WriteOptions options;
  options.samples = key.samples;
  options.seed = static_cast<std::uint64_t>(key.seed);
  options.most = key.most;
  options.end = key.opened->facts().end;
  if (key.samples && key.temperature != 1) {
    options.filters = {{core::decode::Filter::Kind::temperature, key.temperature}};
  }
  return core::decode::write(next_of(key, run), prompt, options, run.cancel);
}

bool writes(const Model& model) { return model.speaks() && model.facts().kind != Kind::encoder; }

Continuation text_written(const Model& model) {
  const bool two = two_texts(model.facts());
  Continuation text{.encoded = two ? model.tokens->ids : std::vector<std::int32_t>(),
                    .prompt = two ? model.tokens->decoder : model.tokens->ids,
                    .cross = model.place.cross};
  for (const auto& one : model.continuation->tokens) text.written.push_back(one.id);
  return text;
}

// Where the logits that are looked at stand: of an encoder before a decoder nothing is said, but of
// the decoder's last token.
Index said_row(const Model& model) {
  const bool elsewhere = model.facts().kind == Kind::encoder_decoder && model.place.encoder;
  return elsewhere ? model.reading->last.rows() - 1 : model.query;
}

void add_said(const Parameters& p, const Context& context, Model& model) {
  if (!model.speaks() || p.view != View::next) return;
  model.row = said_row(model);
  model.said = context.stage("said", say, LensKey{model.reading, model.row});
  if (!writes(model)) return;
  if (model.facts().kind == Kind::decoder && !model.reading->only) {
    model.lens = context.stage("lens", look_through, LensKey{model.reading, model.query});
  }
  const Index most = model.room() ? std::min<Index>(p.most, *model.room()) : p.most;
  model.continuation =
      context.stage("continuation", continue_text,
                    WriteKey{model.opened, model.tokens, most, p.samples,
                             p.samples ? p.temperature : 1, p.samples ? p.seed : 0});
  if (model.place.encoder || model.continuation->tokens.empty()) return;
  model.written_heads =
      context.stage("written heads", written_heads, model.opened, text_written(model));
}

// --- which head

void choose(const Parameters& p, Model& model) {
  const ModelFacts& facts = model.facts();
  const auto names = attentions(facts);
  // A model of one stack has no other.
  const bool one = names.size() == 1 || p.attention.empty();
  const std::string_view chosen = one ? names.front() : std::string_view(p.attention);
  if (std::find(names.begin(), names.end(), chosen) == names.end()) {
    std::string known;
    for (const std::string_view name : names)
      known += (known.empty() ? "" : ", ") + std::string(name);
    model.fault = core::Message(N_("attention: expected one of {}, got \"{}\""), known,
                                core::printable(p.attention));
    return;
  }
  model.place.encoder = chosen == "encoder";
  model.place.cross = chosen == "cross";
  model.place.layer = std::min<Index>(p.layer, model.layers()) - 1;
  model.place.head = std::min<Index>(p.head, facts.heads) - 1;
}

void choose_tokens(const Parameters& p, Model& model) {
  const Index last = model.queries() - 1;
  model.query = p.token < 0 ? last : std::min<Index>(p.token, last);
  if (p.key >= 0) model.key = std::min<Index>(p.key, model.keys() - 1);
}

// So many weights that the page comes before what heads do on average.
bool takes_long(const Model& model) {
  const double pairs = to_double(model.queries()) * to_double(model.keys());
  return pairs * to_double(model.layers() * model.facts().heads) > 3e7;
}

// So many products that the tokens come before the first layer.
bool pass_takes_long(const Model& model) {
  const double tokens = to_double(model.tokens->ids.size() + model.tokens->decoder.size());
  return to_double(model.facts().parameters) * tokens > 1e9;
}

// Shows what there is from time to time.
Report reporter(const Model& model, const Partly& partly) {
  if (!partly.show) return {};
  using Clock = std::chrono::steady_clock;
  return [&model, &partly, shown = Clock::now()](const Reading& so_far) mutable {
    const std::chrono::duration<double> since = Clock::now() - shown;
    if (since.count() < partly.after) return;
    Model part = model;
    part.reading = std::make_shared<const Reading>(so_far);
    partly.show(part);
    shown = Clock::now();
  };
}

}  // namespace

published::Input Tokens::input() const {
  return {.tokens = ids, .token_types = types, .decoder_tokens = decoder};
}

std::vector<std::string_view> attentions(const ModelFacts& facts) {
  switch (facts.kind) {
    case Kind::decoder: return {"decoder"};
    case Kind::encoder: return {"encoder"};
    case Kind::encoder_decoder: return {"decoder", "cross", "encoder"};
  }
  return {};
}

Model make_model(const Parameters& p, const Context& context, const Partly& partly) {
  context.cancel.poll();
  Model model;
  model.opened = context.stage("opened", open_published, PublishedSource::of(p.folder, p.shipped));
  choose(p, model);
  if (!model.fault.empty()) return model;
  context.cancel.poll();
  const bool two = model.facts().kind == Kind::encoder_decoder;
  model.tokens =
      context.stage("text", tokens_of,
                    TextKey{model.opened, p.text, two ? p.decoder_text : std::string(), p.around});
  choose_tokens(p, model);
  if (!p.reads()) return model;  // headers and what came with it say all of it
  if (partly.show && (partly.after < 0 || pass_takes_long(model))) partly.show(model);
  const PassKey key{model.opened, model.tokens,
                    only_layer(model.facts(), *model.tokens, model.place.layer)};
  // No stage: while it is made it shows what there is.
  model.reading = context.memo.get("pass", std::tuple(key), [&] {
    return read(key, {context.cancel, context.threads}, reporter(model, partly));
  });
  context.cancel.poll();
  if (p.view == View::heads) {
    if (partly.show && takes_long(model)) partly.show(model);
    model.statistics = statistics_stage(model, context);
  }
  add_said(p, context, model);
  if (p.view == View::positions) model.rounding = rounding_stage(p, model, context);
  if (p.view == View::precision) add_precision(p, context, model);
  return model;
}

Index Model::layers() const {
  const bool second = facts().kind == Kind::encoder_decoder && !place.encoder;
  return second ? facts().decoder_layers : facts().layers;
}

std::optional<Index> Model::room() const {
  if (!positions().limited) return std::nullopt;
  const auto& prompt = two_texts(facts()) ? tokens->decoder : tokens->ids;
  return positions().context - to_index(prompt.size()) + 1;
}

const std::vector<std::int32_t>& Model::query_ids() const {
  const bool second = facts().kind == Kind::encoder_decoder && !place.encoder;
  return second ? tokens->decoder : tokens->ids;
}

const std::vector<std::int32_t>& Model::key_ids() const {
  return place.cross ? tokens->ids : query_ids();
}

Index Model::window(Index layer) const { return causal() ? positions().window(layer) : 0; }

bool Model::sees(Index from, Index to) const {
  return !causal() || positions().sees(place.layer, from, to);
}

std::shared_ptr<const published::Layer<float>> Model::layer(Index at) const {
  if (!reading) return nullptr;
  const auto& stack = place.encoder ? reading->trace.encoder : reading->trace.decoder;
  return to_size(at) < stack.layers.size() ? stack.layers[to_size(at)] : nullptr;
}

const published::Attending<float>* Model::attending(Index at) const {
  const auto of = layer(at);
  if (!of) return nullptr;
  return place.cross ? &of->cross : &of->self;
}

}  // namespace lab::checkpoint
