// The files page.html, page.css and page.js, which the build puts into the library.
#pragma once

#include <string_view>

namespace tact::inspect {

extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view page_js;

}  // namespace tact::inspect
