// What export_page writes, in memory: for another program, or the standard output.
#pragma once

#include <string>
#include <vector>

#include "app/paper/export_figure.h"

namespace paper {

// The bytes of a file of that ending: ".png", ".svg" and so on (export_figure.h). Throws as
// export_page does, but for what only a file can do wrong.
std::string export_bytes(const lab::Page& page, const std::vector<std::string>& figure_ids,
                         const figure::Views& views, const PaperOptions& options,
                         const std::string& ending, const core::Cancel& cancel = {});

}  // namespace paper
