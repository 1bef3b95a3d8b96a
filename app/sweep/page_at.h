// A sweep's pages: made once for each setting, and kept while they take little.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/sweep/make.h"

namespace sweep {

// What is shown of a page.
std::vector<std::string> shown_ids(const Job& job, const lab::Page& page);

// The options of a page that is made of these values: what moves stands over it, all else in its
// line of parameters.
paper::PaperOptions options_at(const Job& job, const param::Values& values);

// The session of these values, to stand in the file.
std::string session_at(const Job& job, const param::Values& values);

class Pages {
 public:
  Pages(const Job& job, const MakePage& make) : job_(job), make_(make) {}
  // Made now unless it is kept. What fails is told with the knobs as they stand there.
  std::shared_ptr<const lab::Page> at(const param::Values& values);

 private:
  const Job& job_;
  const MakePage& make_;
  std::vector<std::pair<param::Values, std::shared_ptr<const lab::Page>>> kept_;
  double bytes_ = 0;
};

}  // namespace sweep
