#include "app/state/search.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <tuple>

#include "app/lesson/library.h"
#include "app/param/reading.h"
#include "app/state/actions.h"
#include "core/text/lower_case.h"

namespace state {

namespace {

// Ideas with more than one name, folded. A name in Latin letters counts from the start of a word on
// and may be the start of one ("extrapolat").
const std::vector<std::vector<std::string>> kSame{
    {"sqrt", "√", "square root", "平方根", "根号"},
    {"extrapolat", "longer than trained", "beyond the lengths", "外推", "超出训练"},
    {"autoregressive", "causal", "自回归", "因果"},
    {"ablat", "knock", "敲除", "消融"},
    {"backprop", "gradient", "反向传播", "梯度"},
    {"bf16", "bfloat16"},
    {"fp16", "half precision", "float16", "半精度"},
    {"fp8", "e4m3", "e5m2"},
    {"byte pair", "bpe", "字节对"},
    {"collision", "collide", "碰撞", "冲突"},
    {"cross-attention", "cross attention", "交叉注意力"},
    {"flashattention", "flash attention", "online softmax", "在线 softmax"},
    {"gqa", "grouped", "分组"},
    {"mqa", "multi-query", "多查询"},
    {"induction", "归纳"},
    {"kernel regression", "nadaraya", "核回归"},
    {"layernorm", "layer norm", "层归一化"},
    {"nucleus", "top-p", "top_p", "核采样"},
    {"order of words", "word order", "词序", "permut", "置换"},
    {"relu", "gelu", "silu", "激活函数"},
    {"residual", "skip connection", "残差"},
    {"rotary", "rope", "旋转位置"},
    {"seq2seq", "translat", "sequence to sequence", "翻译"},
    {"sinusoid", "正弦"},
    {"standard deviation", "variance", "方差", "标准差"},
    {"temperature", "温度"},
    {"tokenis", "tokeniz", "tokenizer", "分词"},
};

// What a question is asked with, and says nothing of what it is about.
const std::vector<std::string> kEmpty{"a",    "an",   "and",  "are",   "by",  "can", "do",
                                      "does", "for",  "from", "how",   "i",   "in",  "is",
                                      "it",   "not",  "of",   "on",    "or",  "the", "this",
                                      "to",   "what", "when", "which", "why", "with"};
const std::vector<std::string> kEmptyChinese{"为什么", "为何", "怎么", "怎样", "如何", "什么",
                                             "是",     "的",   "吗",   "呢",   "了"};
const std::string kSeparators = " \t\n()[]{}?!,;:\"'";
const std::vector<std::string> kWideSeparators{"（", "）", "？", "！", "，", "。",
                                               "：", "；", "“",  "”",  "、"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

void replace_all(std::string& text, std::string_view what, char by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) {
    text.replace(at, what.size(), 1, by);
  }
}

// Where `name` begins in the text: in Latin letters at the start of a word alone. npos: nowhere.
std::size_t find_name(std::string_view text, std::string_view name) {
  const bool latin = is_word(name.front());
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    if (!latin || at == 0 || !is_word(text[at - 1])) return at;
  }
  return text.npos;
}

// Takes a name of an idea out of the text, with the rest of its word; the idea's names, or nothing.
const std::vector<std::string>* take_idea(std::string& text) {
  for (const auto& names : kSame) {
    for (const std::string& name : names) {
      const std::size_t at = find_name(text, name);
      if (at == text.npos) continue;
      std::size_t end = at + name.size();
      while (is_word(name.back()) && end < text.size() && is_word(text[end])) ++end;
      text.replace(at, end - at, 1, ' ');
      return &names;
    }
  }
  return nullptr;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool is_empty_word(const std::string& word) {
  return std::find(kEmpty.begin(), kEmpty.end(), word) != kEmpty.end();
}

}  // namespace

std::string folded(std::string_view text) { return core::ascii_lower(text); }

Query::Query(std::string_view text) {
  std::string left = folded(text);
  for (char& c : left) {
    if (kSeparators.find(c) != std::string::npos) c = ' ';
  }
  for (const std::string& mark : kWideSeparators) replace_all(left, mark, ' ');
  const std::vector<std::string> all = words_of(left);
  while (const auto* names = take_idea(left)) terms_.push_back(*names);
  for (const std::string& word : kEmptyChinese) replace_all(left, word, ' ');
  for (const std::string& word : words_of(left)) {
    if (!is_empty_word(word)) terms_.push_back({word});
  }
  if (!terms_.empty()) return;
  for (const std::string& word : all) terms_.push_back({word});
}

int Query::count_in(std::string_view folded) const {
  const auto has = [&](const Names& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return folded.find(name) != folded.npos; });
  };
  return static_cast<int>(std::count_if(terms_.begin(), terms_.end(), has));
}

bool Query::begins_words_in(std::string_view folded) const {
  const auto has = [&](const Names& names) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return find_name(folded, name) != folded.npos;
    });
  };
  return std::all_of(terms_.begin(), terms_.end(), has);
}

// The index ---------------------------------------------------------------------------------------

namespace {

const words::Words& chinese() {
  static const words::Words words(words::Language::zh_CN);
  return words;
}

std::string both(std::initializer_list<std::string_view> messages) {
  std::string all;
  for (const std::string_view text : messages) {
    if (text.empty()) continue;
    all += folded(text) + '\n';
    const std::string other = folded(chinese()(text));
    if (other != text) all += other + '\n';
  }
  return all;
}

// How good a hit is; the lower the better.
enum class Rank { whole, begins, begins_words, in_title, said };

// Whether some line of the titles is the text, or begins with it.
Rank rank_of(const Query& query, std::string_view typed, const std::string& titles) {
  Rank best = Rank::said;
  for (std::size_t at = titles.find(typed); at != titles.npos; at = titles.find(typed, at + 1)) {
    if (at > 0 && titles[at - 1] != '\n') continue;
    const std::size_t end = at + typed.size();
    if (end < titles.size() && titles[end] == '\n') return Rank::whole;
    best = Rank::begins;
  }
  if (best == Rank::begins) return best;
  if (query.begins_words_in(titles)) return Rank::begins_words;
  return query.matches(titles) ? Rank::in_title : Rank::said;
}

}  // namespace

SearchIndex::SearchIndex(const std::vector<lab::Lab>& labs, const words::Words& w) {
  for (const lab::Lab& one : labs) add_lab(one, w);
  for (const std::string& name : lesson::names()) {
    const std::string& id = lesson::shipped(name, w.language()).lab;
    const auto lab =
        std::find_if(labs.begin(), labs.end(), [&](auto& one) { return one.id == id; });
    if (lab != labs.end()) add_lesson(name, w(lab->title), w);
  }
  add_actions(w);
}

void SearchIndex::add_lab(const lab::Lab& one, const words::Words& w) {
  const std::string id(one.id), title(w(one.title));
  std::string sources;
  for (const lab::Source& source : one.sources) sources += std::string(source.citation) + '\n';
  add({Found::Kind::lab, id, "", title, ""}, {one.id, one.title},
      {one.question, one.about, lab::chapter_title(one.chapter), sources});
  for (const lab::Preset& p : one.presets) {
    add({Found::Kind::preset, id, std::string(p.id), w(p.title), title}, {p.id, p.title},
        {p.teaches});
  }
  auto state = one.make();
  const param::List parameters = state->list();
  for (const param::Parameter& p : parameters.items()) {
    add({Found::Kind::knob, id, std::string(p.info.id), w(p.info.label), title},
        {p.info.id, p.info.label}, {p.info.help});
  }
  for (const lab::Source& source : one.sources) {
    const std::string cited(source.citation);
    add({Found::Kind::paper, id, cited, cited, title}, {source.citation},
        {source.where, source.url});
  }
}

void SearchIndex::add_lesson(const std::string& name, const std::string& lab_title,
                             const words::Words& w) {
  const lesson::Lesson& shown = lesson::shipped(name, w.language());
  const lesson::Lesson& en = lesson::shipped(name, words::Language::en);
  const lesson::Lesson& zh = lesson::shipped(name, words::Language::zh_CN);
  const auto lines = [](std::string_view a, std::string_view b) {
    return folded(a) + '\n' + folded(b) + '\n';
  };
  const auto about = [](const lesson::Lesson& one) {
    std::string text;
    for (const lesson::Piece& piece : one.about.pieces) text += piece.text;
    return text;
  };
  Found found{Found::Kind::lesson, shown.lab, name, shown.title, lab_title};
  add_found(found, folded(name) + '\n' + lines(en.title, zh.title), lines(about(en), about(zh)));
  found.kind = Found::Kind::stop;
  found.where = shown.title + " · " + lab_title;
  const std::size_t count = std::min(en.stops.size(), zh.stops.size());
  for (std::size_t k = 0; k < count; ++k) {
    found.stop = k;
    found.title = shown.stops[k].title;
    add_found(found, lines(en.stops[k].title, zh.stops[k].title), "");
  }
}

void SearchIndex::add_actions(const words::Words& w) {
  for (const Action& one : actions()) {
    Found found{Found::Kind::action, "", std::string(one.id), w(one.title), ""};
    found.keys = one.keys;
    add(std::move(found), {one.id, one.title}, {one.also, one.keys});
  }
}

void SearchIndex::add(Found found, std::initializer_list<std::string_view> titles,
                      std::initializer_list<std::string_view> others) {
  add_found(std::move(found), both(titles), both(others));
}

void SearchIndex::add_found(Found found, std::string titles, const std::string& others) {
  std::string all = titles + others;
  entries_.push_back({std::move(found), std::move(titles), std::move(all)});
}

std::vector<Found> SearchIndex::find(std::string_view text) const {
  using Kind = Found::Kind;
  const Query query(text);
  std::vector<Found> found;
  if (query.empty()) return found;
  for (const Kind kind : {Kind::lab, Kind::lesson, Kind::stop, Kind::preset, Kind::knob}) {
    std::vector<std::pair<int, const Entry*>> hits;
    for (const Entry& entry : entries_) {
      if (entry.found.kind != kind || !query.matches(entry.all)) continue;
      hits.emplace_back(query.count_in(entry.title), &entry);
    }
    std::stable_sort(hits.begin(), hits.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [in_title, entry] : hits) found.push_back(entry->found);
  }
  return found;
}

std::vector<Found> SearchIndex::ranked(std::string_view text, std::size_t most) const {
  const Query query(text);
  const std::string typed = folded(param::trimmed(text));
  struct Hit {
    Rank rank;
    Found::Kind kind;
    bool whole;  // is called just so
    const Entry* entry;
  };
  std::vector<Hit> hits;
  for (const Entry& entry : entries_) {
    const Found::Kind kind = entry.found.kind;
    if (query.empty()) {
      // What can be done comes before where it can be done.
      if (kind == Found::Kind::action) hits.push_back({Rank::whole, kind, true, &entry});
      if (kind == Found::Kind::lab) hits.push_back({Rank::begins, kind, true, &entry});
      continue;
    }
    const Rank rank = rank_of(query, typed, entry.title);
    if (rank == Rank::said && !query.matches(entry.all)) continue;
    // Many knobs are called by one common word; what is larger comes before them.
    const bool whole = rank == Rank::whole;
    const bool common = whole && kind == Found::Kind::knob;
    hits.push_back({common ? Rank::begins : rank, kind, whole, &entry});
  }
  std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    return std::tuple(a.rank, a.kind, !a.whole) < std::tuple(b.rank, b.kind, !b.whole);
  });
  std::vector<Found> found;
  for (std::size_t k = 0; k < std::min(hits.size(), most); ++k) {
    found.push_back(hits[k].entry->found);
  }
  return found;
}

std::vector<std::size_t> search(const std::vector<param::Named>& names, std::string_view text) {
  const std::vector<std::string> words = words_of(folded(text));
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string all = folded(names[k].id) + '\n' + folded(names[k].label);
    const auto is_in = [&](const std::string& word) { return all.find(word) != all.npos; };
    if (std::all_of(words.begin(), words.end(), is_in)) found.push_back(k);
  }
  return found;
}

}  // namespace state
