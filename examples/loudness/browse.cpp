#include "browse.hpp"

#include <filesystem>
#include <map>
#include <ostream>
#include <stdexcept>
#include <string>

#include <tact/tact.hpp>

#include "archive.hpp"
#include "curve_report.hpp"
#include "json_text.hpp"
#include "ratio_histogram.hpp"
#include "report.hpp"
#include "text_search.hpp"

namespace loudness {
namespace {

using folders = std::map<std::string, std::vector<result>>;

folders folders_of(const std::vector<result>& files) {
  folders made;
  for (const result& row : files) made[std::filesystem::path(row.path).parent_path().string()].push_back(row);
  return made;
}

void show_curves(std::ostream& out, const options& asked, const archive& kept) {
  const std::string path = kept_path(asked.curves).string();
  const auto track = kept.track_of(asked.curves);
  if (!track) {
    throw std::runtime_error("'" + path + "' is not in '" + asked.browsed.string() +
                             "'; --browse without --curves shows what is");
  }
  const loudness_curves curves = curves_of(*track);
  if (asked.svg) return write_curves_svg(out, path, curves);
  if (asked.json) return write_curves_json(out, path, curves);
  write_curves(out, curves);
}

void show_files(std::ostream& out, const options& asked, const std::vector<result>& files) {
  if (asked.is_grouped) return (asked.json ? write_folders_json : write_folders)(out, files);
  if (asked.json) return write_json(out, files);
  write_rows(out, files);
  out << count_of(files.size(), "file") << ", " << duration_text(total_duration_s(files)) << '\n';
}

}  // namespace

std::vector<result> with_text(std::vector<result> all, std::string_view text) {
  std::erase_if(all, [&](const result& row) { return !has_text(row.path, text); });
  return all;
}

void write_folders(std::ostream& out, const std::vector<result>& files) {
  for (const auto& [folder, inside] : folders_of(files)) {
    out << printable(folder) << ": " << count_of(inside.size(), "file") << ", "
        << duration_text(total_duration_s(inside)) << '\n';
    std::vector<result> named = inside;
    for (result& row : named) row.path = std::filesystem::path(row.path).filename().string();
    write_rows(out, named);
    out << '\n';
  }
  out << count_of(files.size(), "file") << ", " << duration_text(total_duration_s(files)) << '\n';
}

void write_folders_json(std::ostream& out, const std::vector<result>& files) {
  out << "{\n  \"folders\": [";
  std::string_view separator = "\n";
  for (const auto& [folder, inside] : folders_of(files)) {
    out << separator << "    {\"folder\": ";
    put_string(out, folder);
    out << ", \"files\": [";
    for (const result& row : inside) {
      out << (&row == inside.data() ? "\n      " : ",\n      ");
      put_json(out, row);
    }
    out << "\n    ]}";
    separator = ",\n";
  }
  out << "\n  ]\n}\n";
}

void browse(std::ostream& out, const options& asked) {
  tact::engine_options little;
  little.workers = 1;
  tact::engine engine(little);
  const auto kept = open_archive(engine, asked.browsed, archive_use::browse);
  if (!asked.curves.empty()) return show_curves(out, asked, *kept);
  std::vector<result> files = with_text(kept->all(), asked.text);
  if (asked.histogram) return write_histogram(out, histogram_of(files), asked.json);
  sort_results(files, asked.sort);
  show_files(out, asked, files);
}

}  // namespace loudness
