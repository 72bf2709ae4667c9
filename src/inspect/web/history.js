// What the snapshots say over time: sums become rates, and the last minutes are kept.

export const kept = 1200;  // five minutes of four a second

export class History {
  constructor() {
    this.samples = [];  // {at, rates, all}, the oldest first
    this.workers = [];  // for each worker its rates by sample
    this.last = null;
    this.whole = 0;  // from here on samples have their snapshots; only the last seconds are needed whole
  }
  add(s) {
    const before = this.last;
    this.last = s;
    if (!before || before.at >= s.at) return;
    const dt = s.at - before.at;
    const rates = {};
    for (const [name, value] of Object.entries(s.all)) rates[name] = Math.max(0, value - (before.all[name] ?? 0)) / dt;
    this.samples.push({ at: s.at, dt, rates, all: s.all, snapshot: s });
    if (this.samples.length > kept) {
      this.samples.shift();
      this.whole = Math.max(0, this.whole - 1);
    }
    for (; this.samples[this.whole].at < s.at - 12; ++this.whole) this.samples[this.whole].snapshot = null;
    this.addWorkers(before, s, dt);
  }
  addWorkers(before, s, dt) {
    const names = s.worker_figures;
    s.workers.forEach((figures, i) => {
      const w = (this.workers[i] ??= { history: [], rates: {}, now: null });
      figures.forEach((value, k) => (w.rates[names[k]] = Math.max(0, value - (before.workers[i]?.[k] ?? 0)) / dt));
      w.now = s.threads?.[i] ?? null;
      w.history.push({ rate: w.rates.commits, doing: w.now?.[0] ?? null });
      if (w.history.length > kept) w.history.shift();
    });
  }
  // The sample of so many seconds ago that still has its snapshot, or null.
  ago(seconds) {
    const now = this.samples.at(-1);
    if (!now) return null;
    const found = this.samples.findLast((x) => x.snapshot && x.at <= now.at - seconds);
    return found ?? null;
  }
}
