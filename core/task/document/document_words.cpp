#include "core/task/document/document_words.h"

namespace core::task {
namespace {

OpinionWords english_opinions() {
  OpinionWords w;
  w.kinds = {{{"soup", "bread", "fish", "rice", "cake", "pasta"},
              {"tasty", "delicious", "fresh"},
              {"bland", "stale", "burnt"},
              {"hot", "white", "sliced"}},
             {{"waiter", "cook", "owner"},
              {"friendly", "kind", "patient"},
              {"rude", "careless", "grumpy"},
              {"tall", "young", "busy"}},
             {{"room", "garden", "terrace", "hall"},
              {"cosy", "clean", "lovely"},
              {"dirty", "noisy", "gloomy"},
              {"small", "large", "empty"}}};
  w.good = {"good", "great", "excellent"};
  w.bad = {"bad", "awful", "terrible"};
  w.said = {"the $thing was $word", "the $thing was very $word", "i found the $thing $word",
            "this time the $thing was $word", "the $thing seemed $word to us"};
  w.denied = {"the $thing was not $word", "the $thing was not very $word",
              "i found the $thing not $word", "this time the $thing was not $word"};
  w.neutral = {"the $thing was $word",
               "the $thing is $word in the evening",
               "we saw the $thing first",
               "we had come with my $person",
               "my $person asked about the $thing",
               "we sat there for $number hours",
               "there were $number tables by the window",
               "we did not book a table",
               "it was not far from the station",
               "my $person had been there before",
               "a bus stops in front of the door",
               "we paid and walked home"};
  w.denial = "not";
  return w;
}

OpinionWords chinese_opinions() {
  OpinionWords w;
  w.kinds = {{{"汤", "米饭", "鱼", "面条", "点心", "豆腐"},
              {"好吃", "美味", "新鲜"},
              {"难吃", "油腻", "乏味"},
              {"热", "多", "白"}},
             {{"服务员", "厨师", "老板"},
              {"热情", "友好", "耐心"},
              {"粗鲁", "冷淡", "马虎"},
              {"高", "年轻", "忙"}},
             {{"房间", "花园", "大厅", "院子"},
              {"舒适", "干净", "漂亮"},
              {"肮脏", "吵闹", "昏暗"},
              {"小", "大", "长"}}};
  w.good = {"好", "出色", "令人满意"};
  w.bad = {"糟糕", "差劲", "令人失望"};
  w.said = {"$thing 很 $word", "$thing 真 $word", "我 觉得 $thing 很 $word",
            "这次 的 $thing 很 $word", "他们 的 $thing 特别 $word"};
  w.denied = {"$thing 不 $word", "$thing 并 不 $word", "我 觉得 $thing 不 $word",
              "这次 的 $thing 不 $word"};
  w.neutral = {"$thing 很 $word",         "晚上 的 $thing 很 $word", "我们 先 看到 了 $thing",
               "我们 和 $person 一起 来", "$person 问 起 了 $thing", "我们 坐 了 $number 个 小时",
               "窗边 有 $number 张 桌子", "我们 没有 订 座位",       "那里 离 车站 不 远",
               "$person 以前 来 过",      "门口 有 公交 车站",       "我们 付 了 钱 就 回家"};
  w.denial = "不";
  return w;
}

TopicWords english_topics() {
  return {
      {{"goal", "referee", "stadium", "striker", "league"},
       {"recipe", "oven", "flour", "butter", "soup"},
       {"guitar", "concert", "violin", "choir", "piano"},
       {"storm", "rain", "snow", "thunder", "fog"}},
      {"house", "letter", "street", "neighbour", "picture", "journey"},
      {"we talked about the $word", "my $person thinks of the $word",
       "the paper has a page on the $word", "everyone remembers the $word",
       "there was a story about the $word"},
      {"my $person came in the morning", "it took $number hours", "we met again after $number days",
       "nobody had read the letter", "the street was empty that day", "i will write again soon"}};
}

TopicWords chinese_topics() {
  return {{{"进球", "裁判", "球场", "前锋", "联赛"},
           {"菜谱", "烤箱", "面粉", "黄油", "汤"},
           {"吉他", "音乐会", "小提琴", "合唱团", "钢琴"},
           {"暴风", "雨", "雪", "雷", "雾"}},
          {"房子", "信", "街道", "邻居", "照片", "旅行"},
          {"我们 谈 到 了 $word", "$person 想起 了 $word", "报纸 有 一页 讲 $word",
           "大家 都 记得 $word", "有 一个 关于 $word 的 故事"},
          {"$person 早上 来 了", "花 了 $number 个 小时", "过 了 $number 天 我们 又 见面 了",
           "没有 人 读 过 那封 信", "那天 街道 很 空", "我 会 再 写 的"}};
}

template <class Words>
const Words& either(Language language, const Words& english, const Words& chinese) {
  return language == Language::english ? english : chinese;
}

}  // namespace

const OpinionWords& opinion_words(Language language) {
  static const OpinionWords english = english_opinions(), chinese = chinese_opinions();
  return either(language, english, chinese);
}

const TopicWords& topic_words(Language language) {
  static const TopicWords english = english_topics(), chinese = chinese_topics();
  return either(language, english, chinese);
}

const WordList& numbers_of(Language language) {
  static const WordList english{"two", "three", "four", "five"}, chinese{"两", "三", "四", "五"};
  return either(language, english, chinese);
}

const WordList& persons_of(Language language) {
  static const WordList english{"sister", "friend", "uncle"}, chinese{"姐姐", "朋友", "叔叔"};
  return either(language, english, chinese);
}

}  // namespace core::task
