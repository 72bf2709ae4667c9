#include "tact/inspect/run_page.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>
#include <sstream>
#include <utility>

#include "inspect/page_writer.hpp"
#include "inspect/run_log.hpp"

namespace tact::inspect {

namespace {

using program = std::function<void(simulation&)>;

constexpr std::size_t steps_most = 5000;

struct drawn_run {
  std::shared_ptr<run_log> log = std::make_shared<run_log>();
  page_head head;
  std::string trace;
};

std::string code_of(const schedule& s) {
  std::ostringstream text;
  text << "tact::simulation sim{tact::" << s << "};";
  return text.str();
}

void fail(drawn_run& r, const std::string& what) {
  r.head.failure = what;
  r.log->fail(what);
}

// As tact::explore runs it, and with a log.
drawn_run run_logged(const schedule& as, const program& p) {
  drawn_run r;
  simulation sim(as);
  r.log->attach(sim, r.log);
  try {
    p(sim);
  } catch (const std::exception& e) {
    fail(r, e.what());
  } catch (...) {
    fail(r, "an exception that is no std::exception");
  }
  r.trace = sim.trace();
  r.head.code = code_of(sim.so_far());
  r.head.seed = as.seed;
  r.head.switches = sim.switches();
  if (!r.head.failure && !sim.failure().empty()) fail(r, sim.failure());
  r.log->detach(sim);
  sim.end();
  if (!r.head.failure && !sim.failure().empty()) fail(r, sim.failure());
  if (r.log->is_incomplete()) r.head.remarks.emplace_back("Memory was short: steps are missing.");
  return r;
}

std::string difference(const drawn_run& r, const exploration& e) {
  if (!e.repeatable) return "the failure is not repeatable, so the page may show another run";
  if (!r.head.failure) return "while it was drawn the program did not fail, so the page shows another run";
  if (*r.head.failure != e.what)
    return "while it was drawn the program failed otherwise, so the page shows another run: " + *r.head.failure;
  if (r.trace != e.trace) return "while it was drawn the program took other steps to the same failure";
  return {};
}

void write_file(drawn_exploration& e, const program& p, const std::string& name) {
  drawn_run r = run_logged(e.shortest, p);
  e.page_lack = difference(r, e);
  if (!e.page_lack.empty()) r.head.remarks.push_back(e.page_lack);
  errno = 0;
  std::ofstream file(name, std::ios::binary);
  page_writer(*r.log, r.head, steps_most).write(file);
  file.close();
  if (file) {
    e.page = name;
  } else {
    e.page_lack = "the page " + name + " could not be written: " + std::strerror(errno);
  }
}

void look_at_name(const std::string& page) {
  if (page.empty())
    throw usage_error("tact::inspect::explore: the page has no name; give one such as \"failure.html\"");
  const auto folder = std::filesystem::path(page).parent_path();
  std::error_code error;
  if (!folder.empty() && !std::filesystem::is_directory(folder, error))
    throw usage_error("tact::inspect::explore: the folder of the page " + page + " does not exist; make it first");
}

}  // namespace

std::string drawn_exploration::text() const {
  std::string all = exploration::text();
  if (!page.empty()) all += "  step by step: " + page + "\n";
  if (!page_lack.empty()) all += "  " + page_lack + "\n";
  return all;
}

std::ostream& operator<<(std::ostream& out, const drawn_exploration& e) { return out << e.text(); }

drawn_exploration explore(std::uint64_t schedules, const program& p, const std::string& page,
                          const explore_options& options) {
  look_at_name(page);
  explore_options silent = options;
  silent.prints = false;
  drawn_exploration e{tact::explore(schedules, p, silent), {}, {}};
  if (e.failed) write_file(e, p, page);
  if (e.failed && options.prints) std::fputs(e.text().c_str(), stderr);
  return e;
}

std::optional<std::string> write_page(std::ostream& to, const schedule& as, const program& p, std::size_t most) {
  if (most == 0) throw usage_error("tact::inspect::write_page: a page of 0 steps shows nothing; give 1 at least");
  const drawn_run r = run_logged(as, p);
  page_writer(*r.log, r.head, most).write(to);
  return r.head.failure;
}

}  // namespace tact::inspect
