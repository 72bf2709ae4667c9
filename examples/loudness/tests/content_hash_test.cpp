// The hash by which a file is known again.
#include "content_hash.hpp"

#include <fstream>
#include <string>

#include "folder.hpp"
#include "sound_file.hpp"
#include "support/catch.hpp"

namespace content_hash_test {

namespace {

using loudness::content_hash;

content_hash hash_of(const std::string& content) {
  const loudness::tests::folder folder;
  std::ofstream(folder / "file", std::ios::binary) << content;
  loudness::file_hashing work(folder / "file");
  for (;;) {
    if (const auto hash = work.advance()) return *hash;
  }
}

}  // namespace

TEST_CASE("content hash: is MurmurHash3 with 128 bits", "[loudness]") {
  CHECK(hash_of("") == content_hash{0, 0});
  CHECK(hash_of("hello") == content_hash{0xcbd8a7b341bd9b02, 0x5b1e906a48ae1d19});
  CHECK(hash_of("The quick brown fox jumps over the lazy dog") == content_hash{0xe34bbc7bbc071b6c, 0x7a433ca9c49a9347});
}

TEST_CASE("content hash: a file of several pieces, of whole ones too, is told from one with another last byte",
          "[loudness]") {
  const std::size_t bytes = GENERATE(std::size_t{1} << 20, (std::size_t{1} << 21) + 5);
  std::string content(bytes, 'a');
  const content_hash before = hash_of(content);
  CHECK(hash_of(content) == before);
  content.back() = 'b';
  CHECK(hash_of(content) != before);
}

TEST_CASE("content hash: a file that cannot be opened is a sound_error", "[loudness]") {
  loudness::file_hashing work("/no/such/file");
  CHECK_THROWS_AS(work.advance(), loudness::sound_error);
}

}  // namespace content_hash_test
