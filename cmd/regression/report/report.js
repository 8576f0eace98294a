(() => {
'use strict';

const MODES = ['side', 'swap', 'slider', 'onion'], GAINS = [1, 4, 16, 64];
const ZOOM_MAX = 64, LAYERS_MAX = 16, FRAMES_MAX = 6, CROPS_MAX = 12, STARS_MAX = 24, CROP = 4, BLINK = 250;
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const byId = id => document.getElementById(id);

document.documentElement.classList.add('script');

/* ---- the page: drawn from the report; texts are never markup ---- */

const POINTS_MAX = 1000, WIDTH = 1000, HEIGHT = 100, LINKS_MAX = 600, EXCEPTIONS_MAX = 40, MARKS_MAX = 200;
const SVG = new DOMParser().parseFromString('<svg></svg>', 'text/html').querySelector('svg').namespaceURI;
const [report, rules] = ['report', 'rules'].map(id => JSON.parse(byId(id).textContent));
const MARKS = {
  'not applicable': ['–', 'not applicable', 'none'], same: ['✓', 'same', 'same'], within: ['✓', 'within limits', 'within'],
  warned: ['!', 'warned', 'warned'], 'not judged': ['?', 'not judged', 'unjudged'], changed: ['✕', 'changed', 'changed'], follows: ['↳', 'follows', 'follows'],
};
const VERDICTS = Object.keys(MARKS);

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child).replace(/[\0-\x1f\x7f-\x9f]/g, '\ufffd'));
  return element;
}

/* 'span.count' is a span of the class count. */
function h(tag, attributes, ...children) {
  const [name, ...classes] = tag.split('.'), element = document.createElement(name);
  if (classes.length) element.className = classes.join(' ');
  return fill(element, attributes, children);
}
const path = (kind, d) => fill(document.createElementNS(SVG, 'path'), {class: kind, d}, []);
const svg = (height, ...children) => fill(document.createElementNS(SVG, 'svg'),
  {viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true'}, children);

const real = value => value === null ? NaN : value === 'inf' ? Infinity : value === '-inf' ? -Infinity : value;
const four = value => Number.isNaN(value) ? 'not a number' : !Number.isFinite(value) ? 'none'
  : value !== 0 && Math.abs(value) < 1e-4 ? (+value.toPrecision(4)).toExponential() : String(+value.toPrecision(4));
const counted = (unit, count) => count !== 1 || unit.length < 4 || !unit.endsWith('s') ? unit : unit.endsWith('ies') ? unit.slice(0, -3) + 'y' : unit.slice(0, -1);
const mark = verdict => h(`span.mark.${MARKS[verdict][2]}`, {'aria-hidden': 'true'}, MARKS[verdict][0]);
const spoken = verdict => h('span.sr', null, MARKS[verdict][1] + ': ');
const verdictOf = stage => stage.verdict === 'not judged' && stage.follows ? 'follows' : stage.verdict;
const passes = verdict => ['same', 'within', 'warned'].includes(verdict);
const file = path => path.slice(path.lastIndexOf('/', path.length - 2) + 1);

/* "the baseline" and "now" or, of two films, their file names, with their folders if needed to tell the files apart. */
const sideName = (data, side, other, otherwise) => report.command !== 'compare' || !data[side] ? otherwise
  : data[other] && file(data[side]) === file(data[other]) ? data[side] : file(data[side]);

/* A stage that the film does not have counts as neither; a case's frames are those that every judged stage with frames has compared. */
function comparedOf(data) {
  const planned = data.stages.filter(stage => stage.verdict !== 'not applicable'), judged = planned.filter(stage => stage.verdict !== 'not judged');
  const framed = judged.filter(stage => !['scene', 'start', 'container'].includes(stage.stage) && stage.planned > (stage.stage === 'physics' ? 1 : 0) && !stage.substituted);
  const frames = framed.length ? Math.min(...framed.map(stage => stage.compared)) : 0, verb = judged.length && data.a && !data.b && !data.baseline.path ? 'examined' : 'compared';
  return !frames && data.frames ? `${verb} none of ${data.frames} frames, judged ${judged.length} of ${planned.length} stages`
    : `${verb} ${frames} of ${data.frames} frames, ${judged.length} of ${planned.length} stages`;
}

/* For sorting: a frame's own severity or, failing that, the largest share of a limit that a series reaches there. */
const severity = (data, shown) => real(shown.worst) > 0 ? Math.min(real(shown.worst), 1e9) : shown.worst === null ? 1e9 : Math.max(0, ...data.series
  .filter(series => rules[series.rule][3] > 0).map(series => Math.min(Math.abs(real(series.values[shown.frame])) / rules[series.rule][3], 1e9) || 0));

function stageBar(one) {
  return h('ol.stages', {'aria-label': 'Stages'}, one.stages.map((stage, s) => h('li.' + MARKS[verdictOf(stage)][2], null, mark(verdictOf(stage)),
    h('b', null, stage.stage), ' ', h('span.how', null, MARKS[verdictOf(stage)][1],
      stage.verdict === 'changed' && stage.first_frame !== null && ` at ${stage.first_frame}`,
      stage.substituted && h('span.note', null, ` by stored ${s < 5 ? 'states' : 'frames'}`)))));
}

const environment = one => one.environment.length > 0 && h('ul.around', {'aria-label': 'Changed since the baseline'}, one.environment.map(change =>
  h('li', null, h('b', null, change.what), change.before || 'none', ' ', h('span.to', {role: 'img', 'aria-label': 'became'}, '→'), ' ', change.now || 'none')));

const command = (name, line) => line && h('div.command', null, h('span', null, name), h('code', null, line),
  h('button.copy', {type: 'button', hidden: true, 'aria-label': `Copy the line to ${name}`}, 'Copy'));

const list = (kind, title, pairs) => pairs.length > 0 && h('section.' + kind, null, h('h3', null, title),
  h('dl', null, pairs.map(([name, value]) => [h('dt', null, name), h(name === 'date' ? 'dd.date' : 'dd', null, value)])));

/* ---- findings ---- */

function share(finding) {
  const value = real(finding.value), fail = real(finding.fail);
  if (Number.isNaN(value) || Number.isNaN(fail)) return Infinity;
  return fail === Infinity ? 0 : fail > 0 ? value / fail : value > fail ? Infinity : 0;
}

function shareText(finding) {
  const value = real(finding.value), fail = real(finding.fail), used = share(finding);
  if (Number.isNaN(value)) return 'not a number';
  if (fail === Infinity) return 'no limit';
  if (!(fail > 0)) return used === Infinity ? 'none is allowed' : 'none found';
  if (used > 1) return `${used >= 10 && used < 1e9 ? Math.round(used).toLocaleString('en') : +used.toPrecision(2)} x the limit`;
  return used > 0 && used < 0.005 ? 'under 1 % of the limit' : `${Math.round(100 * used)} % of the limit`;
}

/* Those that fail and use most of their limit first; those that only say that something differs after those that say how. */
function byWeight(one, other) {
  const little = finding => finding.rule === 'sequence.failed' || finding.rule.endsWith('.bits');
  return VERDICTS.indexOf(other.verdict) - VERDICTS.indexOf(one.verdict) || little(one) - little(other) || (share(other) > share(one)) - (share(other) < share(one));
}

function place(finding, id) {
  const {frame, tile, pixel, a, b} = finding, at = tile ? `/${tile}` : '';
  return h('td', null, finding.text, frame !== null && [' ', h('a', {href: `#${id}/${frame}${at}`}, `frame ${frame}${tile ? `, tile ${tile}` : ''}`)],
    pixel && h('span.colour', null, `pixel ${pixel} in 16 bits: A ${a.join(' ')}, B ${b.join(' ')}`),
    finding.because && h('span.because', null, 'limit changed because: ' + finding.because));
}

function row(finding, id) {
  const used = share(finding), limit = value => h('td.number', null, Number.isFinite(real(value)) ? four(value) : '–');
  const drawn = Number.isFinite(used) && Number.isFinite(real(finding.fail)) && finding.fail > 0;
  return h('tr', null, h('th', {scope: 'row'}, mark(finding.verdict), spoken(finding.verdict), h('code', null, finding.rule), h('span.doc', null, rules[finding.rule][0])),
    h('td.number', null, four(real(finding.value))), h('td.unit', null, counted(finding.unit, finding.value)), limit(finding.warn), limit(finding.fail),
    h('td.share', null, drawn && h(used > 1 ? 'span.gauge.over' : 'span.gauge', {style: `--share:${Math.round(100 * clamp(used, 0, 1))}%`, 'aria-hidden': 'true'}), shareText(finding)),
    place(finding, id));
}

function numbers(one, id) {
  const heads = [['Rule'], ['Value', 'number'], ['Unit'], ['Warns', 'number'], ['Fails', 'number'], ['Used'], ['What and where']];
  return h('section.numbers', null, h('h3', null, 'Numbers'), h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': `Numbers of ${id}`}, h('table', null,
    h('thead', null, h('tr', null, heads.map(([name, kind]) => h('th', {scope: 'col', class: kind}, name)))),
    one.stages.map(stage => h('tbody', null, h('tr.stage', null, h('th', {colspan: 7, scope: 'rowgroup'}, h('div', null, mark(verdictOf(stage)), h('b', null, stage.stage), ' ',
      h('span.sr', null, MARKS[verdictOf(stage)][1]), stage.sentence && h('span.sentence', null, stage.sentence),
      stage.planned > 0 && h('span.count', null, `${stage.compared} of ${stage.planned} compared`)))),
    stage.findings.sort(byWeight).map(finding => row(finding, id)))))));
}

/* ---- timelines ---- */

const worse = (a, b) => Number.isNaN(a) || Math.abs(b) > Math.abs(a) ? b : a;

/* Points of the drawing, each with the worst value of its frames; limits are those of the finding, or else the rule's. */
function chartOf(one, series) {
  const count = Math.min(one.frames, POINTS_MAX), value = new Array(count).fill(NaN), [doc, unit, warns, fails] = rules[series.rule];
  series.values.forEach((v, f) => { const p = Math.floor(f * count / one.frames); value[p] = worse(value[p], real(v)); });
  const finding = one.stages.flatMap(stage => stage.findings).find(each => each.rule === series.rule);
  const [warn, fail] = finding ? [finding.warn, finding.fail].map(real) : [warns, fails].map(limit => limit === null ? Infinity : limit);
  const most = value.reduce(worse, NaN), used = !most ? 0 : Math.max(fail === Infinity ? 0 : Math.abs(most) / fail, 1e-12);
  return {rule: series.rule, doc, unit, value, warn, fail, most, used, frames: one.frames};
}

/* Rounds up to a number that is easy to read. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8].find(step => step * power >= value) || 10);
}

function fitScale(chart) {
  let least = Infinity, most = 0;
  const widen = value => {
    const size = clamp(Math.abs(value), 1e-300, 1e300);
    if (Number.isFinite(value) && value !== 0) [least, most] = [Math.min(least, size), Math.max(most, size)];
  };
  chart.value.forEach(widen);
  const signed = chart.value.some(value => value < 0), logarithmic = most > 1e3 * least && !signed;
  for (const limit of [chart.fail, chart.warn]) if (limit < (logarithmic ? 1e6 : 20) * most) widen(limit); /* one far above would flatten the values */
  if (most <= 0) most = Number.isFinite(chart.fail) && chart.fail > 0 ? chart.fail : 1;
  const high = logarithmic ? 10 ** Math.ceil(Math.log10(most)) : roundUp(1.04 * most);
  const low = logarithmic ? 10 ** Math.floor(Math.log10(least)) : signed ? -high : 0;
  Object.assign(chart, {signed, logarithmic, low, high});
}

/* The distance from the top. */
function heightOf({logarithmic, low, high}, value) {
  const part = logarithmic ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
  return +(HEIGHT * (1 - clamp(part, 0, 1))).toFixed(2);
}

function timeline(chart) {
  fitScale(chart);
  const {value, fail, warn, high, low, frames} = chart, known = !Number.isNaN(chart.most), last = value.length - 1;
  const spots = value.map((v, p) => [last > 0 ? +(WIDTH * p / last).toFixed(1) : WIDTH / 2, v]).filter(([, v]) => !Number.isNaN(v));
  const trace = (points, first) => points.map(([x, v], i) => `${i && first ? 'L' : 'M'}${x} ${heightOf(chart, v)}h0`).join('');
  const limit = (kind, v) => Number.isFinite(v) && v <= high && (!chart.logarithmic || v > 0) &&
    path(kind, `M0 ${heightOf(chart, v)}H${WIDTH}${chart.signed ? `M0 ${heightOf(chart, -v)}H${WIDTH}` : ''}`);
  const sparse = spots.length < value.length, where = value.indexOf(chart.most);
  return h('figure.timeline', {'data-frames': frames, 'data-unit': chart.unit, 'data-values': value.map(v => Number.isNaN(v) ? '-' : +v.toPrecision(4)).join(' ')},
    h('figcaption', null, h('span.what', null, chart.doc), ' ', h('code', null, chart.rule), h('span.worst', null,
      known ? `worst ${four(chart.most)} ${counted(chart.unit, chart.most)} at frame ${Math.floor(where * frames / value.length)}` : 'not measured',
      Number.isFinite(fail) && [`; limit ${four(fail)}`, known && (Math.abs(chart.most) <= fail ? ', kept' : [', ', h('b', null, 'exceeded')])], chart.logarithmic && '; logarithmic')),
    h('div.plot', null, h('span.high', null, four(high)), h('span.low', null, four(low)), svg(HEIGHT, limit('warn', warn), limit('limit', fail),
      path(sparse ? 'line sparse' : 'line', trace(spots, true)), sparse && path('dots', trace(spots)), path('over', trace(spots.filter(([, v]) => !(Math.abs(v) <= fail)))))),
    h('div.axis', null, h('span', null, 'frame 0'), h('span', null, frames - 1)));
}

/* Those nearest to or beyond their limit first, those without any difference as one sentence. */
function timelines(one) {
  if (!one.series.length || !one.frames) return null;
  const charts = one.series.map(series => chartOf(one, series)).sort((a, b) => b.used - a.used), still = charts.filter(chart => chart.used === 0);
  return h('section.timelines', null, h('h3', null, 'Over the film'), h('div.charts', null, charts.filter(chart => chart.used > 0).map(timeline)),
    still.length > 0 && h('p', null, '0 wherever it was measured: ', still.map((chart, i) => [i ? ', ' : '', h('code', null, chart.rule)])));
}

/* ---- alignment ---- */

/* Frames that lie next to each other and are missing on the same side are told of once. */
function exceptions(steps) {
  const told = [];
  let shift = 0, run = null;
  for (const [kind, a, b] of steps) {
    const side = b === null ? 'A' : a === null ? 'B' : '', at = side === 'A' ? a : b, moved = !side && b - a !== shift;
    if (kind === 'pair') shift = b - a;
    if (run && side === run.side && at === run.last + 1) run.last = at;
    else if (side) told.push(run = {kind, side, first: at, last: at});
    else {
      run = null;
      if (kind === 'repeated') told.push({kind, text: `frame ${b} of B repeats frame ${a} of A`});
      else if (kind === 'swapped') told.push({kind, text: `frame ${b} of B is frame ${a} of A: swapped`});
      else if (moved) told.push({kind, text: `from here on frame ${a} of A is paired with frame ${b} of B`});
    }
  }
  return told.map(({kind, text, side, first, last}) => h('li.' + kind, null, text ||
    `${last > first ? `frames ${first} to ${last} of ${side} are ` : `frame ${first} of ${side} is `}${side === 'A' ? 'missing in B' : 'not in A'}`));
}

function links(steps) {
  const most = steps.reduce((sofar, [, a, b]) => Math.max(sofar, a, b), 1), width = (WIDTH - 8) / most, every = 1 + Math.floor(steps.length / LINKS_MAX);
  const x = frame => +(4 + width * frame).toFixed(1);
  let drawn = 0;
  return svg(40, steps.filter(([kind], s) => kind === 'pair' ? s % every === 0 : drawn++ <= LINKS_MAX).map(([kind, a, b]) =>
    path(kind, b === null ? `M${x(a)} 2v14` : a === null ? `M${x(b)} 24v14` : `M${x(a)} 2L${x(b)} 38`)));
}

function alignment(steps) {
  if (!steps.length) return null;
  const pairs = steps.filter(([kind]) => kind === 'pair').length, told = exceptions(steps), more = told.length - EXCEPTIONS_MAX;
  return h('section.alignment', null, h('h3', null, 'Alignment'), h('p', null, `${pairs} frame${pairs === 1 ? '' : 's'} of A paired with one of B` +
    (told.length ? ', with these exceptions:' : '; none was dropped, repeated or swapped')),
  h('div.strip', null, h('span', null, 'A'), links(steps), h('span', null, 'B')),
  told.length > 0 && h('ul', null, told.slice(0, EXCEPTIONS_MAX), more > 0 && h('li', null, `and ${more} more`)));
}

/* ---- pictures: those of the page, moved to their place ---- */

function marksOf(shown) {
  const kinds = ['missing star', 'added star', 'tile', 'pixel'];
  return shown.marks.sort((a, b) => real(b.value) - real(a.value)).slice(0, MARKS_MAX).map(({kind, x, y, size, value}) => ({kind: kinds.indexOf(kind), x, y, size,
    words: [kind, `at ${x},${y}`, `${+real(value).toPrecision(3)} ${kind === 'tile' ? '× a limit' : 'codes'}`]}));
}

function frameOf(shown, s, one) {
  const titles = [`A, ${one.a}`, `B, ${one.b}`, 'difference'], files = [shown.a, shown.b, shown.difference];
  const [a, b, d] = titles.map((_, side) => byId(`p:${one.index}:${s}:${side}`)), worst = one.worst[s];
  const isWorst = one.worst.length > 1 && one.worst.indexOf(Math.max(...one.worst)) === s, marks = marksOf(shown), more = shown.marks.length - MARKS_MAX;
  [a, b, d].forEach((img, side) => { if (img) img.alt = `Frame ${shown.frame}, ${titles[side]}`; });
  const section = h('section.shown', {'data-frame': shown.frame, 'data-worst': worst, 'data-is-worst': isWorst}, h('h4', null, `Frame ${shown.frame}`,
    real(one.fps) > 0 && h('span', null, ` ${(shown.frame / one.fps).toFixed(2)} s`), isWorst && [' ', h('b.worst', null, 'worst')], shown.why && [' ', h('span.why', null, shown.why)]),
  h('div.triple', null, [a, b, d].map((img, side) => img && h('figure', {'data-side': ['a', 'b', 'difference'][side]}, img,
    h('figcaption', null, titles[side], files[side] && [' ', h('code', null, files[side])])))),
  marks.length > 0 && h('ol.found', null, marks.map(each => h('li', null, h('b', null, each.words[0]), ' ', h('span', null, each.words[1]), ' ', h('span', null, each.words[2])))),
  more > 0 && h('p', null, `and ${more} smaller ones`));
  return {number: shown.frame, worst, isWorst, why: shown.why || '', a, b, marks, section};
}

function clipOf(clip, video, one) {
  const titles = [`A, ${one.a}`, `B, ${one.b}`, 'difference' + (clip.gain > 1 ? ` × ${+clip.gain.toPrecision(3)}` : '')];
  return h('div.clip', null, h('h4', null, 'Clip'), video, h('div.thirds', null, titles.map(title => h('span', null, title))));
}

function pictures(data, one) {
  const video = byId(`c:${one.index}`);
  one.frames = data.shown.map((shown, s) => frameOf(shown, s, {...one, fps: data.fps})).filter(frame => frame.a || frame.b).sort((x, y) => x.number - y.number);
  if (!data.shown.length && !data.clip.frames.length && !video) return null;
  const left = data.shown.length - one.frames.length;
  one.clipFrames = data.clip.frames;
  one.clipRate = real(data.clip.fps) > 0 ? data.clip.fps : 24;
  return h('section.pictures', null, h('h3', null, 'Pictures'), h('div.here', null), h('div.frames', null, one.frames.map(frame => frame.section)),
    video && clipOf(data.clip, video, one),
    left > 0 && h('p.left', null, `${left} of ${data.shown.length} frames are left out, because the page would be too large or a file could not be read.`),
    data.clip.frames.length > 0 && !video && h('p.left', null, 'The clip is left out: it is too large, or no film.'));
}

/* ---- cases ---- */

function caseOf(data) {
  const {id, index} = data, a = sideName(data, 'a', 'b', 'the baseline'), b = sideName(data, 'b', 'a', 'now'), worst = data.shown.map(shown => severity(data, shown));
  const one = {id, a, b, index, worst, clip: null, at: 0, now: 0}, again = data.reproduce && data.reproduce.startsWith('gravreel still ') ? 'frame now' : 'run again';
  const {baseline} = data, sides = data.a && data.b ? [['A', data.a], ['B', data.b]] : [];
  one.article = h('article.case', {id, 'data-case': id, 'aria-labelledby': `${id}:name`, 'data-a': a, 'data-b': b},
    h('header', null, h('h2', {id: `${id}:name`}, mark(data.verdict), spoken(data.verdict), data.name), data.sentence && h('p.sentence', null, data.sentence),
      h('p.facts', null, h('span.compared', null, comparedOf(data)), real(data.seconds) > 0 && [' ', h('span', null, `${data.seconds.toFixed(1)} s`)]),
      stageBar(data), environment(data), command(again, data.reproduce), command('accept', data.accept)),
    pictures(data, one), timelines(data), alignment(data.alignment), numbers(data, id),
    h('div.two', null, list('baseline', 'Baseline', ['file', 'author', 'reason', 'date', 'anchor'].map(name => [name, baseline[name === 'file' ? 'path' : name]]).filter(([, value]) => value)),
      list('sides', 'What was compared', sides)));
  return one;
}

/* A case as one line that expands to its numbers. */
const lineOf = data => h('details.line', {id: data.id}, h('summary', null, mark(data.verdict), spoken(data.verdict), h('b', null, data.name),
  data.sentence && h('span.sentence', null, data.sentence), h('span.compared', null, comparedOf(data))),
data.stages.some(stage => stage.findings.length) && [stageBar(data), environment(data), numbers(data, data.id)]);

const failing = report.cases.filter(data => !passes(data.verdict)).length;
const all = report.cases.map((data, index) => Object.assign(data, {index})).sort((one, other) => passes(one.verdict) - passes(other.verdict));
const navigation = () => h('nav.cases', {'aria-label': 'Cases'}, h('ul', null, all.map(data => h('li', null, h('a', {href: '#' + data.id},
  mark(data.verdict), spoken(data.verdict), h('span.name', null, data.name), !passes(data.verdict) && h('span.cause', null, data.stage || 'not judged'))))));

const full = Math.min(failing, +byId('report').dataset.detailed);
const cases = all.slice(0, full).map(caseOf);
const lines = (from, to, title, ...why) => to > from && h('section.lines', null, h('h2', null, `${to - from} ${title}`), ...why, all.slice(from, to).map(lineOf));
const listed = all.length > 1 && failing > 0;
document.querySelector('h1').prepend(mark(all.length ? report.verdict : 'not judged'));
byId('pictures').replaceWith(h(listed ? 'div.columns' : 'div.columns.alone', null, listed && navigation(), h('main', {id: 'main', tabindex: -1}, cases.map(one => one.article),
  lines(full, failing, 'more that do not pass', h('p', null, 'They are a line each, because the page would be too large; the JSON has all of them.')),
  lines(failing, all.length, 'that pass'),
  !all.length && h('p', null, 'There was no case to compare. A report without one never passes.'))));

const state = {
  one: null, mode: 'side', gain: 4, signed: false, lift: false, marks: true, showing: 'a', swapped: false,
  split: 0.5, blend: 0.5, zoom: 1, x: 0.5, y: 0.5, pixel: null, blink: 0, play: 0, chosen: false, fitted: null, begun: false, all: null,
};

/* ---- pixels ---- */

/* Keeps the latest few. */
function keep(map, key, value, most) {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value);
  return value;
}

const decoded = new Map(), layers = new Map();

async function decode(img) {
  if (!img) return null;
  const picture = new Image();
  picture.src = img.src;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  const pen = canvas.getContext('2d', {willReadFrequently: true});
  pen.drawImage(picture, 0, 0);
  return pen.getImageData(0, 0, canvas.width, canvas.height);
}

async function load(frame) {
  const found = decoded.get(frame);
  if (found) return keep(decoded, frame, found, FRAMES_MAX);
  const [a, b] = await Promise.all([decode(frame.a), decode(frame.b)]);
  return keep(decoded, frame, {a, b}, FRAMES_MAX);
}

/* Faint light as bright as it can be without clipping the brightest. */
const lifted = Uint8ClampedArray.from({length: 256}, (_, v) => 255 * Math.asinh(0.4 * v) / Math.asinh(0.4 * 255));

/* Times the gain; signed: the change of luma, red where B is brighter and blue where it is darker. */
function difference(a, b) {
  if (!a || !b || a.width !== b.width || a.height !== b.height) return null;
  const out = new ImageData(a.width, a.height), from = a.data, to = b.data, pixel = out.data;
  const curve = Uint8ClampedArray.from({length: 256}, (_, v) => state.lift ? lifted[Math.min(state.gain * v, 255)] : state.gain * v);
  for (let i = 0; i < pixel.length; i += 4) {
    if (state.signed) {
      const d = 0.2126 * (to[i] - from[i]) + 0.7152 * (to[i + 1] - from[i + 1]) + 0.0722 * (to[i + 2] - from[i + 2]);
      const v = Math.min(state.gain * Math.abs(d), 255), size = state.lift ? lifted[Math.round(v)] : v;
      pixel[i] = (d > 0 ? 1 : 0.2) * size;
      pixel[i + 1] = (d > 0 ? 0.2 : 0.42) * size;
      pixel[i + 2] = (d > 0 ? 0.14 : 1) * size;
    } else {
      for (let c = 0; c < 3; c++) pixel[i + c] = curve[Math.abs(to[i + c] - from[i + c])];
    }
    pixel[i + 3] = 255;
  }
  return out;
}

/* The brightest of each block: what differs in one pixel stays visible in a small picture. */
function reduce(image, by) {
  const width = Math.ceil(image.width / by), height = Math.ceil(image.height / by), out = new ImageData(width, height);
  for (let y = 0; y < image.height; y++)
    for (let x = 0; x < image.width; x++) {
      const from = 4 * (y * image.width + x), to = 4 * (Math.floor(y / by) * width + Math.floor(x / by));
      for (let c = 0; c < 4; c++) if (image.data[from + c] > out.data[to + c]) out.data[to + c] = image.data[from + c];
    }
  return out;
}

/* A side of a frame as it is drawn. */
function layer(frame, side, by) {
  const found = decoded.get(frame);
  if (!found) return null;
  const key = [state.one.id, frame.number, side, state.lift, side === 'd' ? [state.gain, state.signed, by] : ''].join();
  if (layers.has(key)) return keep(layers, key, layers.get(key), LAYERS_MAX);
  let image = side === 'd' ? difference(found.a, found.b) : found[side];
  if (!image) return null;
  const width = image.width, height = image.height;
  if (side === 'd' && by > 1) image = reduce(image, by);
  if (state.lift && side !== 'd') {
    image = new ImageData(image.data.slice(), image.width, image.height);
    for (let i = 0; i < image.data.length; i++) if (i % 4 !== 3) image.data[i] = lifted[image.data[i]];
  }
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext('2d').putImageData(image, 0, 0);
  return keep(layers, key, {canvas, width, height}, LAYERS_MAX);
}

/* ---- drawing ---- */

const viewer = byId('viewer').content.firstElementChild.cloneNode(true);
const part = name => viewer.querySelector(`[data-is=${name}]`);
const pane = name => viewer.querySelector(`[data-pane=${name}]`);
const frameNow = () => state.one && state.one.frames[state.one.at];

function sizeNow() {
  const found = decoded.get(frameNow());
  return found && (found.a || found.b);
}

/* Where a picture lies in a canvas: scale in CSS pixels per pixel, and its upper left corner. */
function placing(canvas, width, height) {
  const w = canvas.clientWidth, h = canvas.clientHeight, scale = Math.min(w / width, h / height) * state.zoom;
  const bound = (length, room, at) => length <= room ? (room - length) / 2 : clamp(room / 2 - at * length, room - length, 0);
  return {scale, left: bound(width * scale, w, state.x), top: bound(height * scale, h, state.y)};
}

function drawMarks(pen, at, frame) {
  const colours = ['#ffb454', '#59d5e0', '#ff7b72', '#f2f2f2'];
  pen.lineWidth = 1.5;
  pen.font = '12px system-ui, sans-serif';
  const stars = frame.marks.filter(mark => mark.kind < 2).slice(0, STARS_MAX); /* more would hide the picture */
  for (const mark of [...stars, ...frame.marks.filter(each => each.kind >= 2)]) {
    const x = at.left + (mark.x + 0.5) * at.scale, y = at.top + (mark.y + 0.5) * at.scale;
    const half = Math.max((mark.size + (mark.kind < 2 ? 2 : 0)) * at.scale, 5);
    pen.strokeStyle = pen.fillStyle = colours[mark.kind];
    pen.setLineDash(mark.kind === 1 ? [4, 3] : []);
    pen.beginPath();
    if (mark.kind < 2) pen.arc(x, y, half, 0, 2 * Math.PI);
    else if (mark.kind === 2) pen.rect(x - half, y - half, 2 * half, 2 * half);
    else for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      pen.moveTo(x + dx * half, y + dy * half);
      pen.lineTo(x + dx * (half + 6), y + dy * (half + 6));
    }
    pen.stroke();
    if (mark.kind < 2) pen.fillText(mark.kind ? '+' : '−', x + half + 2, y + 4);
  }
  pen.setLineDash([]);
}

function drawPixel(pen, at) {
  if (!state.pixel) return;
  const size = Math.max(at.scale, 3);
  const x = at.left + (state.pixel.x + 0.5) * at.scale - size / 2, y = at.top + (state.pixel.y + 0.5) * at.scale - size / 2;
  pen.lineWidth = 1;
  pen.strokeStyle = '#000';
  pen.strokeRect(x - 1.5, y - 1.5, size + 3, size + 3);
  pen.strokeStyle = '#fff';
  pen.strokeRect(x - 0.5, y - 0.5, size + 1, size + 1);
}

/* What lies over what: side, opacity, and from which share of the width on. */
function recipe(name) {
  if (name !== 'one') return [[name, 1, 0]];
  if (state.mode === 'slider') return [['a', 1, 0], ['b', 1, state.split]];
  if (state.mode === 'onion') return [['a', 1, 0], ['b', state.blend, 0]];
  return [[shownNow(), 1, 0]];
}

const called = side => side === 'd' ? 'the difference' : `${side.toUpperCase()}, ${state.one[side]}`;
const shownNow = () => !state.swapped ? state.showing : state.showing === 'b' ? 'a' : 'b';

function paint(name) {
  const canvas = pane(name).querySelector('canvas'), frame = frameNow(), size = sizeNow();
  if (!canvas.clientWidth || !frame) return;
  const aspect = size ? size.height / size.width : 9 / 16, most = 0.72 * innerHeight;
  const height = Math.round(Math.min(canvas.clientWidth * aspect, most)), ratio = devicePixelRatio || 1;
  canvas.style.height = height + 'px';
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.classList.toggle('zoomed', state.zoom > 1);
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  for (const [side, opacity, from] of recipe(name)) {
    let drawn = size && layer(frame, side, 1), at = drawn && placing(canvas, drawn.width, drawn.height);
    if (!drawn) {
      pen.fillStyle = '#aab4bf';
      pen.font = '14px system-ui, sans-serif';
      pen.fillText(!size ? 'decoding' : side === 'd' ? 'no difference: one is missing, or sizes differ' : 'no picture of this side', 12, 24);
      continue;
    }
    const by = Math.floor(1 / (at.scale * ratio));
    if (side === 'd' && by > 1) drawn = layer(frame, 'd', by);
    pen.save();
    pen.imageSmoothingEnabled = at.scale * ratio < 1;
    pen.imageSmoothingQuality = 'high';
    pen.globalAlpha = opacity;
    if (from > 0) {
      const edge = Math.round(from * canvas.clientWidth);
      pen.beginPath();
      pen.rect(edge, 0, canvas.clientWidth, height);
      pen.clip();
    }
    pen.drawImage(drawn.canvas, at.left, at.top, drawn.width * at.scale, drawn.height * at.scale);
    pen.restore();
  }
  if (name === 'one' && state.mode === 'slider') {
    pen.fillStyle = '#ffffffcc';
    pen.fillRect(Math.round(state.split * canvas.clientWidth) - 1, 0, 1.5, height);
  }
  if (!size) return;
  const at = placing(canvas, size.width, size.height);
  if (state.marks) drawMarks(pen, at, frame);
  drawPixel(pen, at);
}

let asked = false;
function draw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    for (const name of state.mode === 'side' ? ['a', 'b', 'd'] : ['one']) paint(name);
    describe();
  });
}

function describe() {
  const size = sizeNow(), canvas = pane(state.mode === 'side' ? 'a' : 'one').querySelector('canvas');
  const scale = size && canvas.clientWidth ? placing(canvas, size.width, size.height).scale : 1;
  part('zoom').textContent = state.zoom === 1 ? 'fit' : scale < 10 ? scale.toFixed(1) + '×' : Math.round(scale) + '×';
  part('how').textContent = `× ${state.gain}, ` + (state.signed ? 'red: brighter in B, blue: darker' : 'unsigned') + (state.lift ? ', darks lifted' : '');
  part('which').textContent = state.mode === 'swap' ? called(shownNow()) : state.mode === 'slider' ? 'A on the left, B on the right'
    : `B over A with ${Math.round(100 * state.blend)} %`;
  const found = decoded.get(frameNow()), at = state.pixel;
  if (!at || !found) {
    part('pixel').textContent = 'Point at a pixel to read it';
    return;
  }
  const read = image => {
    if (!image || at.x >= image.width || at.y >= image.height) return null;
    const first = 4 * (at.y * image.width + at.x);
    return [...image.data.subarray(first, first + 3)];
  };
  const a = read(found.a), b = read(found.b);
  const sign = v => (v > 0 ? '+' : v < 0 ? '−' : '') + Math.abs(v);
  part('pixel').textContent = `pixel ${at.x},${at.y}:  A ${a ? a.join(' ') : 'none'}  ·  B ${b ? b.join(' ') : 'none'}` +
    (a && b ? `  ·  B − A ${b.map((v, i) => sign(v - a[i])).join(' ')}` : '');
}

/* ---- crops of what differs ---- */

function crop(image, mark, half) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 2 * half * CROP;
  const pen = canvas.getContext('2d');
  pen.imageSmoothingEnabled = false;
  if (image) pen.drawImage(image.canvas, mark.x - half, mark.y - half, 2 * half, 2 * half, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function showCrops() {
  const frame = frameNow(), list = viewer.querySelector('.crops');
  list.replaceChildren();
  viewer.querySelector('.differences').hidden = !frame.marks.length;
  if (!viewer.querySelector('.differences').open) return;
  const stars = frame.marks.filter(mark => mark.kind < 2).length, shown = state.all === frame ? frame.marks.length : CROPS_MAX;
  part('circled').textContent = stars > STARS_MAX ? `; circled: the ${STARS_MAX} largest of ${stars} stars` : '';
  frame.marks.slice(0, shown).forEach((mark, index) => {
    const item = document.createElement('li'), button = document.createElement('button');
    button.type = 'button';
    button.innerHTML = '<span class="names"><b></b><span></span><span></span></span>';
    [...button.querySelectorAll('.names > *')].forEach((child, i) => { child.textContent = mark.words[i]; });
    if (index < CROPS_MAX) {
      const trio = document.createElement('span'), half = clamp(Math.round(mark.size) + 6, 12, 24);
      trio.className = 'trio';
      trio.ariaHidden = 'true';
      for (const side of ['a', 'b', 'd']) trio.append(crop(layer(frame, side, 1), mark, half));
      button.append(trio);
    }
    button.addEventListener('click', () => lookAt(mark.x, mark.y, Math.max(2 * mark.size, 24)));
    item.append(button);
    list.append(item);
  });
  if (frame.marks.length <= shown) return;
  const item = document.createElement('li'), more = document.createElement('button');
  more.type = 'button';
  more.textContent = `and ${frame.marks.length - shown} smaller`;
  more.addEventListener('click', () => { state.all = frame; showCrops(); });
  item.append(more);
  list.append(item);
}

/* ---- moving about ---- */

function lookAt(x, y, across) {
  const size = sizeNow();
  if (!size) return;
  state.x = (x + 0.5) / size.width;
  state.y = (y + 0.5) / size.height;
  state.zoom = clamp(Math.min(size.width, size.height) / across / 1.5, 1, ZOOM_MAX);
  state.pixel = {x, y};
  draw();
}

/* Zooms, 0 to the whole picture; the pixel at that place of the canvas stays there. */
function zoomBy(factor, canvas, x, y) {
  const size = sizeNow(), zoom = clamp(state.zoom * factor, 1, ZOOM_MAX);
  if (!size) return;
  if (canvas) {
    const {scale, left, top} = placing(canvas, size.width, size.height), next = scale * zoom / state.zoom;
    state.x = ((x - left) / scale + (canvas.clientWidth / 2 - x) / next) / size.width;
    state.y = ((y - top) / scale + (canvas.clientHeight / 2 - y) / next) / size.height;
  }
  state.zoom = zoom < 1.01 ? 1 : zoom;
  keepInside();
  draw();
}

/* The centre goes no farther than the edge of what can be shown. */
function keepInside() {
  const half = 0.5 / state.zoom;
  state.x = clamp(state.x, half, 1 - half);
  state.y = clamp(state.y, half, 1 - half);
}

function say(text) { part('status').textContent = text; }

/* Nothing before somebody has gone anywhere: a browser scrolls to what the address names as it ends loading. */
function remember(tile) {
  const one = state.one, frame = frameNow();
  if (!state.begun) return;
  const address = '#' + one.id + (frame ? '/' + frame.number : '') + (tile ? '/' + tile : '');
  try { history.replaceState(null, '', address); } catch { /* some readers of mail forbid it */ }
}

async function goTo(index, tile) {
  const one = state.one;
  if (!one.frames.length) return;
  one.at = (index + one.frames.length) % one.frames.length;
  const frame = one.frames[one.at];
  one.now = frame.number;
  if (one.clip) one.clip.show(frame.number);
  part('frame').value = one.at;
  part('why').textContent = [frame.isWorst ? 'the worst' : '', frame.why].filter(Boolean).join(', ');
  markTime();
  remember(tile);
  try {
    await load(frame);
  } catch {
    decoded.set(frame, {a: null, b: null});
  }
  if (frame !== frameNow()) return;
  say(`frame ${frame.number}, ${one.at + 1} of ${one.frames.length}`);
  if (tile) {
    const [x, y] = tile.split(',').map(Number);
    lookAt(32 * x + 16, 32 * y + 16, 48);
  }
  const size = sizeNow();
  fitGain();
  viewer.querySelector('.panes').classList.toggle('upright', !!size && size.height > size.width);
  draw();
  showCrops();
}

function nearest(one, number) {
  let best = 0;
  one.frames.forEach((frame, i) => {
    if (Math.abs(frame.number - number) < Math.abs(one.frames[best].number - number)) best = i;
  });
  return best;
}

function worst(one) {
  let best = 0;
  one.frames.forEach((frame, i) => { if (frame.worst > one.frames[best].worst) best = i; });
  return best;
}

function open(one, number, tile) {
  stop();
  const fresh = state.one !== one;
  if (fresh) {
    if (state.one) state.one.article.classList.remove('open');
    state.one = one;
    one.article.classList.add('open');
    for (const link of document.querySelectorAll('nav.cases a'))
      if (link.getAttribute('href') === '#' + one.id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    const here = one.article.querySelector('.here');
    if (one.frames.length) {
      here.append(viewer);
      part('frame').replaceChildren(...one.frames.map((frame, i) => new Option(`frame ${frame.number}${frame.isWorst ? ', worst' : ''}`, i)));
      for (const side of ['a', 'b']) {
        part('name-' + side).textContent = one[side];
        pane(side).querySelector('canvas').ariaLabel = `${called(side)}. Arrow keys move the pixel that is read; plus and minus zoom.`;
      }
      state.pixel = null;
      state.zoom = 1;
      state.x = state.y = 0.5;
    } else if (here && viewer.parentNode) {
      viewer.remove();
    }
  }
  if (!one.frames.length) remember();
  else if (number === undefined) goTo(fresh ? worst(one) : one.at, tile);
  else goTo(nearest(one, number), tile);
}

function follow() {
  let hash = location.hash.slice(1);
  try { hash = decodeURIComponent(hash); } catch { /* as it is */ }
  const [id, number, tile] = hash.split('/'), one = cases.find(each => each.id === id);
  if (one) {
    const fresh = state.one !== one;
    open(one, /^\d+$/.test(number) ? +number : undefined, /^\d+,\d+$/.test(tile) ? tile : undefined);
    if (number !== undefined && one.frames.length) viewer.scrollIntoView({block: 'nearest'});
    else if (fresh && id) one.article.scrollIntoView({block: 'nearest'});
    return;
  }
  const line = id && byId(id);
  if (line && line.matches('details')) {
    line.open = true;
    line.scrollIntoView({block: 'nearest'});
  }
  if (!state.one && cases.length) open(cases[0]);
}

/* ---- modes ---- */

function stop() {
  clearInterval(state.blink);
  clearInterval(state.play);
  state.blink = state.play = 0;
  state.swapped = false;
  for (const name of ['blink', 'play']) viewer.querySelector(`[data-do=${name}]`).setAttribute('aria-pressed', 'false');
}

function setMode(mode) {
  stop();
  state.mode = mode;
  viewer.querySelector(`[name=mode][value=${mode}]`).checked = true;
  for (const each of viewer.querySelectorAll('.mode')) each.hidden = each.dataset.for !== mode;
  for (const name of ['a', 'b', 'd']) pane(name).hidden = mode !== 'side';
  pane('one').hidden = mode === 'side';
  viewer.querySelector('.panes').classList.toggle('single', mode !== 'side');
  draw();
}

function swap(on) {
  state.swapped = on;
  draw();
}

/* Where motion is unwelcome, each press swaps once. */
function blink() {
  const was = state.blink, calmly = calm.matches;
  if (state.mode !== 'swap') setMode('swap');
  if (calmly) {
    state.showing = state.showing === 'a' ? 'b' : 'a';
    viewer.querySelector(`[name=showing][value=${state.showing}]`).checked = true;
    say('swapped once, because this system asks for less motion');
    draw();
    return;
  }
  stop();
  if (!was) {
    state.blink = setInterval(() => swap(!state.swapped), BLINK);
    viewer.querySelector('[data-do=blink]').setAttribute('aria-pressed', 'true');
  }
  draw();
}

function play() {
  const was = state.play;
  stop();
  if (was || state.one.frames.length < 2) return;
  state.play = setInterval(() => goTo(state.one.at + 1), calm.matches ? 1500 : 250);
  viewer.querySelector('[data-do=play]').setAttribute('aria-pressed', 'true');
}

/* The least gain at which the largest change is seen well, once a case, until somebody chooses one. */
function fitGain() {
  const {a, b} = decoded.get(frameNow());
  if (state.chosen || state.fitted === state.one || !a || !b || a.data.length !== b.data.length) return;
  state.fitted = state.one;
  let most = 0;
  for (let i = 0; i < a.data.length; i++) most = Math.max(most, Math.abs(a.data[i] - b.data[i]));
  state.gain = GAINS.find(gain => gain * most >= 96) || 64;
  viewer.querySelector(`[name=gain][value="${state.gain}"]`).checked = true;
}

function setGain(gain) {
  state.chosen = true;
  state.gain = gain;
  viewer.querySelector(`[name=gain][value="${gain}"]`).checked = true;
  draw();
  showCrops();
}

function toggle(name) {
  state[name] = !state[name];
  part(name).checked = state[name];
  draw();
  showCrops();
}

function nextCase(by) {
  const at = cases.indexOf(state.one);
  if (at >= 0) {
    open(cases[(at + by + cases.length) % cases.length]);
    state.one.article.scrollIntoView({block: 'start'});
  }
}

/* ---- hands ---- */

function listen() {
  const actions = {
    back: () => { stop(); goTo(state.one.at - 1); }, on: () => { stop(); goTo(state.one.at + 1); }, play, blink,
    in: () => zoomBy(2), out: () => zoomBy(0.5), fit: () => zoomBy(0),
  };
  for (const [name, act] of Object.entries(actions)) viewer.querySelector(`[data-do=${name}]`).addEventListener('click', act);
  viewer.addEventListener('change', event => {
    const {name, value} = event.target, is = event.target.dataset.is;
    if (name === 'mode') setMode(value);
    if (name === 'gain') setGain(+value);
    if (name === 'showing') { stop(); state.showing = value; draw(); }
    if (is === 'frame') { stop(); goTo(+value); }
    if (['signed', 'lift', 'marks'].includes(is)) toggle(is);
  });
  viewer.addEventListener('input', event => {
    const is = event.target.dataset.is;
    if (is === 'split' || is === 'blend') { state[is] = event.target.value / 100; draw(); }
  });
  viewer.querySelector('.differences').addEventListener('toggle', () => { if (sizeNow()) showCrops(); });
  const hold = viewer.querySelector('[data-do=hold]');
  hold.addEventListener('pointerdown', () => swap(true));
  for (const end of ['pointerup', 'pointerleave', 'pointercancel', 'blur', 'keyup']) hold.addEventListener(end, () => { if (!state.blink) swap(false); });
  hold.addEventListener('keydown', event => { if (event.key === ' ' || event.key === 'Enter') swap(true); });
  for (const canvas of viewer.querySelectorAll('.panes canvas')) listenTo(canvas);
  new ResizeObserver(draw).observe(viewer);
}

function listenTo(canvas) {
  const pointers = new Map();
  const spot = event => {
    const box = canvas.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  };
  const pointAt = ({x, y}) => {
    const size = sizeNow();
    if (!size) return;
    const {scale, left, top} = placing(canvas, size.width, size.height);
    const px = Math.floor((x - left) / scale), py = Math.floor((y - top) / scale);
    state.pixel = px >= 0 && py >= 0 && px < size.width && py < size.height ? {x: px, y: py} : null;
    draw();
  };
  const alone = canvas.parentNode.dataset.pane === 'one';
  canvas.addEventListener('pointerenter', event => { if (alone && state.mode === 'swap' && event.pointerType === 'mouse' && !state.blink) swap(true); });
  canvas.addEventListener('pointerleave', () => { if (alone && state.mode === 'swap' && !state.blink) swap(false); });
  canvas.addEventListener('pointerdown', event => {
    pointers.set(event.pointerId, spot(event));
    canvas.setPointerCapture(event.pointerId);
    pointAt(spot(event));
  });
  canvas.addEventListener('pointermove', event => {
    const from = pointers.get(event.pointerId), to = spot(event), size = sizeNow();
    if (!from || !size) {
      pointAt(to);
      return;
    }
    if (alone && state.mode === 'slider' && state.zoom === 1) {
      state.split = clamp(to.x / canvas.clientWidth, 0, 1);
      part('split').value = Math.round(100 * state.split);
    } else if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1], length = p => Math.hypot(p.x - other.x, p.y - other.y);
      zoomBy(length(to) / Math.max(length(from), 1), canvas, (to.x + other.x) / 2, (to.y + other.y) / 2);
    } else {
      const {scale} = placing(canvas, size.width, size.height);
      state.x -= (to.x - from.x) / scale / size.width;
      state.y -= (to.y - from.y) / scale / size.height;
      keepInside();
    }
    pointers.set(event.pointerId, to);
    draw();
  });
  for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, event => pointers.delete(event.pointerId));
  canvas.addEventListener('dblclick', event => zoomBy(2, canvas, spot(event).x, spot(event).y));
  canvas.addEventListener('wheel', event => {
    if (!event.ctrlKey && document.activeElement !== canvas) return; /* the page scrolls */
    event.preventDefault();
    zoomBy(Math.exp(-0.003 * clamp(event.deltaY, -300, 300)), canvas, spot(event).x, spot(event).y);
  }, {passive: false});
  canvas.addEventListener('keydown', event => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key], size = sizeNow();
    if (!step || !size) return;
    event.preventDefault();
    const by = event.shiftKey ? 10 : 1, at = state.pixel || {x: size.width >> 1, y: size.height >> 1};
    state.pixel = {x: clamp(at.x + by * step[0], 0, size.width - 1), y: clamp(at.y + by * step[1], 0, size.height - 1)};
    const half = 0.45 / state.zoom, px = state.pixel.x / size.width, py = state.pixel.y / size.height;
    state.x = clamp(state.x, px - half, px + half);
    state.y = clamp(state.y, py - half, py + half);
    keepInside();
    draw();
    requestAnimationFrame(() => say(part('pixel').textContent));
  });
}

const keys = {
  j: () => { stop(); goTo(state.one.at + 1); }, k: () => { stop(); goTo(state.one.at - 1); },
  n: () => nextCase(1), p: () => nextCase(-1), b: blink, f: play,
  g: () => setGain(GAINS[(GAINS.indexOf(state.gain) + 1) % GAINS.length]),
  s: () => toggle('signed'), l: () => toggle('lift'), m: () => toggle('marks'),
  '+': () => zoomBy(2), '=': () => zoomBy(2), '-': () => zoomBy(0.5), 0: () => zoomBy(0),
  ',': () => state.one.clip && state.one.clip.step(-1), '.': () => state.one.clip && state.one.clip.step(1), c: () => state.one.clip && state.one.clip.toggle(),
  1: () => setMode(MODES[0]), 2: () => setMode(MODES[1]), 3: () => setMode(MODES[2]), 4: () => setMode(MODES[3]),
};

const help = byId('help');
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.target.matches('select, input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea')) return;
  if (event.key === '?') {
    help.showModal();
  } else if (event.key === 'Escape') {
    stop();
    draw();
  } else if (byId('keys').checked && state.one && ('np,.c'.includes(event.key) || state.one.frames.length)) {
    if (event.key === 'x' && !event.repeat) {
      if (state.mode !== 'swap') setMode('swap');
      swap(true);
    }
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }
});
document.addEventListener('keyup', event => { if (event.key === 'x' && !state.blink) swap(false); });

/* ---- timelines ---- */

function markTime() {
  const one = state.one;
  for (const line of one.article.querySelectorAll('.plot .now')) {
    const frames = +line.closest('.timeline').dataset.frames;
    line.style.left = `${100 * one.now / Math.max(frames - 1, 1)}%`;
    line.hidden = false;
  }
}

function listenToTimeline(figure, one) {
  const plot = figure.querySelector('.plot'), values = figure.dataset.values.split(' '), frames = +figure.dataset.frames;
  const now = document.createElement('span'), here = document.createElement('span');
  now.className = 'now';
  now.hidden = true;
  here.className = 'here';
  here.hidden = true;
  plot.append(now, here);
  const at = event => {
    const box = plot.getBoundingClientRect();
    return Math.round(clamp((event.clientX - box.left) / box.width, 0, 1) * (frames - 1));
  };
  const words = frame => {
    const value = values[Math.min(Math.floor(frame * values.length / frames), values.length - 1)];
    return `frame ${frame}: ${value === '-' ? 'not measured' : value + ' ' + figure.dataset.unit}`;
  };
  const point = frame => {
    here.textContent = words(frame);
    here.hidden = false;
    plot.setAttribute('aria-valuenow', frame);
    plot.setAttribute('aria-valuetext', words(frame));
  };
  const go = frame => {
    if (one.frames.length) {
      stop();
      goTo(nearest(one, frame));
    }
    one.now = frame;
    markTime();
  };
  for (const [name, value] of [['tabindex', 0], ['role', 'slider'], ['aria-valuemin', 0], ['aria-valuemax', frames - 1], ['aria-valuenow', 0],
    ['aria-valuetext', words(0)], ['aria-label', figure.querySelector('.what').textContent + ', by frame']]) plot.setAttribute(name, value);
  plot.addEventListener('pointermove', event => point(at(event)));
  plot.addEventListener('pointerleave', () => { here.hidden = true; });
  plot.addEventListener('click', event => go(at(event)));
  plot.addEventListener('keydown', event => {
    const step = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10, Home: -frames, End: frames}[event.key];
    const frame = clamp(+plot.getAttribute('aria-valuenow') + (step || 0), 0, frames - 1);
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    point(frame);
    if (event.key === 'Enter') go(frame);
  });
}

/* ---- the rest ---- */

function listenToCopy(button) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = button.parentNode.querySelector('code');
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      document.execCommand('copy');
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
}

/* In the middle of a frame, where no rounding shows its neighbour. Nothing plays by itself; where motion is unwelcome, slower
 * and once. */
function stepThrough(clip, one) {
  const video = clip.querySelector('video'), fps = one.clipRate, out = document.createElement('output'), steps = document.createElement('div');
  const frames = one.clipFrames.map(([a, b]) => ({a: a === null ? '-' : a, b: b === null ? '-' : b}));
  const at = () => clamp(Math.floor(video.currentTime * fps + 0.01), 0, frames.length - 1);
  const words = ({a, b}) => a === b ? `frame ${a}` : a === '-' ? `frame ${b} of B, not in A` : b === '-' ? `frame ${a} of A, missing in B` : `frame ${a} of A, ${b} of B`;
  const tell = () => { out.textContent = words(frames[at()]); };
  const go = index => {
    video.currentTime = (index + 0.5) / fps;
    tell();
  };
  one.clip = {
    step(by) {
      video.pause();
      go((at() + by + frames.length) % frames.length);
    },
    toggle() {
      if (video.paused) video.play().catch(() => { out.textContent = 'this browser does not play the clip'; });
      else video.pause();
    },
    show(number) {
      const index = frames.findIndex(({a}) => +a === number);
      if (index >= 0 && video.paused && index !== at()) go(index);
    },
  };
  const play = document.createElement('button');
  play.type = 'button';
  play.textContent = 'Play';
  play.title = 'Play the clip (c)';
  play.addEventListener('click', one.clip.toggle);
  for (const event of ['play', 'pause']) video.addEventListener(event, () => play.setAttribute('aria-pressed', !video.paused));
  for (const [by, text, name] of [[-1, '◂', 'Previous frame of the clip (,)'], [1, '▸', 'Next frame of the clip (.)']]) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text;
    button.ariaLabel = button.title = name;
    button.addEventListener('click', () => one.clip.step(by));
    steps.append(button);
  }
  steps.className = 'steps';
  steps.append(play, out);
  video.controls = false; /* they would lie over the pictures */
  video.addEventListener('click', one.clip.toggle);
  clip.querySelector('h4').after(steps);
  video.loop = !calm.matches;
  video.defaultPlaybackRate = video.playbackRate = calm.matches ? 0.25 : 1;
  for (const event of ['loadedmetadata', 'timeupdate', 'seeked']) video.addEventListener(event, tell);
  video.addEventListener('error', () => { out.textContent = 'this browser does not play the clip'; });
  video.addEventListener('seeked', () => {
    one.now = +(frames[at()].a === '-' ? frames[at()].b : frames[at()].a);
    if (state.one === one) markTime();
  });
}

for (const one of cases) for (const figure of one.article.querySelectorAll('.timeline')) listenToTimeline(figure, one);
document.querySelectorAll('.copy').forEach(listenToCopy);
for (const one of cases) for (const clip of one.article.querySelectorAll('.clip')) stepThrough(clip, one);
for (const date of document.querySelectorAll('dd.date')) {
  const days = Math.floor((Date.now() - Date.parse(date.textContent)) / 864e5);
  if (days >= 0) date.append(days === 0 ? ', today' : days === 1 ? ', yesterday' : `, ${days} days ago`);
}
const helper = document.querySelector('.helper');
helper.hidden = !cases.some(one => one.frames.length || one.clip);
helper.addEventListener('click', () => help.showModal());
listen();
viewer.querySelector('.differences').open = innerWidth > 860;
addEventListener('hashchange', follow);
follow();
state.begun = true;
})();
