#include "loudness_curves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace loudness {
namespace {

constexpr std::size_t momentary_tenths = 4;
constexpr std::size_t short_term_tenths = 30;

// The scale of ITU-R BS.1770.
double energy_of(double lufs) { return std::pow(10.0, (lufs + 0.691) / 10.0); }
double lufs_of(double energy) { return energy > 0.0 ? 10.0 * std::log10(energy) - 0.691 : -HUGE_VAL; }

std::vector<double> energies_of(const level_track& track) {
  std::vector<double> all;
  all.reserve(track.levels.size());
  for (const std::int16_t level : track.levels) {
    all.push_back(level == level_track::silence ? 0.0 : energy_of(level / 100.0));
  }
  return all;
}

// The mean of each so many neighbours.
std::vector<double> means_of(const std::vector<double>& energies, std::size_t count) {
  std::vector<double> means;
  for (std::size_t end = count; end <= energies.size(); ++end) {
    double sum = 0.0;
    for (std::size_t i = end - count; i < end; ++i) sum += energies[i];
    means.push_back(sum / static_cast<double>(count));
  }
  return means;
}

std::vector<float> levels_of(const std::vector<double>& energies) {
  std::vector<float> levels;
  levels.reserve(energies.size());
  for (const double e : energies) levels.push_back(static_cast<float>(lufs_of(e)));
  return levels;
}

// The blocks of 0.4 s up to now, sorted by tenths of a LU, so that the gate can be moved without a look at all of them.
class gated_mean {
 public:
  void add(double energy) {
    const double lufs = lufs_of(energy);
    if (lufs <= gate_lufs) return;
    bin& b = bins_[place_of(lufs)];
    b.energy += energy;
    ++b.count;
    sum_ += energy;
    ++count_;
  }
  [[nodiscard]] double lufs() const {
    if (count_ == 0) return -HUGE_VAL;
    const double relative_gate = lufs_of(sum_ / static_cast<double>(count_)) - 10.0;
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t i = place_of(relative_gate); i < bins_.size(); ++i) {
      sum += bins_[i].energy;
      count += bins_[i].count;
    }
    return lufs_of(sum / static_cast<double>(count));
  }

 private:
  static constexpr double gate_lufs = -70.0;
  struct bin {
    double energy = 0.0;
    std::size_t count = 0;
  };

  [[nodiscard]] static std::size_t place_of(double lufs) {
    return static_cast<std::size_t>(std::clamp((lufs - gate_lufs) * 10.0, 0.0, double{bins_count - 1}));
  }

  static constexpr std::size_t bins_count = 1000;  // up to +30 LUFS, and all that is louder
  std::array<bin, bins_count> bins_{};
  double sum_ = 0.0;
  std::size_t count_ = 0;
};

std::vector<float> integrated_of(const std::vector<double>& blocks) {
  std::vector<float> levels;
  levels.reserve(blocks.size());
  gated_mean mean;
  for (const double e : blocks) {
    mean.add(e);
    levels.push_back(static_cast<float>(mean.lufs()));
  }
  return levels;
}

}  // namespace

loudness_curves curves_of(const level_track& track) {
  const std::vector<double> energies = energies_of(track);
  const std::vector<double> blocks = means_of(energies, momentary_tenths);
  return {levels_of(blocks), levels_of(means_of(energies, short_term_tenths)), integrated_of(blocks)};
}

}  // namespace loudness
