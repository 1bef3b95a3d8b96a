#include "app/ui/search.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace ui {

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

std::string folded(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(c < 0x80 ? std::tolower(c) : c); });
  return out;
}

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

SearchIndex::SearchIndex(const std::vector<lab::Lab>& labs, const words::Words& w) {
  for (const lab::Lab& one : labs) {
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
  }
}

void SearchIndex::add(Found found, std::initializer_list<std::string_view> titles,
                      std::initializer_list<std::string_view> others) {
  static const words::Words chinese(words::Language::zh_CN);
  const auto both = [&](std::initializer_list<std::string_view> texts) {
    std::string all;
    for (const std::string_view text : texts) {
      if (!text.empty()) all += folded(text) + '\n' + folded(chinese(text)) + '\n';
    }
    return all;
  };
  std::vector<Entry>& entries = found.kind == Found::Kind::lab      ? labs_
                                : found.kind == Found::Kind::preset ? presets_
                                                                    : knobs_;
  const std::string title = both(titles);
  entries.push_back({std::move(found), title, title + both(others)});
}

std::vector<Found> SearchIndex::find(std::string_view text) const {
  const Query query(text);
  std::vector<Found> found;
  if (query.empty()) return found;
  for (const std::vector<Entry>* entries : {&labs_, &presets_, &knobs_}) {
    std::vector<std::pair<int, const Entry*>> hits;
    for (const Entry& entry : *entries) {
      if (query.matches(entry.all)) hits.emplace_back(query.count_in(entry.title), &entry);
    }
    std::stable_sort(hits.begin(), hits.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [in_title, entry] : hits) found.push_back(entry->found);
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

}  // namespace ui
