// The attention of a published model, handed to the lab of one's own tensors.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "app/labs/checkpoint/page.h"
#include "app/labs/tensors/page.h"
#include "folder.h"
#include "trying.h"

namespace checkpoint_kept_test {

using namespace lab::trying;
namespace fs = std::filesystem;
using core::Index;

namespace {

using Published = Trial<lab::checkpoint::Parameters>;
using Own = Trial<lab::tensors::Parameters>;

fs::path reference(const std::string& name) {
  return fs::path(ATTNSCOPE_SOURCE_DIR) / "tests/reference/checkpoints" / name;
}

const lab::Jump* to_tensors(const lab::Page& page) {
  for (const lab::Jump& one : page.jumps) {
    if (one.lab == "tensors") return &one;
  }
  return nullptr;
}

// Its files, in a folder that goes with them, and the lab as the jump opens it.
class Opened {
 public:
  explicit Opened(const lab::Jump& jump) {
    param::Values sets = jump.sets;
    for (const lab::JumpFile& file : jump.files) {
      sets.emplace_back(file.knob, folder_.write(file.knob + file.ending, file.bytes()));
    }
    own.set(sets);
  }
  Own own;

 private:
  test::Folder folder_;
};

void same_head(Published& from, const lab::checkpoint::Model& model) {
  const lab::Page page = from.page();
  const lab::Jump* jump = to_tensors(page);
  REQUIRE(jump);
  const Opened opened(*jump);
  Own own = opened.own;
  own.set({{"view", "head"}});
  const lab::Page arrived = own.page();
  const auto& map = mark_of<figure::Heatmap>(plot_of(arrived, "map"));
  const auto& weights = model.attending()->weights[std::size_t(model.place.head)];
  REQUIRE(map.source->rows() == weights.rows());
  REQUIRE(map.source->cols() == weights.cols());
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j) {
      CHECK(map.source->value(i, j) == weights(i, j));
    }
  }
  const lab::checkpoint::Scene scene{from.p, model, from.words};
  const auto& plot = plot_of(arrived, "map");
  REQUIRE(plot.y.labels);
  REQUIRE(plot.x.labels);
  CHECK(*plot.y.labels == *scene.names(model.query_ids()));
  CHECK(*plot.x.labels == *scene.names(model.key_ids()));
  CHECK(own.p.query == model.query);
}

}  // namespace

TEST_CASE("every published model's attention arrives in Your tensors as it is, with its tokens") {
  for (const auto& folder : fs::directory_iterator(fs::path(reference("gpt2")).parent_path())) {
    CAPTURE(folder.path().filename().string());
    auto from = made<lab::checkpoint::Parameters>({{"folder", folder.path().string()}});
    const auto facts = from.model().facts();
    for (const std::string_view attention : lab::checkpoint::attentions(facts)) {
      CAPTURE(attention);
      from.p.attention = std::string(attention);
      from.p.layer = int(from.model().layers());
      from.p.head = int(facts.heads);
      same_head(from, from.model());
    }
  }
}

TEST_CASE("queries and keys go with it where their products are all that softmax is taken of") {
  const auto neuron = [](const char* model) {
    auto from = made<lab::checkpoint::Parameters>({{"model", model}});
    const lab::Page page = from.page();
    REQUIRE(to_tensors(page));
    const Opened opened(*to_tensors(page));
    Own own = opened.own;
    own.set({{"view", "neuron"}});
    return has_figure(own.page(), "products");
  };
  CHECK(neuron("gpt2"));
  CHECK(neuron("llama"));
  CHECK(neuron("bert"));
  CHECK_FALSE(neuron("bloom"));  // its slopes are not in the arrays
  CHECK_FALSE(neuron("t5"));     // nor its buckets
}

TEST_CASE("of a long text one layer is a file, of a longer one nothing") {
  using Sets = std::pair<std::string, std::string>;
  const auto layer_of = [](int tokens) {
    std::string text;
    for (int k = 0; k < tokens; ++k) text += "5 ";
    auto from = made<lab::checkpoint::Parameters>(
        {{"folder", reference("bloom").string()}, {"text", text}, {"layer", "2"}});
    REQUIRE(from.model().queries() == tokens);
    const lab::Page page = from.page();
    const lab::Jump* jump = to_tensors(page);
    return jump ? jump->sets.front() : Sets();
  };
  CHECK(layer_of(12) == Sets("layer", "2"));
  CHECK(layer_of(1500) == Sets("layer", "1"));  // the only one of the file
  CHECK(layer_of(2100) == Sets());
}

}  // namespace checkpoint_kept_test
