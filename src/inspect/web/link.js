// The WebSocket to the program. The token is in the fragment of the address, which no browser sends.

export class Link {
  constructor(told, changed) {
    this.told = told;
    this.changed = changed;
    this.token = decodeURIComponent(location.hash.slice(1));
    this.open();
  }
  open() {
    if (!this.token) return this.changed("no token: open the whole address that the program has printed", true);
    this.socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket.onopen = () => this.send({ token: this.token });
    this.socket.onmessage = (e) => this.told(JSON.parse(e.data));
    this.socket.onclose = (e) => {
      this.changed(e.reason || "no connection: the program has ended, or its page", true);
      // A wrong token stays wrong; the others may pass.
      if (e.code !== 1008) setTimeout(() => this.open(), 2000);
    };
  }
  send(request) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }
  async download(path, name) {
    const response = await fetch(path, { headers: { Authorization: "Bearer " + this.token } });
    if (!response.ok) throw new Error(await response.text());
    const a = document.createElement("a");
    a.href = URL.createObjectURL(await response.blob());
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  }
}
