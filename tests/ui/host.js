// Stands in for anywidget in JupyterLab: one model, a new wrapping of it for each call, views that are wiped
// without a word. What the interface sends is kept; replies come as the test says, or never.
import widget from "./loader.js";

const [script, style] = await Promise.all(["ui.js", "ui.css"].map(async (name) => (await fetch(name)).text()));

class Model {
  constructor(state, replies) {
    this.state = state;
    this.replies = replies;
    this.sent = [];
    this.listeners = [];
    this.cells = [];
  }
  wrapped(context) {
    return {
      widget_manager: {
        context: { model: { sharedModel: { insertCell: (index, cell) => this.cells.push([index, cell]) } } },
      },
      get: (name) => {
        if (this.state.broken && name === "card") throw new Error("a state of another version");
        return this.state[name];
      },
      on: (event, callback) => this.listeners.push({ event, callback, context }),
      off: (event, callback) => {
        this.listeners = this.listeners.filter(
          (one) => !((event === null || one.event === event) && (callback === null || one.callback === callback) && one.context === context),
        );
      },
      send: (message) => {
        this.sent.push(message);
        queueMicrotask(() => this.answer(message));
      },
    };
  }
  emit(event, value) {
    for (const one of [...this.listeners]) if (one.event === event) one.callback(value);
  }
  answer(message) {
    if (message.type === "interface") return this.replies.interface === null || this.emit("msg:custom", { type: "interface", script, style });
    let reply = this.replies[message.type];
    if (Array.isArray(reply)) reply = reply.length > 1 ? reply.shift() : reply[0];
    if (reply === null) return;
    if (reply === undefined) reply = message.type === "reconcile" ? this.truth() : {};
    this.emit("msg:custom", { type: "reply", id: message.id, ok: true, ...reply });
  }
  truth() {
    const shown = this.state.card ?? this.state.roster ?? this.state.side ?? {};
    return { agent_id: shown.agent_id ?? "", version: shown.version ?? 0, activity: shown.activity ?? { state: "idle", task_ids: [], pending_question: null } };
  }
  push(changes) {
    Object.assign(this.state, structuredClone(changes));
    for (const name of Object.keys(changes)) this.emit(`change:${name}`, this.state[name]);
  }
}

const models = [];
let taken = null;
window.ran = [];
window.host = {
  open(state, replies = {}) {
    const model = new Model(structuredClone(state), replies);
    const definition = widget();
    const end = definition.initialize({ model: model.wrapped("initialize") });
    models.push({ model, definition, end, views: [] });
    return models.length - 1;
  },
  show(at, width = "") {
    const { model, definition, views } = models[at];
    const box = document.createElement("div");
    box.style.width = width;
    const el = document.createElement("div");
    box.className = "jp-Cell";
    document.getElementById("outputs").append(box);
    views.push({ box, close: definition.render({ model: model.wrapped(views.length), el }) });
    box.append(el); // as in JupyterLab: drawn first, then put into the page
    return views.length - 1;
  },
  draw(html) {
    const cell = document.createElement("div");
    cell.className = "jp-Cell";
    cell.dataset.windowedListIndex = String(document.querySelectorAll(".jp-Cell").length);
    cell.innerHTML = html;
    document.getElementById("outputs").append(cell);
  },
  redraw: (cell, html) => (document.querySelectorAll(".jp-Cell")[cell].innerHTML = html),
  take(cell) {
    taken = document.querySelectorAll(".jp-Cell")[cell];
    taken.remove();
  },
  putBack: () => document.getElementById("outputs").append(taken),
  end: (at) => models[at].end(),
  cells: (at) => models[at].model.cells,
  wipe: (at, view) => models[at].views[view].box.replaceChildren(),
  scroll: (at, view, inSight) => (inSight ? document.getElementById("outputs").append(models[at].views[view].box) : models[at].views[view].box.remove()),
  close: (at, view) => models[at].views[view].close(),
  drive(changes, every) {
    let turn = 0;
    setInterval(() => {
      turn += 1;
      for (const { model } of models) {
        const card = { ...model.state.card, version: model.state.card.version + 1, progress: `Reading, ${turn}.` };
        model.push({ ...changes[turn % changes.length], card });
      }
    }, every);
  },
  push: (at, changes) => models[at].model.push(changes),
  say: (at, message) => models[at].model.emit("msg:custom", message),
  sayInterface: (at) => models[at].model.emit("msg:custom", { type: "interface", script, style }),
  replies: (at, replies) => Object.assign(models[at].model.replies, replies),
  sent: (at, type) => models[at].model.sent.filter((one) => type === undefined || one.type === type),
  listeners: (at) => models[at].model.listeners.length,
  animations: () => document.getAnimations().filter((one) => one.constructor.name === "CSSAnimation").length,
};
// As if the page had shown one before: from now on a widget is there at once.
if (!window.location.hash) {
  const model = new Model({}, {}).wrapped("first");
  const first = widget();
  const end = first.initialize({ model });
  (await first.render({ model, el: document.createElement("div") }))();
  end();
}
window.ready = true;
