'use strict';
// Draws the film of page.h as the renderer does: the shaders are the renderer's own, and the passes
// have the order of render/sprites/sprites.c, render/post/glow.c and render/panel/panel.c.

const at = id => document.getElementById(id);
const film = JSON.parse(at('film').textContent);
const count = film.paths.bodies, last = film.times.length - 1;
const stage = at('stage'), canvas = at('canvas'), time = at('time');

// ---- unpacking ----

async function unpack() {
  const text = at('bodies').textContent;
  at('bodies').remove();
  let packed;
  if (Uint8Array.fromBase64)
    packed = Uint8Array.fromBase64(text);
  else {
    const plain = atob(text);
    packed = new Uint8Array(plain.length);
    for (let i = 0; i < plain.length; i++)
      packed[i] = plain.charCodeAt(i);
  }
  if (typeof DecompressionStream === 'undefined')
    throw new Error('This browser cannot unpack the bodies (DecompressionStream); use one from 2023 or later.');
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The moments of all bodies' paths, see paths.h: those of body i are first[i] .. first[i + 1] - 1, in the order of time.
const first = new Uint32Array(count + 1), moment = new Uint16Array(film.paths.moments);
const state = new Float32Array(6 * film.paths.moments); // x y z vx vy vz

// The cubic Hermite polynomial at frame `now` between two moments.
function between(from, to, now, a, ai, b, bi, out) {
  const h = to - from;
  if (h === 0) {
    for (let i = 0; i < 6; i++)
      out[i] = a[ai + i];
    return;
  }
  const u = (now - from) / h, v = 1 - u;
  const pa = v * v * (1 + 2 * u), pb = u * u * (3 - 2 * u), va = h * u * v * v, vb = -h * u * u * v;
  const speed = 6 * u * v / h, sa = v * (1 - 3 * u), sb = u * (3 * u - 2);
  for (let i = 0; i < 3; i++) {
    const p = a[ai + i], q = b[bi + i], r = a[ai + 3 + i], s = b[bi + 3 + i];
    out[i] = pa * p + pb * q + va * r + vb * s;
    out[3 + i] = speed * (q - p) + sa * r + sb * s;
  }
}

function decode(bytes) {
  const {tolerance, lengths} = film.paths, streams = 7, places = new Uint32Array(lengths.length);
  for (let i = 1; i < lengths.length; i++)
    places[i] = places[i - 1] + lengths[i - 1];
  const all = Math.abs(film.times[last] - film.times[0]), least = all > 0 ? 1e-6 * all : 1;
  const speedStep = (from, to) => 3 * tolerance / Math.max(0.5 * Math.abs(film.times[to] - film.times[from]), least);
  function number(stream) {
    let rest = 0, scale = 1, byte;
    do {
      byte = bytes[places[stream]++];
      rest += (byte & 127) * scale;
      scale *= 128;
    } while (byte & 128);
    return rest % 2 ? -(rest + 1) / 2 : rest / 2;
  }
  let used = 0;
  function keep(frame, row) {
    moment[used] = frame;
    state.set(row, 6 * used++);
  }
  const middle = Array.from({length: lengths.length / streams + 1}, () => new Float32Array(6)), expected = new Float64Array(6);
  function take(level, step, speed, row) {
    for (let i = 0; i < 3; i++) {
      row[i] = expected[i] + number(level * streams + 1 + i) * step;
      row[3 + i] = expected[3 + i] + number(level * streams + 4 + i) * speed;
    }
  }
  function divide(level, from, to, a, b) {
    if (to - from < 2 || !bytes[places[level * streams]++])
      return;
    const half = from + (to - from >> 1), row = middle[level + 1];
    between(film.times[from], film.times[to], film.times[half], a, 0, b, 0, expected);
    take(level + 1, tolerance, speedStep(from, to), row);
    divide(level + 1, from, half, a, row);
    keep(half, row);
    divide(level + 1, half, to, row, b);
  }
  const a = new Float32Array(6), b = new Float32Array(6), whole = speedStep(0, last);
  for (let i = 0; i < count; i++) {
    first[i] = used;
    expected.fill(0);
    take(0, tolerance, whole, a);
    keep(0, a);
    if (last === 0)
      continue;
    expected.set(a);
    take(0, tolerance, whole, b);
    divide(0, 0, last, a, b);
    keep(last, b);
  }
  first[count] = used;
  return lengths.reduce((sum, length) => sum + length, 0);
}

// Columns: floats that stay, or bytes at some frames; then masses.
function decodeColumns(bytes, place) {
  const floats = () => {
    const out = new Float32Array(bytes.slice(place, place + 4 * count).buffer);
    place += 4 * count;
    return out;
  };
  for (const column of film.columns) {
    column.now = column.constant ? floats() : new Float32Array(count);
    if (column.constant) {
      column.now = column.now.map(value => value > 1e30 || Number.isNaN(value) ? column.none : value);
      continue;
    }
    column.codes = film.column_frames.map(() => {
      const codes = bytes.slice(place, place + count);
      place += count;
      return codes;
    });
    column.codes.reduce((before, codes) => codes.forEach((code, i) => { codes[i] = code + before[i]; }) || codes);
  }
  if (film.masses)
    floats().forEach((mass, i) => { positions[4 * i + 3] = mass; });
}

// ---- the bodies at a time ----

const positions = new Float32Array(4 * count).fill(1), velocities = new Float32Array(4 * count), cursor = new Uint32Array(count);

// The simulated time of a frame with a fraction.
function timeOf(frame) {
  const below = Math.min(Math.floor(frame), Math.max(last - 1, 0)), part = frame - below;
  return last === 0 ? film.times[0] : film.times[below] * (1 - part) + film.times[below + 1] * part;
}

function move(frame) {
  const now = timeOf(frame), out = new Float64Array(6);
  for (let i = 0; i < count; i++) {
    let m = Math.max(cursor[i], first[i]);
    const end = first[i + 1] - 1;
    while (m + 1 < end && moment[m + 1] <= frame)
      m++;
    while (m > first[i] && moment[m] > frame)
      m--;
    cursor[i] = m;
    const next = Math.min(m + 1, end);
    between(film.times[moment[m]], film.times[moment[next]], now, state, 6 * m, state, 6 * next, out);
    for (let k = 0; k < 3; k++) {
      positions[4 * i + k] = out[k];
      velocities[4 * i + k] = out[3 + k];
    }
  }
}

function moveColumns(frame) {
  const frames = film.column_frames;
  let k = 0;
  while (k + 2 < frames.length && frames[k + 1] <= frame)
    k++;
  const next = Math.min(k + 1, frames.length - 1);
  const part = next > k ? Math.min(1, (frame - frames[k]) / (frames[next] - frames[k])) : 0;
  for (const column of film.columns) {
    if (column.constant)
      continue;
    const a = column.codes[k], b = column.codes[next], low = Math.log(column.low);
    const scale = Math.log(column.high / column.low) / 253;
    for (let i = 0; i < count; i++) {
      let code = part < 0.5 ? a[i] : b[i];
      if (code < 2) {
        column.now[i] = code ? 0 : column.none;
        continue;
      }
      if (a[i] > 1 && b[i] > 1)
        code = a[i] + (b[i] - a[i]) * part;
      column.now[i] = Math.exp(low + scale * (code - 2));
    }
  }
}

// ---- vectors and the camera ----

const add = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const size = a => Math.hypot(a[0], a[1], a[2]);
const unit = a => add([0, 0, 0], 1 / size(a), a);
const radians = Math.PI / 180;

function axes(aim) {
  const back = unit(add(aim.eye, -1, aim.target)), right = unit(cross(aim.up, back));
  return {right, up: cross(back, right), back, distance: size(add(aim.eye, -1, aim.target))};
}

// The film's aim at a frame with a fraction.
function filmAim(frame) {
  const below = Math.min(Math.floor(frame), last), above = Math.min(below + 1, last), part = frame - below;
  const value = i => film.aims[10 * below + i] * (1 - part) + film.aims[10 * above + i] * part;
  const vector = i => [value(i), value(i + 1), value(i + 2)];
  return {eye: vector(0), target: vector(3), up: vector(6), fov: value(9)};
}

function turnAround(v, angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return [c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]];
}

// What the viewer has done to the film's camera: turned it by degrees, come closer, moved it aside.
const still = {turn: 0, tilt: 0, closer: 1, aside: [0, 0, 0]};
let mine = {...still}, held = null, brighter = 1;

function aimAt(frame) {
  const aim = filmAim(held === null ? frame : held);
  aim.target = add(aim.target, 1, mine.aside);
  aim.eye = add(aim.eye, 1, mine.aside);
  let offset = turnAround(add(aim.eye, -1, aim.target), mine.turn * radians);
  aim.up = turnAround(aim.up, mine.turn * radians);
  aim.eye = add(aim.target, 1, offset);
  const {up, back, distance} = axes(aim), c = Math.cos(mine.tilt * radians), s = Math.sin(mine.tilt * radians);
  offset = add(add([0, 0, 0], c, back), s, up);
  aim.up = add(add([0, 0, 0], c, up), -s, back);
  aim.eye = add(aim.target, distance / mine.closer, offset);
  return aim;
}

// The column-major matrix of a target with a margin, as camera_project has it. `rows`: of the film's picture.
function project(aim, width, height, rows, margin) {
  const {right, up, back, distance} = axes(aim), near = distance * 1e-3, far = distance * 1e3;
  const pixel = 2 * Math.tan(aim.fov * radians / 2) * near / rows;
  const half = [pixel * (width / 2 + margin), pixel * (height / 2 + margin)];
  const view = [0, 1, 2].map(i => [right[i], up[i], back[i], 0]);
  view.push([-dot(right, aim.eye), -dot(up, aim.eye), -dot(back, aim.eye), 1]);
  return view.flatMap(v => [near / half[0] * v[0], near / half[1] * v[1],
    -(far + near) / (far - near) * v[2] - 2 * far * near / (far - near) * v[3], -v[2]]);
}

// ---- GL ----

const gl = canvas.getContext('webgl2', {alpha: false, antialias: false, depth: false, preserveDrawingBuffer: true});
const HEAD = '#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n' +
  '#define isinf(x) ((x) >= 1e29)\n'; // some drivers assume that no number is infinite
let deep; // whether 32-bit floats can be added up

function compile(kind, text) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, HEAD + text);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
    throw new Error('A shader does not compile on this WebGL: ' + gl.getShaderInfoLog(shader));
  return shader;
}

class Program {
  constructor(vertex, fragment, values = {}) {
    this.program = gl.createProgram();
    gl.attachShader(this.program, compile(gl.VERTEX_SHADER, vertex));
    gl.attachShader(this.program, compile(gl.FRAGMENT_SHADER, fragment));
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error('A program does not link on this WebGL: ' + gl.getProgramInfoLog(this.program));
    this.uniforms = {};
    for (let i = 0; i < gl.getProgramParameter(this.program, gl.ACTIVE_UNIFORMS); i++) {
      const {name, type} = gl.getActiveUniform(this.program, i);
      this.uniforms[name.split('[')[0]] = {type, place: gl.getUniformLocation(this.program, name)};
    }
    this.use();
    for (const name in values)
      this.set(name, ...values[name]);
  }

  use() {
    gl.useProgram(this.program);
  }

  set(name, ...numbers) {
    const uniform = this.uniforms[name];
    if (!uniform)
      return;
    switch (uniform.type) {
      case gl.FLOAT: gl.uniform1fv(uniform.place, numbers); break;
      case gl.FLOAT_VEC2: gl.uniform2fv(uniform.place, numbers); break;
      case gl.FLOAT_VEC3: gl.uniform3fv(uniform.place, numbers); break;
      case gl.FLOAT_VEC4: gl.uniform4fv(uniform.place, numbers); break;
      case gl.FLOAT_MAT4: gl.uniformMatrix4fv(uniform.place, false, numbers); break;
      case gl.INT_VEC2: gl.uniform2iv(uniform.place, numbers); break;
      case gl.UNSIGNED_INT: gl.uniform1ui(uniform.place, numbers[0] >>> 0); break;
      default: gl.uniform1i(uniform.place, numbers[0]);
    }
  }
}

class Target {
  constructor(width, height, full, smooth) {
    Object.assign(this, {width, height});
    this.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, full && deep ? gl.RGBA32F : gl.RGBA16F, width, height);
    for (const which of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, which, smooth ? gl.LINEAR : gl.NEAREST);
    for (const which of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D, which, gl.CLAMP_TO_EDGE);
    this.framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.texture, 0);
  }

  free() {
    gl.deleteFramebuffer(this.framebuffer);
    gl.deleteTexture(this.texture);
  }
}

function bind(target) {
  gl.bindFramebuffer(gl.FRAMEBUFFER, target ? target.framebuffer : null);
  gl.viewport(0, 0, target ? target.width : canvas.width, target ? target.height : canvas.height);
}

// Draws a pass over all of a target; `textures` are bound to the units 0, 1, ...
function pass(program, target, ...textures) {
  addPass(program, target, 0, ...textures);
}

// The same, added to a share of what the target has.
function addPass(program, target, keeps, ...textures) {
  textures.forEach((texture, i) => {
    gl.activeTexture(gl.TEXTURE0 + i);
    gl.bindTexture(gl.TEXTURE_2D, texture);
  });
  bind(target);
  if (keeps > 0)
    gl.enable(gl.BLEND);
  else
    gl.disable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.CONSTANT_ALPHA);
  gl.blendColor(0, 0, 0, keeps);
  gl.bindVertexArray(null);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}

// ---- sizes, as in render/sprites/setup.c ----

// The picture's rows: those of the film's frame within the canvas.
function frameRows() {
  return Math.min(canvas.height, canvas.width * film.height / film.width);
}

function sizes() {
  const given = film.size, rows = film.stretch > 0 ? frameRows() / film.stretch : frameRows();
  const out = {nominal: given.point * rows / 1080, smallest: given.smallest, star: 0};
  if (given.square) {
    out.nominal = out.smallest = out.largest = out.fading = Math.max(Math.round(out.nominal), 1);
  } else if (given.adaptive) {
    out.largest = out.fading = given.level;
    out.star = Math.max(given.star * (rows / 1080) ** (rows < 1080 ? given.coarser : given.finer), given.smallest);
  } else if (given.radius > 0) {
    out.fading = Math.max(Math.min(canvas.width, canvas.height), given.smallest);
    out.largest = 16 * out.fading;
  } else {
    out.largest = out.fading = Math.max(out.nominal, given.smallest) * 6;
  }
  out.quads = out.largest > gl.getParameter(gl.ALIASED_POINT_SIZE_RANGE)[1];
  out.margin = out.largest / 2;
  if (out.quads || given.adaptive)
    out.margin = Math.min(out.margin, Math.max(16, canvas.height / 45));
  out.margin = Math.ceil(out.margin);
  return out;
}

function planLevels(width, height, whole, most) {
  const sprite = film.size.level, border = 2, guard = 2 * sprite, list = [];
  let levels = 1, above = 0, wide = 0, high = 0;
  while (levels < most && sprite * 2 ** (levels - 1) < 4 * whole)
    levels++;
  for (let l = 0; l < levels; l++) {
    const more = l > 0 ? 2 * border + 1 : 0;
    const level = {width: Math.ceil(width / 2 ** l) + more, height: Math.ceil(height / 2 ** l) + more,
      x: l > 0 ? list[0].width + guard : 0, y: above};
    if (l > 0)
      above += level.height + guard;
    wide = Math.max(wide, level.x + level.width + guard);
    high = Math.max(high, level.y + level.height + guard);
    list.push(level);
  }
  return {list, width: wide, height: high};
}

const levelBegin = (l, corner) => l > 0 ? Math.floor(corner / 2 ** l) - 2 : corner;

// ---- glow ----

// Abramowitz and Stegun, 7.1.26
function erfc(x) {
  const t = 1 / (1 + 0.3275911 * x);
  return t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * Math.exp(-x * x);
}

function glowShares(levels, rows) {
  const deviation = l => {
    const texel = 4 ** (l + 1), smooths = 2 * 0.195 + 3 / 16;
    return Math.sqrt(0.25 * (texel - 1) + smooths * (texel - 4) * 4 / 3 + smooths * 4);
  };
  const narrower = wide => erfc(film.wings * rows / (Math.SQRT2 * wide)), shares = [];
  let coarser = 0;
  for (let l = levels - 1; l >= 0; l--) {
    const below = l > 0 ? narrower(Math.sqrt(deviation(l - 1) * deviation(l))) : 0;
    const weight = narrower(Math.sqrt(deviation(l) * deviation(l + 1))) - below;
    coarser += weight;
    shares[l] = coarser > 0 ? weight / coarser : 1;
  }
  return shares;
}

// ---- drawing ----

const programs = {}, buffers = [], bloomNear = 0.4;
let room = null; // targets for the canvas's present size

function begin() {
  if (!gl)
    throw new Error('This browser has no WebGL 2, which this page draws with.');
  if (!gl.getExtension('EXT_color_buffer_float'))
    throw new Error('This WebGL cannot draw into targets of floats (EXT_color_buffer_float), which adding up light needs.');
  deep = gl.getExtension('EXT_float_blend') !== null;
  const full = text => text + film.passes.pass;
  programs.points = new Program(film.sprites.vertex, film.sprites.fragment, film.sprites.values);
  programs.look = new Program(film.passes.fullscreen, full(film.look.fragment), film.look.values);
  programs.look.set('light', 0);
  programs.look.set('bloom', 1);
  programs.look.set('glow', 2);
  programs.look.set('glow_share', film.glow);
  programs.look.set('bloom_share', film.bloom);
  if (film.size.adaptive) {
    programs.levels = new Program(film.passes.fullscreen, full(film.passes.levels));
    programs.levels.set('coarser', 1);
  }
  if (film.glow > 0) {
    programs.down = new Program(film.passes.fullscreen, full(film.passes.glow_down));
    programs.up = new Program(film.passes.fullscreen, full(film.passes.glow_up));
    programs.up.set('coarser', 1);
    programs.smooth = new Program(film.passes.fullscreen, full(film.passes.glow_smooth), {reach: [0.39]});
  }
  if (film.bloom > 0) {
    const up = full(film.passes.bloom_up);
    programs.quarter = new Program(film.passes.fullscreen, '#define QUARTER\n' + full(film.passes.bloom_down));
    programs.half = new Program(film.passes.fullscreen, full(film.passes.bloom_down));
    programs.tent = new Program(film.passes.fullscreen, up, {step_size: [1], weight: [1]});
    programs.grow = new Program(film.passes.fullscreen, up, {step_size: [0.5], weight: [1 - bloomNear]});
  }
  for (const [place, width] of attributes())
    buffers[place] = {buffer: gl.createBuffer(), width};
}

// Places of attributes, and their numbers.
function attributes() {
  return [[0, 4], [1, 4], ...film.columns.map((_, k) => [film.first_column + k, 1])];
}

function makeRoom() {
  if (room) {
    const old = [room.light, room.atlas, room.spare, ...room.sums, ...room.glow.flat(), ...room.bloom];
    old.forEach(target => target && target.free());
  }
  const own = sizes(), width = canvas.width + 2 * own.margin, height = canvas.height + 2 * own.margin;
  room = {own, width, height, light: new Target(width, height, false, true), atlas: null, spare: null, sums: [], glow: [], bloom: []};
  if (film.size.adaptive) {
    const most = Number(/#define LEVELS (\d+)/.exec(film.sprites.vertex)[1]);
    room.levels = planLevels(width, height, Math.max(canvas.width, canvas.height), most);
    room.atlas = new Target(room.levels.width, room.levels.height, true, false);
    room.levels.list.forEach((level, l) => { if (l > 0) room.sums[l] = new Target(level.width, level.height, true, false); });
  }
  for (let w = width, h = height; film.glow > 0 && h > 6 && room.glow.length < 14;) {
    w = w + 1 >> 1;
    h = h + 1 >> 1;
    room.glow.push([new Target(w, h, false, true), new Target(w, h, false, true)]);
  }
  for (let w = width, h = height; film.bloom > 0 && room.bloom.length < 12 && (room.bloom.length === 0 || h > 12);) {
    const factor = room.bloom.length > 0 ? 2 : 4;
    w = Math.ceil(w / factor);
    h = Math.ceil(h / factor);
    room.bloom.push(new Target(w, h, false, true));
    room.spare ??= new Target(w, h, false, true);
  }
  room.shares = glowShares(room.glow.length, frameRows());
  if (own.quads && !programs.quads)
    programs.quads = new Program('#define QUADS\n' + film.sprites.vertex, '#define QUADS\n' + film.sprites.fragment, film.sprites.values);
}

function upload() {
  const arrays = [positions, velocities, ...film.columns.map(column => column.now)];
  attributes().forEach(([place], i) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[place].buffer);
    gl.bufferData(gl.ARRAY_BUFFER, arrays[i], gl.DYNAMIC_DRAW);
  });
}

// Points read all bodies; quads are instances of one group's, each `times` times.
function attach(begin, divisor) {
  for (const [place, width] of attributes()) {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[place].buffer);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, width, gl.FLOAT, false, 0, 4 * width * begin);
    gl.vertexAttribDivisor(place, divisor);
  }
}

function detach() {
  for (const [place] of attributes()) {
    gl.vertexAttribDivisor(place, 0);
    gl.disableVertexAttribArray(place);
  }
}

function placeLevels(program, corner) {
  const {list, width, height} = room.levels, sprite = film.size.level, places = [], bounds = [];
  const atlas = [width, height];
  list.forEach((level, l) => {
    const low = [level.x, level.y], whole = [list[0].width, list[0].height], own = [level.width, level.height];
    const half = [0, 1].map(i => whole[i] / 2 / 2 ** l);
    const middle = [0, 1].map(i => low[i] + sprite + corner / 2 ** l + half[i] - levelBegin(l, corner));
    places.push(...[0, 1].map(i => 2 * half[i] / atlas[i]), ...[0, 1].map(i => 2 * middle[i] / atlas[i] - 1));
    bounds.push(...[0, 1].map(i => 2 * (low[i] + sprite / 2) / atlas[i] - 1),
      ...[0, 1].map(i => 2 * (low[i] + 1.5 * sprite + own[i]) / atlas[i] - 1));
  });
  program.set('level_place', ...places);
  program.set('level_bounds', ...bounds);
  program.set('last_level', list.length - 1);
}

function drawBodies(frame) {
  const aim = aimAt(frame), {distance, up} = axes(aim), {own} = room, rows = frameRows();
  const program = own.quads ? programs.quads : programs.points, target = room.atlas || room.light;
  const focal = rows / (2 * Math.tan(aim.fov * radians / 2)); // pixels per unit of length at a depth of one
  const times = 1 + (own.star > 0 ? film.size.stars : 0);
  const exposure = film.exposures[Math.min(Math.round(frame), last)] * brighter;
  program.use();
  if (room.atlas)
    placeLevels(program, -own.margin);
  program.set('view_projection', ...project(aim, canvas.width, canvas.height, rows, own.margin));
  program.set('eye', ...aim.eye);
  program.set('upright', ...up);
  program.set('target_distance', distance);
  program.set('size_at_unit_depth', film.size.square ? own.nominal : film.size.adaptive ? 2 * focal
    : film.size.radius > 0 ? 2 * film.size.radius * focal : own.nominal * distance);
  program.set('body_radius', film.size.square || film.size.adaptive ? 0 : film.size.radius);
  program.set('size_limits', own.smallest, own.largest, own.fading);
  program.set('star_size', own.star);
  program.set('target_size', target.width, target.height);
  program.set('first_star', 0);
  program.set('shift', 0, 0);
  program.set('moment', 0);
  bind(target);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE);
  gl.bindVertexArray(null);
  attach(0, 0);
  for (const group of film.groups) {
    program.set('light', group.light * exposure);
    program.set('tint', ...group.tint);
    program.set('tinted_only', group.given);
    if (film.tinted)
      program.set('saturation', group.given ? 1 : film.sprites.values.saturation?.[0] ?? 1);
    program.set('before', group.number - group.first);
    program.set('quad_first', group.first);
    if (own.quads)
      attach(group.first, times);
    if (own.quads)
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, group.count * times);
    else
      gl.drawArraysInstanced(gl.POINTS, group.first, group.count, times);
  }
  detach();
}

function addLevels() {
  const {list} = room.levels, corner = -room.own.margin;
  programs.levels.use();
  for (let l = list.length - 1; l >= 0; l--) {
    const coarsest = l + 1 === list.length;
    programs.levels.set('level_corner', list[l].x + film.size.level, list[l].y + film.size.level);
    programs.levels.set('coarser_share', coarsest ? 0 : 1);
    const origin = levelBegin(l, corner) / 2 - levelBegin(l + 1, corner);
    programs.levels.set('coarser_origin', origin, origin);
    pass(programs.levels, l > 0 ? room.sums[l] : room.light, room.atlas.texture, (coarsest ? room.atlas : room.sums[l + 1]).texture);
  }
}

// Returns the target with the light, all of it spread.
function makeGlow() {
  const {glow, shares} = room;
  let from = room.light, coarser = null;
  programs.down.use();
  for (const [level] of glow) {
    programs.down.set('source_texel', 1 / from.width, 1 / from.height);
    pass(programs.down, level, from.texture);
    from = level;
  }
  for (let l = glow.length - 1; l >= 0; l--) {
    let [source, target] = glow[l];
    if (coarser) {
      programs.up.use();
      programs.up.set('coarser_texel', 1 / coarser.width, 1 / coarser.height);
      programs.up.set('own_share', shares[l]);
      pass(programs.up, target, source.texture, coarser.texture);
      [source, target] = [target, source];
    }
    programs.smooth.use();
    programs.smooth.set('source_texel', 1 / source.width, 1 / source.height);
    pass(programs.smooth, target, source.texture);
    coarser = target;
  }
  return coarser;
}

// Returns the target with bloom, at a quarter of the size.
function makeBloom() {
  const {bloom, spare} = room;
  const go = (program, from, to, keeps = 0) => {
    program.use();
    program.set('source_texel', 1 / from.width, 1 / from.height);
    addPass(program, to, keeps, from.texture);
  };
  bloom.forEach((level, l) => go(l > 0 ? programs.half : programs.quarter, l > 0 ? bloom[l - 1] : room.light, level));
  go(programs.tent, bloom[0], spare);
  go(programs.tent, spare, bloom[0]);
  for (let l = bloom.length - 2; l >= 0; l--)
    go(programs.grow, bloom[l + 1], bloom[l], bloomNear);
  return bloom[0];
}

const valueAt = (list, frame) => {
  const below = Math.min(Math.floor(frame), last), above = Math.min(below + 1, last);
  return list[below] + (list[above] - list[below]) * (frame - below);
};

let shown = -1; // the frame whose bodies are in the buffers

function draw(frame) {
  if (gl.isContextLost())
    return;
  if (!room || room.width - 2 * room.own.margin !== canvas.width || room.height - 2 * room.own.margin !== canvas.height)
    makeRoom();
  if (shown !== frame) {
    move(frame);
    moveColumns(frame);
    upload();
    shown = frame;
  }
  drawBodies(frame);
  if (room.atlas)
    addLevels();
  const {margin} = room.own, {look} = programs;
  const glow = film.glow > 0 ? makeGlow() : null, bloom = film.bloom > 0 ? makeBloom() : null;
  look.use();
  for (const [name, target, factor] of [['glow_place', glow, 2], ['bloom_place', bloom, 4]])
    if (target) {
      const texel = [1 / factor / target.width, 1 / factor / target.height];
      look.set(name, margin * texel[0], margin * texel[1], ...texel);
    }
  look.set('margin', margin, margin);
  look.set('corner', 0, 0);
  look.set('exposure', 1); // the light is exposed already
  look.set('seen', overlayOn && film.card_covers ? 1 - valueAt(film.cards, frame) : 1);
  pass(look, null, room.light.texture, (bloom || room.light).texture, (glow || room.light).texture);
  canvas.style.opacity = overlayOn ? valueAt(film.fades, frame) : 1;
}

// ---- title, clock, scale bar, captions ----

let overlayOn = true;

// Smooth, 0 to 1, as overlay_caption_opacity.
function captionOpacity(seconds, caption) {
  const smooth = x => { x = Math.min(Math.max(x, 0), 1); return x * x * (3 - 2 * x); };
  const half = (caption.ends - caption.begins) / 2, fade = Math.max(Math.min(film.caption_fade, half), 1e-6);
  return smooth((seconds - caption.begins) / fade) * smooth((caption.ends - seconds) / fade);
}

function scaleBar(aim) {
  const bar = at('scale'), {distance} = axes(aim), rows = stageFrame().height;
  const perUnit = rows / (2 * Math.tan(aim.fov * radians / 2) * distance), longest = 0.18 * stageFrame().width / perUnit;
  const kpc = film.length_kpc > 0 ? film.length_kpc : 0;
  const units = kpc ? [['Mpc', 1e3], ['kpc', 1], ['pc', 1e-3], ['au', 1e-3 / 206264.8]] : [['units', 1]];
  const reach = longest * (kpc || 1), [name, unit] = units.find(one => reach >= one[1]) || units.at(-1);
  let step = 10 ** Math.floor(Math.log10(reach / unit));
  step *= reach / unit >= 5 * step ? 5 : reach / unit >= 2 * step ? 2 : 1;
  bar.hidden = !film.scale_bar;
  bar.firstElementChild.textContent = `${Number(step.toPrecision(1)).toLocaleString('en')} ${name}`;
  bar.lastElementChild.style.width = `${step * unit / (kpc || 1) * perUnit}px`;
}

// The film's picture within the stage, in CSS pixels.
function stageFrame() {
  const wide = stage.clientWidth, high = stage.clientHeight, scale = Math.min(wide / film.width, high / film.height);
  return {width: film.width * scale, height: film.height * scale, left: (wide - film.width * scale) / 2, top: (high - film.height * scale) / 2};
}

function tell(frame, aim) {
  const overlay = at('overlay'), place = stageFrame(), seconds = frame / pace();
  overlay.hidden = !overlayOn;
  overlay.style.fontSize = `${Math.max(Math.min(place.width, place.height) * film.letters / 1080, 12)}px`;
  const card = valueAt(film.cards, frame);
  at('title').textContent = film.shows_title ? film.title : '';
  at('title').style.opacity = 1 - card;
  at('clock').textContent = film.clocks[Math.min(Math.round(frame), last)] || '';
  at('card').style.opacity = card;
  const caption = film.captions.findLast(one => one.begins <= seconds && seconds <= one.ends);
  at('caption').textContent = caption ? caption.text : '';
  at('caption').style.opacity = caption ? captionOpacity(seconds, caption) : 0;
  if (caption && caption.text !== told && overlayOn)
    at('told').textContent = caption.text;
  told = caption ? caption.text : '';
  scaleBar(aim);
}
let told = '';

// ---- time ----

let frame = 0, playing = false, before = 0, asked = false;

const pace = () => film.fps / (last > 0 ? (film.frames[last] - film.frames[0]) / last : 1); // frames kept, per second

function ask() {
  if (asked)
    return;
  asked = true;
  requestAnimationFrame(now => {
    asked = false;
    if (playing) {
      frame = Math.min(frame + (now - before) / 1000 * pace(), last);
      before = now;
      if (frame === last)
        play(false);
      else
        ask();
    }
    show();
  });
}

const clockText = seconds => `${Math.floor(seconds / 60)}:${(Math.floor(seconds % 60 * 10) / 10).toFixed(1).padStart(4, '0')}`;

function show() {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const width = Math.max(Math.round(stage.clientWidth * ratio), 1), height = Math.max(Math.round(stage.clientHeight * ratio), 1);
  if (canvas.width !== width || canvas.height !== height)
    Object.assign(canvas, {width, height});
  draw(frame);
  tell(frame, aimAt(frame));
  time.value = frame;
  const seconds = frame / pace();
  time.setAttribute('aria-valuetext', `${seconds.toFixed(1)} seconds${at('clock').textContent ? ', ' + at('clock').textContent : ''}`);
  at('now').textContent = `${clockText(seconds)} / ${clockText(last / pace())}`;
  document.body.dataset.drawn = film.frames[Math.min(Math.round(frame), last)];
}

function play(on) {
  if (on && frame >= last)
    frame = 0;
  playing = on && last > 0;
  before = performance.now();
  at('play').setAttribute('aria-pressed', playing);
  at('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
  ask();
}

function seek(to) {
  frame = Math.min(Math.max(to, 0), last);
  before = performance.now();
  ask();
}

function goToCaption(by) {
  const begins = film.captions.map(one => one.begins * pace()).sort((a, b) => a - b);
  const next = by > 0 ? begins.find(one => one > frame + 0.5) : begins.findLast(one => one < frame - 0.5);
  seek(next ?? (by > 0 ? last : 0));
}

// ---- the viewer's camera ----

function turnBy(x, y) {
  mine.turn += x;
  mine.tilt = Math.min(Math.max(mine.tilt + y, -180), 180);
  ask();
}

function closerBy(factor) {
  mine.closer = Math.min(Math.max(mine.closer * factor, 0.02), 500);
  ask();
}

// By CSS pixels to the right and down.
function panBy(x, y) {
  const aim = aimAt(frame), {right, up, distance} = axes(aim);
  const unit = 2 * Math.tan(aim.fov * radians / 2) * distance / stageFrame().height;
  mine.aside = add(add(mine.aside, -x * unit, right), y * unit, up);
  ask();
}

function reset() {
  mine = {...still};
  held = null;
  brighter = 1;
  at('hold').setAttribute('aria-pressed', 'false');
  ask();
}

function hold() {
  held = held === null ? frame : null;
  at('hold').setAttribute('aria-pressed', held !== null);
  ask();
}

function brighten(factor) {
  brighter *= factor;
  ask();
}

// The camera section that shows what is seen.
function section() {
  const aim = aimAt(frame), {back, distance, right, up} = axes(aim), fixed = x => Number(x.toPrecision(6));
  const vector = v => `[${v.map(fixed).join(', ')}]`;
  const fov = film.stretch > 0 ? 2 * Math.atan(Math.tan(aim.fov * radians / 2) / film.stretch) / radians : aim.fov;
  if (Math.abs(right[2]) > 1e-3 || up[2] < 0)
    return `camera:\n  follow: ""\n  keyframes:\n    - {at: t=0, position: ${vector(aim.eye)}, target: ${vector(aim.target)}, up: ${vector(up)}, fov: ${fixed(fov)}}\n`;
  const elevation = Math.asin(Math.min(Math.max(back[2], -1), 1)) / radians, azimuth = Math.atan2(back[1], back[0]) / radians;
  return `camera:\n  follow: ""\n  frame: fixed\n  target: ${vector(aim.target)}\n  distance: ${fixed(distance)}\n` +
    `  azimuth: ${fixed(azimuth)}\n  elevation: ${fixed(elevation)}\n  orbit: 0\n  zoom: 1\n  fov: ${fixed(fov)}\n`;
}

function showSection() {
  at('yaml').value = section();
  at('section').showModal();
  at('yaml').select();
}

// ---- mouse, touch, keys ----

const fingers = new Map();

function middleOf(list) {
  return {x: list.reduce((sum, one) => sum + one.x, 0) / list.length, y: list.reduce((sum, one) => sum + one.y, 0) / list.length,
    apart: list.length > 1 ? Math.hypot(list[0].x - list[1].x, list[0].y - list[1].y) : 0};
}

stage.addEventListener('pointerdown', event => {
  stage.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
  stage.classList.add('held');
});
stage.addEventListener('pointermove', event => {
  if (!fingers.has(event.pointerId))
    return;
  const was = middleOf([...fingers.values()]);
  fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
  const is = middleOf([...fingers.values()]), x = is.x - was.x, y = is.y - was.y;
  if (fingers.size > 1 || event.shiftKey || event.buttons & 4)
    panBy(x, y);
  else
    turnBy(-180 * x / stage.clientHeight, 180 * y / stage.clientHeight);
  if (was.apart > 0 && is.apart > 0)
    closerBy(is.apart / was.apart);
});
for (const end of ['pointerup', 'pointercancel'])
  stage.addEventListener(end, event => {
    fingers.delete(event.pointerId);
    stage.classList.toggle('held', fingers.size > 0);
  });
stage.addEventListener('wheel', event => {
  event.preventDefault();
  closerBy(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)));
}, {passive: false});
stage.addEventListener('dblclick', reset);

const second = () => pace();
const keys = {
  ' ': () => play(!playing), k: () => play(!playing), ',': () => seek(Math.ceil(frame) - 1), '.': () => seek(Math.floor(frame) + 1),
  Home: () => seek(0), End: () => seek(last), j: () => seek(frame - 5 * second()), l: () => seek(frame + 5 * second()),
  n: () => goToCaption(1), p: () => goToCaption(-1), h: hold, 0: reset, '[': () => brighten(1 / 1.25), ']': () => brighten(1.25),
  '+': () => closerBy(1.15), '=': () => closerBy(1.15), '-': () => closerBy(1 / 1.15), c: showSection, '?': () => at('help').showModal(),
  o: () => { overlayOn = !overlayOn; ask(); }, f: () => { document.body.classList.toggle('bare'); ask(); },
};
const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]'))
    return;
  const arrow = arrows[event.key], onButton = event.target.closest('button'), onLine = event.target === time;
  if (arrow && onLine || event.key === ' ' && onButton || ['Home', 'End'].includes(event.key) && onLine)
    return;
  if (arrow && event.shiftKey)
    panBy(-20 * arrow[0], -20 * arrow[1]);
  else if (arrow)
    turnBy(5 * arrow[0], -5 * arrow[1]);
  else if (keys[event.key])
    keys[event.key]();
  else
    return;
  event.preventDefault();
});

at('play').onclick = () => play(!playing);
at('reset').onclick = reset;
at('hold').onclick = hold;
at('darker').onclick = keys['['];
at('brighter').onclick = keys[']'];
at('camera').onclick = showSection;
at('about').onclick = keys['?'];
time.oninput = () => seek(Number(time.value));
at('copy').onclick = async () => {
  at('yaml').select();
  try {
    await navigator.clipboard.writeText(at('yaml').value);
  } catch {
    document.execCommand('copy'); // a page from a file may not use the clipboard
  }
  at('copy').textContent = 'Copied';
};

// ---- start ----

function describe() {
  const {bodies, error, error_pixels: pixels} = film.paths;
  document.title = film.title || 'gravreel';
  at('figures').textContent = `${bodies.toLocaleString('en')} bodies over ${last + 1} frames. Their paths err by at most ` +
    `${Number(error.toPrecision(2))} lengths, ${Number(pixels.toPrecision(2))} pixels of the film.`;
  time.max = last;
  at('overlay').classList.toggle('prints', film.prints);
  at('card').firstElementChild.textContent = film.title;
  at('card').lastElementChild.textContent = film.subtitle || '';
  const whole = last / pace() || 1, begins = film.frames[0] / film.fps;
  film.captions = film.captions.map(one => ({...one, begins: one.begins - begins, ends: one.ends - begins}))
    .filter(one => one.begins < whole && one.ends > 0);
  for (const one of film.captions) {
    const mark = document.createElement('i');
    const from = Math.max(one.begins, 0);
    mark.style.left = `${100 * from / whole}%`;
    mark.style.width = `${Math.max(100 * (Math.min(one.ends, whole) - from) / whole, 0.4)}%`;
    at('marks').append(mark);
  }
}

// A link can begin at a frame, and with the picture alone: #frame=120,bare
function follow() {
  const parts = location.hash.slice(1).split(',');
  const wanted = parts.map(part => /^frame=(\d+)$/.exec(part)).find(Boolean);
  document.body.classList.toggle('bare', parts.includes('bare'));
  overlayOn = !parts.includes('plain');
  if (wanted)
    frame = Math.min(Math.max((Number(wanted[1]) - film.frames[0]) * pace() / film.fps, 0), last);
}

async function start() {
  try {
    describe();
    follow();
    begin();
    const bytes = await unpack();
    decodeColumns(bytes, decode(bytes));
    at('controls').hidden = false;
    at('message').hidden = true;
    show();
    new ResizeObserver(ask).observe(stage);
    addEventListener('hashchange', () => { follow(); ask(); });
    canvas.addEventListener('webglcontextlost', event => {
      event.preventDefault();
      play(false);
      at('message').textContent = 'The browser has taken the GPU away; reload the page.';
      at('message').hidden = false;
    });
  } catch (error) {
    at('message').textContent = error.message;
    at('message').hidden = false;
    document.body.dataset.failed = error.message;
  }
}

start();
