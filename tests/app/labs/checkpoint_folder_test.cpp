// Folders of published models open, or say why not.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/session/session.h"
#include "app/session/session_files.h"
#include "checkpoint_rig.h"

namespace checkpoint_folder_test {

using namespace checkpoint_rig;

TEST_CASE("every small published model opens from its folder and fills every page") {
  for (const auto& folder : fs::directory_iterator(reference("checkpoints"))) {
    CAPTURE(folder.path().filename().string());
    Made m = made({{"folder", folder.path().string()}});
    for (const char* view : {"heads", "next", "positions", "file"}) {
      CAPTURE(view);
      m.set({{"view", view}});
      const lab::Page page = m.page();
      CHECK(page.fault.empty());
      CHECK(page.made_up.empty());
      CHECK(page.figures.size() >= 2);
      CHECK(readout(page, "tokens") == 12);
    }
  }
}

TEST_CASE("a folder, a file in it and the shipped one are the same model") {
  Made of_program = made({{"model", "llama"}, {"view", "next"}});
  const double logit = readout(of_program.page(), "logit");
  for (const char* file : {"", "config.json", "model.safetensors", "tokenizer.json"}) {
    Made m = made({{"folder", (shipped("llama") / file).string()}, {"view", "next"}});
    const lab::Page page = m.page();
    CHECK(readout(page, "logit") == logit);
    CHECK(page.made_up.empty());
    CHECK(page.status.find("llama · LLaMA") == 0);
  }
  CHECK_FALSE(of_program.page().made_up.empty());
}

TEST_CASE("what is refused is one sentence that names the file") {
  Made nowhere = made({{"folder", "/no such folder/at all"}});
  CHECK(refusal(nowhere).find("config.json") != std::string::npos);
  Made m = made({{"folder", reference("checkpoints/gpt2").string()}, {"text", "cats"}});
  CHECK(refusal(m).find("text: expected token ids") == 0);
  m.set({{"text", "1 2 47 48"}});
  CHECK(refusal(m) == "tokens: expected numbers from 0 to 47, got 48");
  m.set({{"text", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"}});
  CHECK(refusal(m).find("expected at most 16 tokens") != std::string::npos);
  m.set({{"text", "1, 2\t3"}});
  CHECK(readout(m.page(), "tokens") == 3);

  const Folder folder(shipped("gpt2"));
  Made own = made({{"folder", folder.path()}});
  CHECK(refusal(own).empty());
  folder.write("tokenizer.json", R"({"model":{"type":"Telepathy"}})");
  CHECK(refusal(own).find("tokenizer.json") != std::string::npos);
  folder.remove("tokenizer.json");
  own.set({{"text", "3 4"}});
  const lab::Page page = own.page();
  CHECK(readout(page, "tokens") == 2);
  CHECK(page.notes.front().find("no tokenizer") != std::string::npos);
  folder.remove("model.safetensors");
  CHECK(refusal(own).find("expected model.safetensors") != std::string::npos);
}

TEST_CASE("a folder that is written anew is read anew") {
  const Folder folder(shipped("bert"));
  Made m = made({{"folder", folder.path()}});
  CHECK(m.page().status.find("BERT") != std::string::npos);
  for (const char* file : {"config.json", "model.safetensors", "tokenizer.json"}) {
    folder.take(shipped("gpt2") / file);
  }
  CHECK(m.page().status.find("GPT-2") != std::string::npos);
  // The tokenizer beside vocab.json and merges.txt.
  folder.remove("tokenizer.json");
  folder.take(reference("tokenizers/bpe-gpt2/vocab.json"));
  folder.take(reference("tokenizers/bpe-gpt2/merges.txt"));
  CHECK(m.model().opened->tokenizer_from == "vocab.json, merges.txt");
}

TEST_CASE("word lists lower the case unless the folder says otherwise") {
  const Folder folder(shipped("bert"));
  folder.remove("tokenizer.json");
  folder.take(reference("tokenizers/wordpiece-uncased/vocab.txt"));
  Made m = made({{"folder", folder.path()}, {"text", "The THE"}});
  const auto ids = m.model().tokens->ids;
  CHECK(m.model().opened->tokenizer_from == "vocab.txt");
  CHECK(ids.size() >= 4);
  m.set({{"text", "the the"}});
  CHECK(m.model().tokens->ids == ids);
  folder.write("tokenizer_config.json", R"({"do_lower_case": false})");
  m.set({{"text", "The THE"}});
  CHECK(m.model().tokens->ids != ids);
}

TEST_CASE("a path that is not there is refused, whatever lies around it") {
  for (const std::string name : {"nowhere", "config.jsonn", "model.safetensors.no"}) {
    Made m = made({{"folder", (shipped("gpt2") / name).string()}});
    const std::string why = refusal(m);
    CHECK(why.find("there is no such file or folder") != std::string::npos);
    CHECK(why.find(name) != std::string::npos);
  }
}

TEST_CASE("the root of a hub's cache opens its snapshot, by the knob and by the command") {
  const Folder folder(shipped("gpt2"));
  const fs::path root = folder.path();
  fs::create_directories(root / "snapshots" / "abc");
  fs::create_directories(root / "refs");
  for (const char* file : {"config.json", "model.safetensors", "tokenizer.json"}) {
    fs::rename(root / file, root / "snapshots" / "abc" / file);
  }
  folder.write("refs/main", "abc");
  Made m = made({{"folder", root.string()}});
  CHECK(m.page().status.find("GPT-2") != std::string::npos);
  const auto session = session::session_opening(root);
  REQUIRE(session);
  CHECK(session->lab == "checkpoint");
}

TEST_CASE("what is not read is listed in the file's table and counted in the status") {
  const Folder folder(reference("checkpoints/llama"));
  Made m = made({{"folder", folder.path()}, {"view", "file"}});
  CHECK(m.page().status.find("not read") == std::string::npos);
  std::string config = folder.read("config.json");
  config.insert(config.find('{') + 1, "\"residual_multiplier\": 0.5, \"logit_scale\": 2,");
  folder.write("config.json", config);
  const lab::Page page = m.page();
  CHECK(page.status.ends_with(" · settings not read: 2"));
  const auto& table = mark_of<figure::Table>(plot_of(page, "facts"));
  std::string all;
  for (const auto& row : table.rows) all += row.back().front().text + "\n";
  CHECK(all.find("logit_scale, residual_multiplier") != std::string::npos);
}

TEST_CASE("tensors without an effect are listed, and not counted as not read") {
  for (const auto& one :
       {std::pair{"t5", "layer.1.EncDecAttention."}, std::pair{"bert", "cls.seq_relationship"}}) {
    CAPTURE(one.first);
    const auto& [name, tensor] = one;
    Made m = made({{"folder", reference("checkpoints") / name}, {"view", "file"}});
    const lab::Page page = m.page();
    CHECK(page.status.find("not read") == std::string::npos);
    const auto& rows = mark_of<figure::Table>(plot_of(page, "facts")).rows;
    const auto row = std::find_if(rows.begin(), rows.end(), [](const auto& cells) {
      return cells.front().front().text == "tensors without an effect here";
    });
    REQUIRE(row != rows.end());
    CHECK(row->back().front().text.find(tensor) != std::string::npos);
  }
}

TEST_CASE("a vocabulary that is not read is named, with what to do") {
  const Folder folder(shipped("gpt2"));
  folder.remove("tokenizer.json");
  folder.write("tokenizer.model", "\n");
  Made m = made({{"folder", folder.path()}});
  CHECK(
      m.page().notes.front().starts_with("The folder has no tokenizer that can be read, but "
                                         "tokenizer.model, only a SentencePiece vocabulary: "
                                         "make tokenizer.json from it in Python"));
  m.set({{"text", "cats"}});
  CHECK(
      refusal(m).starts_with("text: expected token ids separated by spaces, as the folder has "
                             "tokenizer.model, only a SentencePiece vocabulary"));
}

TEST_CASE("a token that the model has no row for is told by its name and file") {
  const Folder folder(shipped("gpt2"));
  folder.write("tokenizer_config.json",
               R"({"added_tokens_decoder": {"5000": {"content": "<|far|>", "special": true}}})");
  Made m = made({{"folder", folder.path()}, {"text", "a<|far|>"}});
  const std::string why = refusal(m);
  CHECK(why.ends_with("got 5000 (\"<|far|>\") out of tokenizer.json, tokenizer_config.json"));
}

TEST_CASE("a folder opens this lab from the command line and by drop, a file of text does not") {
  const auto folder = reference("checkpoints") / "gpt2";
  const auto session = session::session_opening(folder);
  REQUIRE(session);
  CHECK(session->lab == "checkpoint");
  CHECK(std::find(session->values.begin(), session->values.end(),
                  std::pair<std::string, std::string>("folder", folder.string())) !=
        session->values.end());
  CHECK_FALSE(session::session_opening(folder / "config.json"));
}

TEST_CASE("a session says whether the files of its folder are what they were") {
  const Folder folder(shipped("gpt2"));
  const std::string path = folder.path();
  const auto then = session::fingerprint(path);
  REQUIRE(then);
  const auto said = [&] { return session::file_note({path, then}).in_english(); };
  CHECK(said() == "this session reads the folder " + path + ", which has not changed");
  folder.write("config.json", "{}");
  CHECK(said().find("which has changed since: it had") != std::string::npos);
  folder.take(shipped("gpt2") / "config.json");
  CHECK(said().ends_with("which has not changed"));
  folder.write("more.txt", "");  // no byte more, and another folder all the same
  CHECK(said() == "this session reads the folder " + path + ", whose contents have changed since");
}

}  // namespace checkpoint_folder_test
