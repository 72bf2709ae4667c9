#include "survey.hpp"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>

#include <tact/tact.hpp>

#include "archive.hpp"
#include "catalog.hpp"
#include "inspected.hpp"
#include "progress.hpp"
#include "team.hpp"

namespace loudness {
namespace {

using clock = std::chrono::steady_clock;

tact::engine_options engine_options_of(const options& asked) {
  tact::engine_options chosen;
  if (asked.workers != 0) chosen.workers = asked.workers;
  return chosen;
}

bool shows_progress(const options& asked) { return asked.progress || isatty(STDERR_FILENO) == 1; }

class steps {
 public:
  steps(tact::engine& engine, bool progress_shown, const std::shared_ptr<const archive>& kept)
      : engine_(engine),
        catalog_(engine.create(make_catalog())),
        progress_(engine.spawn<progress>(progress_shown)),
        team_(make_team(engine, engine.workers(), catalog_, progress_, kept)) {}

  void search(const std::vector<std::filesystem::path>& roots) {
    found all;
    for (const std::filesystem::path& root : roots) {
      if (std::error_code unknown; std::filesystem::is_directory(root, unknown)) {
        all.folders.push_back(root);
      } else {
        all.files.push_back(make_candidate(root));
      }
    }
    engine_.send(team_.agenda, all);
    engine_.wait_idle();
  }

  // Behind the search, so that the largest of all comes first.
  void measure() {
    for (const auto& analyst : team_.analysts) engine_.send(team_.agenda, next_file{analyst});
    engine_.wait_idle();
    engine_.send(progress_, end_of_work{});
  }

  std::vector<result> results() {
    std::vector<result> all;
    const result_map known = engine_.ask(catalog_, all_results{});
    for (const auto& [path, measured] : known) all.push_back(*measured);
    engine_.wait_idle();
    return all;
  }

 private:
  tact::engine& engine_;
  tact::ref<catalog> catalog_;
  tact::ref<progress> progress_;
  team team_;
};

void require_complete(const tact::statistics& counted) {
  if (counted.failures + counted.dead_letters == 0) return;
  throw survey_error("the report would be incomplete: " + std::to_string(counted.failures) + " steps failed, " +
                     std::to_string(counted.dead_letters) + " messages were lost");
}

}  // namespace

surveyed survey(const options& asked) {
  const clock::time_point begin = clock::now();
  tact::engine engine(engine_options_of(asked));
  std::optional<examples::inspected> page;
  if (asked.inspect) page.emplace(engine);
  std::shared_ptr<archive> kept;
  if (!asked.store.empty()) kept = open_archive(engine, asked.store, archive_use::keep);
  surveyed done{};
  if (asked.forget) done.forgotten = kept->forget_gone(asked.roots);
  steps steps(engine, shows_progress(asked), kept);
  steps.search(asked.roots);
  steps.measure();
  done.results = steps.results();
  done.counted = engine.statistics();
  if (kept != nullptr) kept->close();
  done.elapsed = clock::now() - begin;
  require_complete(done.counted);
  return done;
}

void write_stats(std::ostream& out, const surveyed& done) {
  double sound_s = 0.0;
  for (const result& r : done.results) sound_s += r.figures ? r.figures->duration_s : 0.0;
  const unsigned workers = done.counted.workers;
  out << "elapsed " << done.elapsed.count() << " s with " << workers << (workers == 1 ? " worker: " : " workers: ")
      << sound_s / done.elapsed.count() << " times as fast as the sound\n"
      << done.counted;
}

}  // namespace loudness
