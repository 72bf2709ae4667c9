// A table of any length: only the rows that are seen are elements.
import { element, say } from "./dom.js";

const rowHeight = 24, spare = 6;

// columns: {title, width, text(row), value(row) for numbers, number: true}. `text` of all columns is what a search
// looks at.
export class Table {
  constructor(columns, { sort = -1, empty = "nothing", pick, height = 420 } = {}) {
    this.columns = columns;
    this.sortBy = sort;
    this.isDown = true;
    this.empty = empty;
    this.pick = pick;
    this.rows = [];
    this.shown = [];
    this.search = "";
    this.pool = [];
    this.template = columns.map((c) => c.width ?? "minmax(0,1fr)").join(" ");
    this.titles = element("div", { className: "row titles", role: "row" });
    this.titles.style.gridTemplateColumns = this.template;
    this.titleNodes = columns.map((c, i) => {
      const node = element("span", { className: c.number ? "number" : "", role: "columnheader", text: c.title });
      node.onclick = () => this.sort(i);
      this.titles.append(node);
      return node;
    });
    this.titles.style.position = "sticky";
    this.space = element("div", { className: "space" });
    this.nothing = element("div", { className: "empty", text: empty });
    this.node = element("div", { className: "table" + (pick ? " pick" : ""), role: "table" }, this.titles, this.space, this.nothing);
    this.node.style.maxHeight = height + "px";
    this.node.onscroll = () => this.draw();
  }
  sort(i) {
    this.isDown = this.sortBy === i ? !this.isDown : !!this.columns[i].number;
    this.sortBy = i;
    this.arrange();
  }
  set(rows) {
    this.rows = rows;
    this.arrange();
  }
  find(text) {
    this.search = text.toLowerCase();
    this.arrange();
  }
  matches(row) {
    return this.columns.some((c) => String(c.text(row)).toLowerCase().includes(this.search));
  }
  arrange() {
    let rows = this.search ? this.rows.filter((r) => this.matches(r)) : this.rows;
    const by = this.columns[this.sortBy];
    if (by) {
      const value = by.value ?? by.text, sign = this.isDown ? -1 : 1;
      rows = [...rows].sort((a, b) => {
        const x = value(a), y = value(b);
        return x < y ? -sign : x > y ? sign : 0;
      });
    }
    this.shown = rows;
    this.columns.forEach((c, i) => say(this.titleNodes[i], c.title + (i === this.sortBy ? (this.isDown ? " ↓" : " ↑") : "")));
    this.space.style.height = rows.length * rowHeight + "px";
    this.nothing.hidden = rows.length !== 0;
    say(this.nothing, this.search && this.rows.length ? "nothing that has this text" : this.empty);
    this.draw();
  }
  draw() {
    const first = Math.max(0, Math.floor(this.node.scrollTop / rowHeight) - spare);
    const count = Math.ceil((this.node.clientHeight || 420) / rowHeight) + 2 * spare;
    const last = Math.min(this.shown.length, first + count);
    while (this.pool.length < last - first) this.pool.push(this.makeRow());
    this.pool.forEach((p, i) => {
      const row = this.shown[first + i];
      p.node.hidden = first + i >= last;
      p.node.style.display = p.node.hidden ? "none" : "grid";
      if (!p.node.hidden) this.fill(p, row, first + i);
    });
  }
  makeRow() {
    const cells = this.columns.map((c) => element("span", { className: c.number ? "number" : "", role: "cell" }));
    const node = element("div", { className: "row", role: "row" }, ...cells);
    node.style.gridTemplateColumns = this.template;
    const made = { node, cells, row: null };
    if (this.pick) node.onclick = () => this.pick(made.row);
    this.space.append(node);
    return made;
  }
  fill(p, row, at) {
    p.row = row;
    p.node.style.top = at * rowHeight + "px";
    p.node.classList.toggle("odd", at % 2 === 1);
    this.columns.forEach((c, i) => {
      const text = String(c.text(row));
      say(p.cells[i], text);
      if (!c.number) p.cells[i].title = text;
    });
  }
}
