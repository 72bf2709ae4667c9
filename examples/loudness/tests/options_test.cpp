// What the command line means, and what is said of a wrong one.
#include "options.hpp"

#include <string>
#include <vector>

#include "folder.hpp"
#include "support/catch.hpp"
#include "text.hpp"

namespace options_test {

namespace {

using loudness::options;
using loudness::sort_key;

options parse(const std::vector<const char*>& arguments) { return loudness::parse_options(arguments); }

// Are the arguments refused with a sentence that has all the parts?
void require_refusal(const std::vector<const char*>& arguments, const std::vector<std::string>& parts) {
  std::string refusal = "accepted";
  try {
    parse(arguments);
  } catch (const loudness::argument_error& error) {
    refusal = error.what();
  }
  for (const std::string& part : parts) {
    CAPTURE(refusal, part);
    REQUIRE(loudness::tests::contains(refusal, part));
  }
}

}  // namespace

TEST_CASE("options: nothing but a folder means the table, by path, with a worker per unit", "[loudness]") {
  const options asked = parse({"."});
  REQUIRE(asked.roots == std::vector<std::filesystem::path>{"."});
  REQUIRE(asked.sort == sort_key::path);
  REQUIRE(asked.workers == 0);
  REQUIRE_FALSE((asked.json || asked.progress || asked.stats || asked.help));
}

TEST_CASE("options: values follow their name or an equals sign", "[loudness]") {
  REQUIRE(parse({"--workers", "3", "."}).workers == 3);
  REQUIRE(parse({"--workers=3", "."}).workers == 3);
  REQUIRE(parse({".", "--sort", "range"}).sort == sort_key::range);
  REQUIRE(parse({".", "--sort=peak"}).sort == sort_key::peak);
}

TEST_CASE("options: after -- everything is a path", "[loudness]") {
  const loudness::tests::folder folder;
  const std::string dashed = (folder / "--json").string();
  std::filesystem::create_directory(dashed);
  const options asked = parse({"--json", "--", dashed.c_str()});
  REQUIRE(asked.json);
  REQUIRE(asked.roots.size() == 1);
}

TEST_CASE("options: a refusal names the argument and the remedy", "[loudness]") {
  require_refusal({}, {"no folder or file given", "loudness ."});
  require_refusal({"--workers", "0", "."}, {"'0'", "from 1 to 1024"});
  require_refusal({"--workers", "2x", "."}, {"'2x'"});
  require_refusal({"--workers", "-1", "."}, {"'-1'"});
  require_refusal({"--workers", "99999999999", "."}, {"'99999999999'"});
  require_refusal({".", "--workers"}, {"--workers: needs a value"});
  require_refusal({".", "--sort", "size"}, {"'size'", "path, loudness"});
  require_refusal({".", "--jsn"}, {"'--jsn'", "--help"});
  require_refusal({".", "--json=yes"}, {"'--json=yes'"});
  require_refusal({"./no/such/place"}, {"no/such/place", "no such folder"});
  require_refusal({""}, {"empty argument"});
}

TEST_CASE("options: what is kept is browsed without folders, and what is gone forgotten without them", "[loudness]") {
  const options browsed = parse({"--browse", "a.store", "--find=Bach", "--sort", "ratio", "--group"});
  REQUIRE(browsed.browsed == "a.store");
  REQUIRE(browsed.text == "Bach");
  REQUIRE(browsed.sort == sort_key::ratio);
  REQUIRE(browsed.is_grouped);
  const options forgets = parse({"--store=a.store", "--forget"});
  REQUIRE(forgets.store == "a.store");
  REQUIRE(forgets.forget);
}

TEST_CASE("options: a refusal names what does not go together", "[loudness]") {
  require_refusal({"--browse", "a.store", "."}, {"--browse", "no sound files", "--find"});
  require_refusal({"--browse", "a.store", "--store", "a.store"}, {"--browse", "--store"});
  require_refusal({"--find", "a", "."}, {"--find", "--browse FILE"});
  require_refusal({"--group", "."}, {"--group", "--browse FILE"});
  require_refusal({"--curves", "a.wav", "."}, {"--curves", "--browse FILE"});
  require_refusal({"--browse", "a.store", "--svg"}, {"--svg", "--curves PATH"});
  require_refusal({"--browse", "a.store", "--curves", "a.wav", "--svg", "--json"}, {"--svg", "JSON"});
  require_refusal({"--forget", "."}, {"--forget", "--store FILE"});
  require_refusal({"--store", "", "."}, {"--store", "empty"});
  require_refusal({"--store", "a.store"}, {"no folder or file given"});
}

TEST_CASE("options: --help needs no folder", "[loudness]") {
  REQUIRE(parse({"--help"}).help);
  REQUIRE(parse({"-h"}).help);
}

}  // namespace options_test
