"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const stage = document.getElementById("stage");
  const panel = document.getElementById("panel");
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  const nodes = [...stage.querySelectorAll(".node")];
  const edges = [...stage.querySelectorAll(".edge")];
  const bands = [...stage.querySelectorAll("[data-g]")];
  const boxes = nodes.map((node) => node.getBBox());
  const ways = nodes.map(() => ({ out: [], into: [] }));
  data.edges.forEach((edge, i) => { ways[edge.s].out.push(i); ways[edge.t].into.push(i); });

  // ---- what part of the picture is seen

  const grown = ({ x, y, width, height }, by = 20) =>
    ({ x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by });
  const whole = grown(stage.viewBox.baseVal, 0);
  let part = whole;
  let view = whole;
  let size = 1;
  let open = -1;

  function show(next) {
    view = next;
    size = scale();
    stage.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  }

  const room = () => stage.getBoundingClientRect();

  /** Pixels of the screen for one of the picture. */
  function scale() {
    const { width, height } = room();
    return Math.min(width / view.width, height / view.height) || 1;
  }

  function zoom(factor, x = view.x + view.width / 2, y = view.y + view.height / 2) {
    const now = scale();
    const least = Math.min(0.5, room().width / whole.width, room().height / whole.height) / 2;
    const wanted = Math.max(least, Math.min(6, now * factor));
    const share = now / wanted;
    show({ x: x - (x - view.x) * share, y: y - (y - view.y) * share,
      width: view.width * share, height: view.height * share });
  }

  /** All of it, or all of the chapter that is shown. */
  function fill() {
    const ratio = room().width / room().height || 1;
    const width = Math.max(part.width, part.height * ratio);
    show({ x: part.x + (part.width - width) / 2, y: part.y, width, height: width / ratio });
  }

  /** At its natural size with a card in the middle, near the top for the first look. */
  function lookAt(i, size, down = 0.5) {
    const box = boxes[i];
    const width = room().width / size, height = room().height / size;
    show({ x: box.x + box.width / 2 - width / 2, y: box.y + box.height / 2 - height * down, width, height });
  }

  function begin() {
    fill();
    const first = data.nodes.findIndex((node, i) => node.start && !nodes[i].classList.contains("off"));
    if (scale() < 0.6 && first >= 0) lookAt(first, 1, 0.12);
  }

  /** The panel opens, the window changes: the picture keeps its size, and what is at the top left stays there. */
  new ResizeObserver(() => {
    const { width, height } = room();
    if (!width || !height) return;
    show({ ...view, width: width / size, height: height / size });
    if (open >= 0) reach(open);
  }).observe(stage);

  /** Moves no more than is needed for a card to be seen. */
  function reach(i) {
    const box = boxes[i], edge = 30 / scale();
    const visible = { width: room().width / scale(), height: room().height / scale() };
    const left = view.x + (view.width - visible.width) / 2, top = view.y + (view.height - visible.height) / 2;
    const right = Math.max(0, box.x + box.width + edge - left - visible.width);
    const bottom = Math.max(0, box.y + box.height + edge - top - visible.height);
    const dx = box.x - edge < left ? box.x - edge - left : right;
    const dy = box.y - edge < top ? box.y - edge - top : bottom;
    if (dx || dy) show({ ...view, x: view.x + dx, y: view.y + dy });
  }

  function point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(stage.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), ...point(event));
  }, { passive: false });

  const fingers = new Map();
  let moved = 0;
  stage.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    moved = 0;
  });
  stage.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved < 4) return;
    const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
    if (other) {
      const far = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1;
      zoom(far(event, other) / far(before, other), ...point(other));
    } else {
      stage.setPointerCapture(event.pointerId);
      stage.classList.add("dragged");
      show({ ...view, x: view.x - dx / scale(), y: view.y - dy / scale() });
    }
    fingers.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    stage.addEventListener(end, (event) => { fingers.delete(event.pointerId); stage.classList.remove("dragged"); });
  }
  document.getElementById("in").onclick = () => zoom(1.3);
  document.getElementById("out").onclick = () => zoom(1 / 1.3);
  document.getElementById("fit").onclick = fill;

  // ---- reading a card

  function element(name, text = "", more = {}) {
    const made = Object.assign(document.createElement(name), more);
    made.textContent = text;
    return made;
  }

  function spoken(i) {
    const node = data.nodes[i];
    return (node.kind === "card" ? "card " : "") + node.name + (node.title ? `: ${node.title}` : "");
  }

  function conditions(way) {
    const parts = [way.words, way.needs && `needs ${way.needs}`, way.cost && `costs ${way.cost}`];
    if (way.closed || way.verdict === "unreachable") parts.push("closed: it can never be taken");
    if (way.verdict === "unknown") parts.push("unknown whether it can be taken");
    return parts.filter(Boolean).join("; ");
  }

  function list(title, rows) {
    if (!rows.length) return;
    const items = element("ul");
    items.append(...rows);
    panel.append(element("h3", title), items);
  }

  function link(i, end) {
    const edge = data.edges[i];
    const item = element("li", `${edge.verb}${end === "t" ? "" : " from"} `);
    item.append(element("button", spoken(edge[end]), { onclick: () => read(edge[end], true) }));
    for (const words of new Set((edge.ways || []).map(conditions))) {
      if (words) item.append(element("div", words, { className: "dim" }));
    }
    return item;
  }

  function read(i, move = false) {
    if (nodes[i].classList.contains("off")) showAll();
    close(false);
    open = i;
    const node = data.nodes[i];
    panel.hidden = false;
    panel.replaceChildren(
      element("button", "close", { className: "close", onclick: () => close(true) }), element("h2", spoken(i)));
    const where = node.group === undefined || node.group === null ? "" : data.groups[node.group];
    const facts = [where, node.start && "start of its chapter", node.ending, node.verdict].filter(Boolean).join(", ");
    if (facts) panel.append(element("p", facts, { className: "dim" }));
    if (node.text) panel.append(element("p", node.text, { className: "text" }));
    list("Options", (node.options || []).map((option) => element("li", `${option.n}. ${conditions(option)}`)));
    list("Leads to", ways[i].out.map((edge) => link(edge, "t")));
    list("Comes from", ways[i].into.map((edge) => link(edge, "s")));
    nodes[i].classList.add("here");
    stage.classList.add("quiet");
    light(i);
    panel.scrollTop = 0;
    panel.setAttribute("aria-label", spoken(i));
    if (move) lookAt(i, Math.max(size, 0.6)); else reach(i);
    panel.focus({ preventScroll: true });
  }

  function close(back) {
    if (open < 0) return;
    nodes[open].classList.remove("here");
    stage.classList.remove("quiet");
    panel.hidden = true;
    const last = open;
    open = -1;
    light(-1);
    if (back) nodes[last].focus({ preventScroll: true });
  }

  /** Brings out the ways of a card, and those of the card that is open. */
  function light(i) {
    for (const edge of stage.querySelectorAll(".lit")) edge.classList.remove("lit");
    for (const card of new Set([i, open])) {
      if (card >= 0) for (const edge of [...ways[card].out, ...ways[card].into]) edges[edge].classList.add("lit");
    }
  }

  // ---- from card to card

  function neighbour(i, key) {
    const shown = (j) => !nodes[j].classList.contains("off");
    if (key === "ArrowDown") return ways[i].out.map((edge) => data.edges[edge].t).find((j) => j !== i && shown(j));
    if (key === "ArrowUp") return ways[i].into.map((edge) => data.edges[edge].s).find((j) => j !== i && shown(j));
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    for (let j = i + step; step && j >= 0 && j < nodes.length; j += step) if (shown(j)) return j;
    return undefined;
  }

  nodes.forEach((node, i) => {
    node.addEventListener("click", () => { if (moved < 4) read(i); });
    node.addEventListener("pointerenter", () => light(i));
    node.addEventListener("pointerleave", () => light(-1));
    node.addEventListener("blur", () => light(-1));
    node.addEventListener("focus", () => {
      light(i);
      if (node.matches(":focus-visible")) reach(i);
    });
    node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        moved = 0;
        read(i);
      } else if (event.key.startsWith("Arrow")) {
        event.preventDefault();
        const next = neighbour(i, event.key);
        if (next !== undefined) nodes[next].focus({ preventScroll: true });
      }
    });
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const writing = event.target === search;
    if (event.key === "Escape") {
      if (writing && search.value) { search.value = ""; look(); } else close(true);
    } else if (writing) {
      return;
    } else if (event.key === "/") {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === "+" || event.key === "=") zoom(1.3);
    else if (event.key === "-") zoom(1 / 1.3);
    else if (event.key === "0") fill();
  });

  // ---- search

  const words = data.nodes.map((node) => [node.name, node.title, node.text,
    ...(node.options || []).map((option) => option.words)].filter(Boolean).join("\n").toLowerCase());
  let hits = [], hit = -1;

  function look() {
    const wanted = search.value.trim().toLowerCase();
    const exact = (i) => data.nodes[i].name === wanted || data.nodes[i].name.endsWith(`:${wanted}`);
    hits = wanted ? nodes.map((_, i) => i)
      .filter((i) => words[i].includes(wanted) && !nodes[i].classList.contains("off")) : [];
    if (hits.some(exact)) hits.sort((a, b) => exact(b) - exact(a) || a - b);
    hit = -1;
    const hitting = new Set(hits);
    stage.classList.toggle("searching", Boolean(wanted));
    nodes.forEach((node, i) => node.classList.toggle("hit", hitting.has(i)));
    found.textContent = wanted ? `${hits.length} found` : "";
    if (hits.length) lookAt(hits[0], Math.max(scale(), 0.6));
  }

  search.addEventListener("input", look);
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !hits.length) return;
    hit = (hit + (event.shiftKey ? hits.length - 1 : 1)) % hits.length;
    read(hits[hit], true);
    search.focus();
    found.textContent = `${hit + 1} of ${hits.length}`;
  });

  // ---- filters

  const group = document.getElementById("group");
  const off = new Set();

  function filter() {
    const only = group && group.value;
    const gone = data.nodes.map((node) => off.has(node.verdict) || Boolean(only && String(node.group) !== only));
    nodes.forEach((node, i) => node.classList.toggle("off", gone[i]));
    edges.forEach((edge, i) => edge.classList.toggle("off", gone[data.edges[i].s] || gone[data.edges[i].t]));
    for (const band of bands) band.classList.toggle("off", Boolean(only && band.dataset.g !== only));
    if (open >= 0 && gone[open]) close(false);
    look();
  }

  /** For a way that leads to a card that is hidden. */
  function showAll() {
    off.clear();
    for (const button of document.querySelectorAll(".switch")) button.setAttribute("aria-pressed", "true");
    if (group) group.value = "";
    part = whole;
    filter();
  }

  if (group) {
    group.onchange = () => {
      const band = bands.find((one) => one.dataset.g === group.value);
      part = band ? grown(band.getBBox()) : whole;
      filter();
      begin();
    };
  }
  for (const button of document.querySelectorAll(".switch")) {
    button.onclick = () => {
      const pressed = button.getAttribute("aria-pressed") === "true";
      button.setAttribute("aria-pressed", String(!pressed));
      if (pressed) off.add(button.textContent); else off.delete(button.textContent);
      filter();
    };
  }
  const colors = document.getElementById("colors");
  if (colors) colors.onchange = () => stage.classList.toggle("plain", !colors.checked);

  begin();
})();
