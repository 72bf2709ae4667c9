#include "report_writer.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "report.hpp"

namespace loudness {
namespace {

notice write(const write_report& m) {
  const std::vector<result> results = m.rows.results();
  errno = 0;
  std::ofstream out(m.file);
  if (out) {
    const bool is_json = std::filesystem::path(m.file).extension() == ".json";
    (is_json ? write_json : write_table)(out, results);
    out.close();
  }
  if (out) return {"written: " + m.file + ", " + std::to_string(results.size()) + " files"};
  const std::string reason = std::generic_category().message(errno == 0 ? EIO : errno);
  return {"not written: " + m.file + ": " + reason + "; choose another place or name", true};
}

}  // namespace

tact::behavior<report_writer> make_report_writer(tact::ref<notice> told) {
  return {[=](tact::self<report_writer>& self, const write_report& m) { self.send(told, write(m)); }};
}

}  // namespace loudness
