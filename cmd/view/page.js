"use strict";
// The page of `gravreel view`. Its server keeps no state of it: each request has the page's changes to the scene, as
// set=SECTION.KEY=VALUE, and what is shown of them.

const $ = id => document.getElementById(id);
const make = (tag, members = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), members);
  element.append(...children);
  return element;
};

// ---- state ----

let keys = null;           // the key table
let scene = null;          // the server's answer to the changes
let changes = new Map();   // "camera.azimuth" -> value as in YAML
let past = [], future = []; // for undo and redo: maps of changes
let saved = "";
let frame = 0, playing = null;
let free = null;           // an aim that is not the film's: eye, target, up, fov; relative to what the camera follows
let facts = null;          // of the last picture
let story = {};            // of the last film: moments, captions, keyframes
let state = {stage: "start", count: 1, frames: 1, running: false};

const copyOf = map => new Map(map);
const value = path => {
  const [section, name] = path.split(".");
  return scene.values[section][name];
};
const number = path => Number(value(path));
const say = (text, wrong = false) => {
  $("told").textContent = text || "";
  $("told").classList.toggle("wrong", wrong);
};

// ---- requests ----

function form(more, list = changes) {
  const body = new URLSearchParams();
  for (const [key, text] of list) body.append("set", key + "=" + text);
  for (const [name, text] of Object.entries(more)) body.append(name, text);
  return body;
}

async function ask(name, body) {
  const answer = await fetch(name, body ? {method: "POST", body} : {});
  const told = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(told.error), {code: answer.status});
  return told;
}

// ---- pictures ----

const pictures = {
  single: false, // what is picked is a single body
  side: 960, serial: 0, shown: 0, flying: 0, wanted: null, rest: 0, slow: [],
};

function sizeFor(moving) {
  const box = $("frame").getBoundingClientRect(), [w, h] = [scene.width, scene.height];
  const most = Math.min(w, Math.round(box.width * devicePixelRatio) || w);
  const width = moving ? Math.min(most, w >= h ? pictures.side : Math.round(pictures.side * w / h)) : most;
  // of the scene's own shape to the pixel, for which nothing needs to be found anew
  const divisor = (a, b) => b ? divisor(b, a % b) : a, unit = divisor(w, h), times = Math.floor(width * unit / w);
  if (times > 0 && Math.min(w, h) * times / unit >= 16) return [w / unit * times, h / unit * times];
  return [Math.max(16, width), Math.max(16, Math.round(width * h / w))];
}

function cameraChanges() {
  const list = copyOf(changes);
  if (free) {
    const at = v => "[" + v.map(x => +x.toPrecision(9)).join(", ") + "]";
    list.set("camera.moves", "[]");
    list.set("camera.keyframes", `[{at: start, position: ${at(free.eye)}, target: ${at(free.target)}, up: ${at(free.up)}, fov: ${+free.fov.toPrecision(7)}}]`);
  }
  return list;
}

// Asks for the picture of the present state: a quick one while something moves, the full one when nothing has for a
// while, and then the film's own, with the exposure that is found for this camera.
function draw(moving = false, more = {}) {
  if (!scene) return;
  clearTimeout(pictures.rest);
  pictures.wanted = {moving, more};
  $("picture").dataset.rest = "";
  if (!more.exact && !playing) pictures.rest = setTimeout(() => draw(false, moving ? {} : {exact: 1}), moving ? 220 : 250);
  fly();
}

async function fly() {
  if (!pictures.wanted || pictures.flying >= 2) return;
  const {moving, more} = pictures.wanted, serial = ++pictures.serial, began = performance.now();
  const again = () => { // unless there is a later request, or one will be made
    if (serial !== pictures.serial || pictures.wanted) return;
    clearTimeout(pictures.rest);
    pictures.rest = setTimeout(() => draw(false, more), 500);
  };
  pictures.wanted = null;
  pictures.flying++;
  const [width, height] = sizeFor(moving);
  try {
    const answer = await fetch("picture", {
      method: "POST", body: form({frame: Math.min(frame, Math.max(0, scene.frames - 1)), width, height, moving: +moving, quality: moving ? 82 : 92, ...more}, cameraChanges()),
    });
    if (answer.status === 202) { // its exposure is being found
      settling(true);
      again();
    } else if (answer.ok) {
      const bitmap = await createImageBitmap(await answer.blob());
      if (serial > pictures.shown) show(bitmap, serial, more.exact, JSON.parse(decodeURIComponent(answer.headers.get("X-Gravreel"))));
      if (moving) adapt(performance.now() - began);
    } else if (answer.status !== 409) {
      say((await answer.json()).error, true);
    } else if (!moving) {
      again();
    }
  } catch (problem) {
    say(pictures.ended ? "" : "The program has ended; start `gravreel view` again.", true);
  }
  pictures.flying--;
  fly();
}

// Says that the picture has yet to get the film's own exposure and framing, if that takes a while.
function settling(on) {
  clearTimeout(settling.timer);
  if (!on) $("settling").hidden = true;
  else settling.timer = setTimeout(() => $("settling").hidden = false, 1000);
}

function adapt(time) {
  pictures.slow.push(time);
  if (pictures.slow.length < 8) return;
  const middle = pictures.slow.sort((a, b) => a - b)[4];
  pictures.slow = [];
  if (middle > 200 && pictures.side > 480) pictures.side = pictures.side > 640 ? 640 : 480;
}

function show(bitmap, serial, exact, told) {
  const canvas = $("picture");
  pictures.shown = serial;
  facts = told;
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  bitmap.close();
  $("first").hidden = true;
  canvas.dataset.serial = serial;
  canvas.dataset.frame = told.frame;
  canvas.dataset.rest = exact && !pictures.wanted && told.frame === frame ? told.stage : "";
  settling(!exact && !playing && !held);
  if ("picked" in told) follow(told, pictures.single);
  tick();
}

// ---- changes ----

// Makes changes ("camera.azimuth": "30"; null: as before any change) if the scene is valid with them. One comes after the other: a
// function says what is to be changed when those before are made.
const change = list => queue(async () => {
  const next = copyOf(changes);
  for (const [key, text] of Object.entries(typeof list === "function" ? list() : list)) text === null ? next.delete(key) : next.set(key, String(text));
  const told = await ask("scene", form({}, next));
  remember();
  changes = next;
  await accept(told);
});
let queued = Promise.resolve();
function queue(run) {
  const made = queued.then(run);
  queued = made.catch(() => {});
  return made;
}

// The changes outlive a reload of the page, until the program ends or another tab is opened.
const shelf = location.pathname;
function store() {
  try {
    sessionStorage.setItem(shelf, JSON.stringify({changes: [...changes], saved, frame}));
  } catch { /* then a reload begins anew */ }
}
async function restore() {
  const kept = JSON.parse(sessionStorage.getItem(shelf) || "null");
  if (!kept) return;
  const list = new Map(kept.changes);
  scene = await ask("scene", form({}, list));
  changes = list;
  saved = kept.saved;
  frame = Math.min(kept.frame, scene.frames - 1);
}

function remember() {
  past.push(copyOf(changes));
  if (past.length > 200) past.shift();
  future = [];
}

async function accept(told) {
  const shape = scene && scene.width / scene.height !== told.width / told.height;
  scene = told;
  say("");
  frame = Math.min(frame, scene.frames - 1);
  store();
  fill();
  if (shape) layout();
  enable();
  draw(false);
  poll();
}

const go = (from, to) => queue(async () => {
  if (!from.length) return;
  const next = from.pop();
  const told = await ask("scene", form({}, next));
  to.push(copyOf(changes));
  changes = next;
  free = null;
  document.querySelectorAll("#sections .wrong").forEach(one => one.hidden = true);
  await accept(told);
});

// While a hand moves, the camera's keys change without asking whether the scene is valid.
let held = null;
function nudge(list) {
  if (!held) {
    remember();
    held = true;
  }
  for (const [key, text] of Object.entries(list)) {
    changes.set(key, String(text));
    const [section, name] = key.split(".");
    scene.values[section][name] = String(text);
  }
  draw(true);
  clearTimeout(settle.timer);
  settle.timer = setTimeout(settle, 250);
}
async function settle() {
  held = null;
  try {
    await accept(await ask("scene", form({})));
  } catch (problem) {
    say(problem.message, true);
  }
}

// ---- vectors ----

const add = (a, b, f = 1) => a.map((x, i) => x + f * b[i]);
const length = a => Math.hypot(...a);
const unit = a => a.map(x => x / (length(a) || 1));
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
function spin(v, axis, degrees) {
  const t = degrees * Math.PI / 180, c = Math.cos(t), s = Math.sin(t), k = cross(axis, v);
  const d = (1 - c) * (axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2]);
  return v.map((x, i) => x * c + k[i] * s + axis[i] * d);
}
const axes = aim => {
  const back = unit(add(aim.eye, aim.target, -1)), right = unit(cross(aim.up, back));
  return {right, up: cross(back, right), back};
};

// ---- the camera ----

// Keyframes say where the camera is, so that turning it leaves them for a free camera.
const directed = () => value("camera.keyframes").length > 0 ||
  ["azimuth", "elevation", "distance"].some(name => value("camera." + name).startsWith("["));
function leave() {
  if (!free && facts) {
    free = {
      eye: add(facts.eye, facts.centre, -1), target: add(facts.target, facts.centre, -1), up: facts.up, fov: facts.fov,
    };
    $("free").hidden = false;
  }
  return free;
}
// Automatic framing sets the distance and shifts the target; a camera that is moved keeps what they are now.
function fixed() {
  const list = {};
  if (value("camera.frame") !== "fixed") {
    list["camera.frame"] = "fixed";
    list["camera.distance"] = +facts.distance.toPrecision(6);
    list["camera.target"] = vector(add(facts.target, facts.centre, -1));
  } else if (number("camera.distance") === 0) {
    list["camera.distance"] = +(story.distance || facts.distance).toPrecision(6);
  }
  return list;
}
const vector = v => "[" + v.map(x => +x.toFixed(6)).join(", ") + "]";
const parseVector = text => text.replace(/[[\]]/g, "").split(",").map(Number);
const wrap = x => +((((x + 180) % 360) + 360) % 360 - 180).toFixed(3);

function turn(right, up) {
  if (!facts) return;
  if (directed()) {
    const aim = leave(), side = axes(aim).right;
    let away = spin(add(aim.eye, aim.target, -1), [0, 0, 1], right);
    aim.up = spin(aim.up, [0, 0, 1], right);
    const now = spin(side, [0, 0, 1], right);
    away = spin(away, now, -up);
    aim.up = spin(aim.up, now, -up);
    aim.eye = add(aim.target, away);
    draw(true);
  } else {
    nudge({
      "camera.azimuth": wrap(number("camera.azimuth") + right),
      "camera.elevation": +Math.max(-90, Math.min(90, number("camera.elevation") + up)).toFixed(3),
    });
  }
}
function closer(factor) {
  if (!facts) return;
  if (directed()) {
    const aim = leave();
    aim.eye = add(aim.target, add(aim.eye, aim.target, -1), factor);
    draw(true);
  } else {
    const list = fixed();
    nudge({...list, "camera.distance": +((list["camera.distance"] || number("camera.distance")) * factor).toPrecision(6)});
  }
}
// By parts of the picture's height.
function pan(right, up) {
  if (!facts) return;
  const aim = directed() ? leave() : {eye: facts.eye, target: facts.target, up: facts.up};
  const side = axes(aim), span = 2 * length(add(aim.eye, aim.target, -1)) * Math.tan(facts.fov * Math.PI / 360);
  const shift = add(side.right.map(x => x * right * span), side.up, up * span);
  if (directed()) {
    aim.eye = add(aim.eye, shift);
    aim.target = add(aim.target, shift);
    draw(true);
  } else {
    const list = fixed(), target = list["camera.target"] || value("camera.target");
    nudge({...list, "camera.target": vector(add(parseVector(target), shift))});
  }
}
// Asks what is at a place, in parts of width and height, to follow it.
function pick(at, single) {
  pictures.single = single;
  say("Looking what is there.");
  draw(false, {pick: at.map(x => x.toFixed(4)).join(",")});
}
// A body leaves the others behind, so that automatic framing cannot keep them in the picture.
async function follow({picked, body}, single) {
  if (!picked) return say("Nothing is there to be followed: the place is dark.");
  if (single && !body) return say("A single body can be followed as soon as all are simulated.");
  const name = single ? body : picked;
  await attempt(async () => {
    await change({...single ? fixed() : {}, "camera.follow": name, "camera.target": "[0, 0, 0]"});
    say(`The camera follows ${name}; Undo takes that back.${single || !body ? "" : ` Shift and double click follow a single body, here ${body}.`}`);
  });
}

// ---- keyframes ----

const scalar = (key, text) => key.type === "text" || key.type === "moment" ? JSON.stringify(plain(text)) : text;
const plain = text => {
  if (!/^".*"$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(1, -1);
  }
};
const keyOf = path => {
  const [section, name] = path.split(".");
  return keys.sections.find(s => s.name === section).keys.find(k => k.name === name);
};
// A list as YAML: only what is not the default.
const listText = (key, items) => "[" + items.map(item => "{" + key.keys
  .filter(k => item[k.name] !== undefined && (k.default === undefined || plain(item[k.name]) !== plain(k.default)))
  .map(k => `${k.name}: ${scalar(k, item[k.name])}`).join(", ") + "}").join(", ") + "]";

async function addKeyframe() {
  if (!facts) return;
  const aim = free || {eye: add(facts.eye, facts.centre, -1), target: add(facts.target, facts.centre, -1), up: facts.up, fov: facts.fov};
  const items = value("camera.keyframes").map((item, i) => ({item, frame: (story.keyframes || [])[i] ?? i}));
  const own = {
    at: `frame ${frame}`, position: vector(aim.eye), target: vector(aim.target), up: vector(aim.up),
    fov: String(+aim.fov.toFixed(3)),
  };
  const rest = items.filter(one => Math.round(one.frame) !== frame);
  rest.push({item: own, frame});
  rest.sort((a, b) => a.frame - b.frame);
  await change({"camera.keyframes": listText(keyOf("camera.keyframes"), rest.map(one => one.item))});
  story.keyframes = rest.map(one => one.frame);
  film();
  marks();
  say(`A keyframe is at frame ${frame}; the film has ${rest.length}.`);
}
function film() {
  free = null;
  $("free").hidden = true;
  draw(false);
}

// ---- actions: every button, and every key ----

const attempt = async (run, at) => {
  try {
    await run();
  } catch (problem) {
    say(problem.message, true);
    if (at) throw problem;
  }
};
const actions = {
  undo: {name: "Undo", key: "Control+Z", run: () => go(past, future)},
  redo: {name: "Redo", key: "Control+Shift+Z", run: () => go(future, past)},
  save: {name: "Save", key: "S", run: save},
  render: {name: "Render", key: "R", run: render},
  help: {name: "Help", key: "?", run: () => $("help").showModal()},
  play: {name: "Play", key: "Space", run: play, sign: "M5 3v10l8-5z"},
  start: {name: "To the start", key: "Home", run: () => seek(0), sign: "M3 3h2v10H3zM13 3v10L6 8z"},
  back: {name: "One frame back", key: ",", run: () => seek(frame - 1), sign: "M10 4v8L4 8zM11 4h2v8h-2z"},
  on: {name: "One frame on", key: ".", run: () => seek(frame + 1), sign: "M6 4v8l6-4zM3 4h2v8H3z"},
  keyframe: {name: "Add keyframe here", key: "K", run: addKeyframe},
  film: {name: "Back to the film’s camera", key: "Escape", run: film},
  safe: {name: "Safe areas", key: "A", run: () => press("safe", $("safe").hidden = !$("safe").hidden)},
  keys: {name: "Settings", key: "1", run: () => tab("keys")},
  looks: {name: "Looks", key: "2", run: () => tab("looks")},
  text: {name: "Scene", key: "3", run: () => tab("text")},
  copy: {name: "Copy the scene", key: "C", run: () => navigator.clipboard.writeText(scene.yaml).then(() => say("The scene is on the clipboard."))},
  find: {name: "Find a setting", key: "/", run: () => (tab("keys"), $("search").focus())},
};
const press = (name, off) => document.querySelectorAll(`[data-do=${name}]`).forEach(b => b.setAttribute("aria-pressed", !off));

function icon(path) {
  const space = "http://www.w3.org/2000/svg", svg = document.createElementNS(space, "svg"), shape = document.createElementNS(space, "path");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

function wire() {
  for (const [name, action] of Object.entries(actions)) {
    document.querySelectorAll(`[data-do="${name}"]`).forEach(button => {
      button.replaceChildren(action.sign ? icon(action.sign) : action.name);
      button.title = `${action.name} (${action.key})`;
      button.setAttribute("aria-label", action.name);
      button.setAttribute("aria-keyshortcuts", action.key);
      button.addEventListener("click", () => attempt(action.run));
    });
    $("shortcuts").append(make("dt", {textContent: action.key}), make("dd", {textContent: action.name}));
  }
  for (const [key, text] of [["drag", "turn"], ["wheel, two fingers", "come closer"], ["Shift and drag", "pan"],
    ["double click; with Shift", "follow a galaxy; a single body"], ["Enter; Shift and Enter", "the same for the middle of the picture"], ["arrow keys on the picture", "turn; with Shift, pan"], ["+ and −", "come closer, go back"]])
    $("shortcuts").append(make("dt", {textContent: key}), make("dd", {textContent: text}));
  document.addEventListener("keydown", event => {
    const list = event.target.matches("select") && !event.ctrlKey && !event.metaKey;
    const typing = (list || event.target.matches("input:not([type=range], [type=checkbox]), textarea")) && event.key !== "Escape";
    if (typing || $("help").open || event.altKey) return;
    const on = event.target.matches("button, summary") && (event.key === " " || event.key === "Enter");
    if (on || (event.target.type === "range" && event.key === "Home")) return;
    const name = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const pressed = (event.ctrlKey || event.metaKey ? "Control+" : "") + (event.shiftKey && event.ctrlKey ? "Shift+" : "") + name;
    for (const action of Object.values(actions))
      if (action.key === pressed) {
        event.preventDefault();
        attempt(action.run);
      }
  });
}

async function save() {
  const told = await ask("save", form({}));
  saved = JSON.stringify([...changes]);
  store();
  enable();
  say(`Saved to ${told.save}.`);
}
async function render() {
  if (!scene.film) {
    tab("text");
    return say("Start `gravreel view` with --save-scene FILE -o FILM to render from here; the command is below the scene.");
  }
  if (state.film && state.film.running) {
    poll.stopped = true;
    return ask("stop", form({}, [])).then(poll);
  }
  await ask("render", form({}));
  poll.stopped = false;
  saved = JSON.stringify([...changes]);
  store();
  enable();
  say(scene.command);
  poll();
}
function enable() {
  const of = name => document.querySelector(`[data-do=${name}]`);
  of("undo").disabled = !past.length;
  of("redo").disabled = !future.length;
  of("save").disabled = !scene.save;
  of("save").title = scene.save ? `Save to ${scene.save} (S)` : "Start `gravreel view` with --save-scene FILE to save from here";
  of("save").classList.toggle("main", !!scene.save && saved !== JSON.stringify([...changes]));
  of("render").classList.toggle("main", !!scene.film);
}

function tab(name) {
  for (const one of ["keys", "looks", "text"]) {
    $(one).hidden = one !== name;
    $("tab-" + one).setAttribute("aria-selected", one === name);
    $("tab-" + one).tabIndex = one === name ? 0 : -1;
  }
  if (name === "looks") cards();
}

// ---- time ----

function seek(to) {
  frame = Math.max(0, Math.min(scene.frames - 1, Math.round(to)));
  $("scrub").value = frame;
  tick();
  draw(true);
}
function tick() {
  if (!scene) return;
  const seconds = frame / scene.fps, minutes = Math.floor(seconds / 60);
  const clock = `${minutes}:${(seconds % 60).toFixed(2).padStart(5, "0")}`;
  const shown = facts && facts.frame !== frame && frame >= available() ? `; not simulated yet, frame ${facts.frame} is shown` : "";
  $("clock").replaceChildren(make("b", {textContent: clock}), ` frame ${frame} of ${scene.frames}${shown}`);
  $("scrub").setAttribute("aria-valuetext", `${seconds.toFixed(1)} seconds, frame ${frame}`);
}
function play() {
  const button = document.querySelector("[data-do=play]");
  const sign = () => {
    if (button.getAttribute("aria-label") === (playing ? "Pause" : "Play")) return;
    button.replaceChildren(icon(playing ? "M4 3h3v10H4zM9 3h3v10H9z" : actions.play.sign));
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
  };
  if (playing) {
    cancelAnimationFrame(playing);
    playing = null;
    draw(false);
  } else {
    let first = frame >= available() - 1 ? 0 : frame, began = performance.now();
    const step = now => {
      const speed = Number($("speed").value), at = Math.floor(first + (now - began) / 1000 * scene.fps * speed);
      if (at >= available()) {
        frame = available() - 1;
        playing = null;
        draw(false);
      } else {
        if (at !== frame) {
          frame = at;
          draw(true);
        }
        playing = requestAnimationFrame(step);
      }
      $("scrub").value = frame;
      tick();
      sign();
    };
    playing = requestAnimationFrame(step);
  }
  sign();
}
const available = () => Math.max(1, Math.min(state.count || 1, scene.frames));

// What happens in the film, by the names that `gravreel still --at` has: from the plan, and from the run when it is complete.
const moments = () => (state.events || []).length ? [...state.events, ...(story.moments || []).filter(m => !m.event)] : story.moments || [];
function marks() {
  const last = Math.max(1, scene.frames - 1), place = f => `${100 * f / last}%`;
  const mark = (f, name, kind) => {
    const button = make("button", {className: kind, title: name, textContent: name});
    button.style.left = place(f);
    button.addEventListener("click", () => seek(f));
    return button;
  };
  $("marks").replaceChildren(
    ...moments().filter(m => m.frame <= last).map(m => mark(m.frame, `${m.name}, frame ${Math.round(m.frame)}`, "")),
    ...(story.keyframes || []).map((f, i) => mark(f, `keyframe ${i + 1}, frame ${Math.round(f)}`, "key")));
  $("captions").replaceChildren(...(story.captions || []).filter(c => c.begins * scene.fps < last).map(c => {
    const button = mark(c.begins * scene.fps, `caption: ${c.text}`, "");
    button.style.width = place((Math.min(c.ends * scene.fps, last) - c.begins * scene.fps));
    return button;
  }));
}

// ---- the simulation and a film, in the background ----

let polling = 0, seen = "";
async function poll() {
  clearTimeout(polling);
  try {
    const told = await ask("state");
    const before = `${told.stage} ${told.story} ${(told.events || []).length}`, fresh = told.stage !== state.stage || told.story !== state.story;
    const grown = told.count !== state.count && facts && facts.frame !== frame;
    state = told;
    if (told.told) story = told.told;
    if (before !== seen) marks();
    seen = before;
    $("filled").style.width = `${100 * Math.min(1, told.count / scene.frames)}%`;
    const film = told.film;
    $("progress").textContent = film && film.running ? film.frames ? `film: ${film.frame} of ${film.frames} frames` : "film: starting"
      : told.error || !told.running ? "" : !told.bodies ? "preparing: a coarse run through the film comes first"
        : `${plain(value("bodies.model")) === "snapshots" ? "reading" : "simulating"} ${told.bodies.toLocaleString("en")} bodies, ${Math.round(100 * told.count / scene.frames)} %`;
    if (told.error) say(told.error, true);
    if (film && !film.running && poll.film) {
      if (film.code && poll.stopped) say("The film was stopped; Render continues it.");
      else say(film.code ? film.said : `The film is ready: ${scene.film}`, film.code);
    }
    poll.film = film && film.running;
    document.querySelector("[data-do=render]").textContent = poll.film ? "Stop" : "Render";
    if ((fresh || grown) && !playing && !held) draw(false);
    polling = setTimeout(poll, told.running || poll.film ? 600 : 2500);
  } catch (problem) {
    $("progress").textContent = "";
    polling = setTimeout(poll, 3000);
  }
}

// ---- the panel ----

// Builds the controls of a key: `parts` of the page, and `put`, which shows another value in them.
function control(key, current, set) {
  const limits = key.least !== null && key.most !== null && key.least !== undefined;
  const text = (type, members = {}) => {
    const input = make("input", {type, value: plain(current), ...members});
    input.addEventListener("change", () => set(input.value));
    return input;
  };
  const one = (field, put = now => field.value = plain(now)) => ({parts: [field], put});
  if (key.fixed) return one(text("text", {disabled: true}));
  switch (key.type) {
  case "flag": {
    const input = make("input", {type: "checkbox", checked: current === "true"});
    input.addEventListener("change", () => set(String(input.checked)));
    return one(input, now => input.checked = now === "true");
  }
  case "choice": {
    const names = (key.options || []).map(o => o.name), select = make("select");
    const offer = name => select.append(make("option", {value: name, textContent: name || "—"}));
    const put = now => {
      if (![...select.options].some(o => o.value === plain(now))) offer(plain(now)); // the default of some keys
      select.value = plain(now);
    };
    names.forEach(offer);
    put(current);
    select.addEventListener("change", () => set(select.value));
    return one(select, put);
  }
  case "number": case "whole": {
    const input = text("text", {inputMode: "decimal"});
    if (!limits || (key.type === "whole" && key.most > 10000) || isNaN(Number(current)))
      return {parts: [make("div", {className: "pair"}, input)], put: now => input.value = plain(now)};
    const step = key.type === "whole" ? 1 : (key.most - key.least) / 200;
    const slider = make("input", {type: "range", min: key.least, max: key.most, step, value: current, tabIndex: -1});
    slider.setAttribute("aria-hidden", "true"); // the field beside it has the name
    slider.addEventListener("input", () => input.value = +Number(slider.value).toPrecision(6));
    slider.addEventListener("change", () => set(input.value));
    return {parts: [make("div", {className: "pair"}, input, slider)], put: now => input.value = slider.value = plain(now)};
  }
  case "color": {
    const input = text("text"), picker = make("input", {type: "color", tabIndex: -1});
    const put = now => {
      input.value = plain(now);
      picker.value = /^#[0-9a-f]{6}$/i.test(input.value) ? input.value : "#000000";
    };
    picker.setAttribute("aria-label", key.name + ", as a picture");
    picker.addEventListener("change", () => set(picker.value));
    put(current);
    return {parts: [make("div", {className: "pair color"}, input, picker)], put};
  }
  default: {
    if (!key.lines) return one(text("text"));
    const area = make("textarea", {value: plain(current), rows: 3});
    area.addEventListener("change", () => set(area.value));
    return one(area);
  }
  }
}

let ids = 0;
// A row of the panel: the key's name, unit, control and help. `read` tells its value now, `set` makes a change and fails with a
// sentence, `is_changed` whether `reset` can do something. The row's `refresh` shows the value again, but leaves alone what is being
// typed: who goes from field to field must not lose the field.
function row(key, read, set, is_changed, reset) {
  const id = `row${++ids}`, element = make("div", {className: "row"});
  const wrong = make("p", {className: "wrong", hidden: true});
  wrong.setAttribute("role", "alert");
  let waiting = 0, last = plain(read());
  const tried = async text => {
    waiting++;
    last = field.value;
    try {
      wrong.hidden = true;
      await set(text);
    } catch (problem) {
      wrong.textContent = problem.message.replace(/^the page: /, "");
      wrong.hidden = false;
    }
    waiting--;
    element.refresh();
  };
  const {parts, put} = control(key, read(), tried);
  const field = parts[0].matches("input, select, textarea") ? parts[0] : parts[0].querySelector("input");
  field.id = id;
  field.setAttribute("aria-describedby", id + "d");
  const back = make("button", {className: "quiet reset", textContent: "reset", title: `Reset ${key.name}`});
  back.setAttribute("aria-label", `Reset ${key.name}`);
  back.addEventListener("click", () => {
    wrong.hidden = true;
    attempt(reset);
  });
  const choice = make("p", {className: "choice"});
  const facts = [key.doc, key.range, key.unit && `in ${key.unit}`, key.default !== undefined && `default ${plain(key.default) || "empty"}`];
  element.append(make("div", {className: "name"}, make("label", {htmlFor: id, textContent: key.name.replace(/_/g, " ")}),
    make("span", {className: "unit", textContent: key.unit || ""}), back), ...parts, wrong, choice,
    make("p", {id: id + "d", className: "doc", textContent: facts.filter(Boolean).join("; ")}));
  element.refresh = () => {
    const now = read(), option = (key.options || []).find(o => o.name === plain(now));
    const typed = field === document.activeElement && field.type !== "checkbox" && field.value !== last;
    element.classList.toggle("changed", is_changed());
    choice.textContent = option ? option.doc : "";
    choice.hidden = !option;
    if (waiting || typed || !wrong.hidden) return;
    put(now);
    last = field.value;
  };
  element.refresh();
  return element;
}

// The rows of a list's items. Open items stay open.
function listRow(path, key) {
  const box = make("div", {className: "row list"}), list = make("div"), open = new Set();
  const put = next => change(() => ({[path]: listText(key, next(value(path)))}));
  const title = (item, i) => plain(item.text || item.name || item.at || item.move || item.title || "") || `${i + 1}`;
  const more = make("button", {textContent: "Add", className: "small"});
  more.setAttribute("aria-label", `Add to ${key.name}`);
  more.addEventListener("click", () => attempt(async () => {
    open.add(value(path).length);
    await (path === "camera.keyframes" ? addKeyframe() : put(items => [...items, fresh(key)]));
    const field = list.lastElementChild && list.lastElementChild.querySelector("input, select, textarea");
    if (field) field.focus();
  }));
  const item = i => {
    const details = make("details", {className: "item", open: open.has(i)}, make("summary", {}, make("span")));
    const build = () => {
      details.open ? open.add(i) : open.delete(i);
      if (!details.open || details.children.length > 1) return;
      for (const own of key.keys)
        details.append(row(own, () => (value(path)[i] || {})[own.name] ?? "", text => put(items => items.map((one, k) => k === i ? {...one, [own.name]: text} : one)),
          () => own.default !== undefined && plain((value(path)[i] || {})[own.name] ?? "") !== plain(own.default),
          () => put(items => items.map((one, k) => k === i ? {...one, [own.name]: own.default} : one))));
      const remove = make("button", {className: "quiet", textContent: "Remove"});
      remove.setAttribute("aria-label", `Remove ${title(value(path)[i], i)}`);
      remove.addEventListener("click", () => attempt(async () => {
        open.clear();
        await put(items => items.filter((one, k) => k !== i));
        more.focus();
      }));
      details.append(remove);
    };
    details.addEventListener("toggle", build);
    details.refresh = () => {
      details.querySelector("summary span").textContent = title(value(path)[i], i);
      details.querySelectorAll(".row").forEach(one => one.refresh());
    };
    build();
    details.refresh();
    return details;
  };
  box.append(make("div", {className: "name"}, make("span", {textContent: key.name.replace(/_/g, " ")})),
    make("p", {className: "about", textContent: key.doc}), list, more);
  box.refresh = () => {
    const count = value(path).length;
    more.hidden = count >= key.items;
    if (list.children.length === count) return [...list.children].forEach(one => one.refresh());
    list.replaceChildren(...value(path).map((one, i) => item(i)));
  };
  box.refresh();
  return box;
}
// A new entry of a list: what must be given, from its example.
function fresh(key) {
  const item = {};
  for (const own of key.keys) {
    const shown = key.example.match(new RegExp(`\\b${own.name}: ("[^"]*"|\\[[^\\]]*\\]|[^,}]*)`));
    if (own.default === undefined) item[own.name] = shown ? shown[1] : own.type === "text" ? '"new"' : "1";
  }
  if ("from" in Object.fromEntries(key.keys.map(k => [k.name, 1]))) item.from = `frame ${frame}`;
  return item;
}

const opened = new Set(["camera", "look"]);
const isChanged = name => changes.has(name);
// Builds the sections that what is searched for leaves.
function buildSections() {
  const asked = $("search").value.trim().toLowerCase();
  ids = 0;
  $("sections").replaceChildren(...keys.sections.map(section => {
    const found = section.keys.filter(k => !asked || `${section.name}.${k.name} ${k.name.replace(/_/g, " ")} ${k.doc}`.toLowerCase().includes(asked));
    const details = make("details", {open: found.length > 0 && (!!asked || opened.has(section.name)), hidden: !found.length},
      make("summary", {}, section.name, make("span", {className: "count"})),
      make("p", {className: "about", textContent: section.doc}));
    const build = () => {
      if (!details.open || details.dataset.built) return;
      details.dataset.built = "1";
      for (const key of found) {
        const name = `${section.name}.${key.name}`;
        const element = key.type === "list" ? listRow(name, key)
          : row(key, () => value(name), text => change({[name]: key.type === "text" ? JSON.stringify(text) : text}), () => isChanged(name), () => change({[name]: null}));
        element.dataset.path = name;
        details.append(element);
      }
    };
    details.addEventListener("toggle", () => {
      if (!asked) details.open ? opened.add(section.name) : opened.delete(section.name);
      build();
    });
    details.refresh = () => {
      const count = section.keys.filter(k => isChanged(`${section.name}.${k.name}`)).length;
      details.querySelector(".count").textContent = count ? `${count} changed` : "";
      [...details.children].forEach(one => one.refresh && one.refresh());
    };
    build();
    return details;
  }));
}
// Shows the scene everywhere on the page.
function fill() {
  if (!$("sections").children.length) buildSections();
  [...$("sections").children].forEach(section => section.refresh());
  $("title").textContent = plain(value("output.title")) || scene.name;
  document.title = `${$("title").textContent} · gravreel view`;
  $("yaml").textContent = scene.yaml.trim() || "# nothing differs from the defaults";
  $("command").textContent = scene.command;
  $("where").textContent = scene.save ? `Save writes ${scene.save}.` : "Copy the scene into scene.yaml first. To save and render from here, start `gravreel view` with --save-scene FILE -o FILM.";
  $("scrub").max = scene.frames - 1;
  $("scrub").value = frame;
  shapes();
  marks();
  tick();
  if (!$("looks").hidden) cards();
}

// ---- looks as pictures ----

const drawn = new Map(); // what a card shows -> its picture
async function cards() {
  const key = keyOf("look.preset");
  const list = $("cards"), [w, h] = [208, 117], turn = ++cards.turn;
  if (!list.children.length)
    for (const option of key.options) {
      const card = make("button", {className: "card"}, make("canvas", {width: w, height: h}), make("b", {textContent: option.name}), make("span", {textContent: option.doc}));
      card.firstChild.setAttribute("aria-hidden", "true");
      card.dataset.preset = option.name;
      card.addEventListener("click", () => attempt(() => change({"look.preset": option.name === "none" ? null : option.name})));
      list.append(card);
    }
  for (const card of list.children)
    card.setAttribute("aria-pressed", plain(changes.get("look.preset") || "none") === card.dataset.preset);
  for (const card of list.children) {
    const name = card.dataset.preset;
    const own = copyOf(changes);
    own.set("look.preset", name);
    const body = form({background: 1, width: w, height: h, frame, quality: 85}, own), text = `${state.stage} ${body}`;
    if (drawn.get(name) === text) continue;
    const answer = await fetch("picture", {method: "POST", body}).catch(() => null);
    if (turn !== cards.turn || !answer) return; // another turn has begun, or the program has ended
    if (answer.status === 202) setTimeout(() => turn === cards.turn && cards(), 500); // its exposure is being found
    if (answer.status !== 200) continue;
    const blob = await answer.blob().catch(() => null);
    if (!blob) return; // the page is being left
    const bitmap = await createImageBitmap(blob);
    card.firstChild.getContext("2d").drawImage(bitmap, 0, 0, w, h);
    drawn.set(name, text);
  }
}
cards.turn = 0;

// ---- shapes ----

const forms = [["16:9", 16, 9], ["9:16", 9, 16], ["1:1", 1, 1]];
function shapes() {
  const side = Math.min(scene.width, scene.height);
  $("shape").replaceChildren(...forms.map(([name, w, h]) => {
    const even = x => 2 * Math.round(x / 2), short = Math.min(w, h);
    const button = make("button", {textContent: name, className: "quiet"});
    button.setAttribute("aria-label", `Shape ${name}`);
    button.setAttribute("aria-pressed", Math.abs(scene.width / scene.height - w / h) < 0.01);
    button.addEventListener("click", () => attempt(() => change({"output.size": `${even(side * w / short)}x${even(side * h / short)}`})));
    return button;
  }));
  $("safe").classList.toggle("tall", scene.height > scene.width);
}
function layout() {
  if (!scene) return;
  const room = $("room"), aspect = scene.width / scene.height;
  room.classList.toggle("tall", aspect < 1);
  const width = Math.min(room.clientWidth, room.clientHeight * aspect);
  $("frame").style.width = `${Math.floor(width)}px`;
  $("frame").style.height = `${Math.floor(width / aspect)}px`;
}

// ---- mouse, touch, keys on the picture ----

function hands() {
  const canvas = $("picture"), touches = new Map();
  let moved = 0;
  const part = pixels => pixels / canvas.clientHeight;
  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    touches.set(event.pointerId, event);
    canvas.classList.add("held");
    moved = 0;
  });
  canvas.addEventListener("pointermove", event => {
    const before = touches.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
    moved += Math.abs(dx) + Math.abs(dy);
    if (touches.size === 2) {
      const other = [...touches].find(([id]) => id !== event.pointerId)[1];
      const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
      const is = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
      if (was > 0 && is > 0) closer(was / is);
      pan(-part(dx) / 2, part(dy) / 2);
    } else if (event.shiftKey || event.buttons & 4) {
      pan(-part(dx), part(dy));
    } else {
      turn(-180 * part(dx), 120 * part(dy));
    }
    touches.set(event.pointerId, event);
  });
  const up = event => {
    touches.delete(event.pointerId);
    if (!touches.size) canvas.classList.remove("held");
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    closer(Math.exp(Math.max(-80, Math.min(80, event.deltaY)) * 0.002));
  }, {passive: false});
  canvas.addEventListener("dblclick", event => {
    const box = canvas.getBoundingClientRect();
    const at = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    if (moved < 8) pick(at, event.shiftKey);
  });
  canvas.addEventListener("keydown", event => {
    const step = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
    if (step && event.shiftKey) pan(-0.03 * step[0], 0.03 * step[1]);
    else if (step) turn(5 * step[0], 5 * step[1]);
    else if (event.key === "+" || event.key === "=") closer(0.9);
    else if (event.key === "-") closer(1 / 0.9);
    else if (event.key === "Enter") pick([0.5, 0.5], event.shiftKey);
    else return;
    event.preventDefault();
  });
}

// ---- the beginning ----

async function begin() {
  wire();
  hands();
  tab("keys");
  $("scrub").addEventListener("input", () => seek(Number($("scrub").value)));
  $("search").addEventListener("input", () => {
    buildSections();
    fill();
  });
  document.querySelector(".tabs").addEventListener("keydown", event => {
    const list = ["keys", "looks", "text"], at = list.findIndex(name => !$(name).hidden);
    const to = {ArrowLeft: at - 1, ArrowRight: at + 1}[event.key];
    if (to === undefined) return;
    const name = list[(to + 3) % 3];
    tab(name);
    $("tab-" + name).focus();
  });
  addEventListener("beforeunload", event => {
    pictures.ended = true;
    if (scene && scene.save && changes.size && saved !== JSON.stringify([...changes])) event.preventDefault();
  });
  [keys, scene] = await Promise.all([ask("keys"), ask("scene")]);
  saved = JSON.stringify([...changes]);
  await restore().catch(problem => say(problem.message, true));
  layout();
  new ResizeObserver(() => {
    layout();
    draw(false);
  }).observe($("room"));
  fill();
  enable();
  draw(true);
  poll();
}
begin().catch(problem => say(problem.message, true));
