(() => {
'use strict';

const MODES = ['side', 'swap', 'slider', 'onion'], GAINS = [1, 4, 16, 64];
const ZOOM_MAX = 64, STARS_MAX = 24, BLINK = 250;
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
  warned: ['!', 'warned', 'warned'], 'not compared': ['–', 'not compared', 'none'], 'not judged': ['?', 'not judged', 'unjudged'], changed: ['✕', 'changed', 'changed'], follows: ['↳', 'follows', 'follows'],
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
const passes = verdict => ['same', 'within', 'warned'].includes(verdict);
const verdictOf = stage => stage.verdict === 'not judged' && stage.follows ? 'follows' : stage.verdict;
const file = path => path.slice(path.lastIndexOf('/', path.length - 2) + 1);

/* "the baseline" and "now" or, of two films, their file names, with their folders if needed to tell the files apart. */
const sideName = (data, side, other, otherwise) => report.command !== 'compare' || !data[side] ? otherwise
  : data[other] && file(data[side]) === file(data[other]) ? data[side] : file(data[side]);

/* A stage that the film does not have counts as neither; a case's frames are those that every judged stage with frames has compared. */
function comparedOf(data) {
  const planned = data.stages.filter(stage => stage.verdict !== 'not applicable'), judged = planned.filter(stage => !['not judged', 'follows', 'not compared'].includes(verdictOf(stage)));
  const framed = judged.filter(stage => !['scene', 'start', 'container'].includes(stage.stage) && stage.planned > (stage.stage === 'physics' ? 1 : 0) && !stage.substituted);
  const frames = framed.length ? Math.min(...framed.map(stage => stage.compared)) : 0, verb = judged.length && data.a && !data.b && !data.baseline.path ? 'examined' : 'compared';
  return !frames && !data.frames && !judged.length ? 'nothing was compared' : judged.length === 1 && planned.some(stage => stage.verdict === 'not compared') ? 'nothing but the scene was compared' : !frames && data.frames ? `${verb} none of ${data.frames} frames, judged ${judged.length} of ${planned.length} stages`
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
  if (fail === Infinity || finding.rule === 'scene.keys') return 'no limit';
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
  return shown.marks.sort((a, b) => real(b.value) - real(a.value)).slice(0, MARKS_MAX).map(({kind, x, y, size, value}) => ({kind, x, y, size,
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
  const one = {id, a, b, index, worst, clip: null, at: 0, now: 0}, again = data.reproduce && data.reproduce.startsWith('gravreel still ') ? 'frame now' : data.reproduce && data.reproduce.startsWith('gravreel baseline ') ? 'record' : 'run again';
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
  one: null, mode: 'side', gain: 4, lift: false, marks: true, showing: 'a', swapped: false, split: 50, blend: 50,
  zoom: 1, x: 0.5, y: 0.5, pixel: null, pixels: null, blink: 0, play: 0, chosen: false, fitted: null, begun: false,
};

/* ---- the viewer: its panes hold the pictures of A and B, which the style sheet lays over each other ---- */

const viewer = byId('viewer').content.firstElementChild.cloneNode(true);
const part = name => viewer.querySelector(`[data-is=${name}]`);
const views = [...viewer.querySelectorAll('.view')];
const sideOf = view => view.parentNode.dataset.pane;
const frameNow = () => state.one && state.one.frames[state.one.at];
const called = side => side === 'd' ? 'the difference' : `${side.toUpperCase()}, ${state.one[side]}`;
const shownNow = () => !state.swapped ? state.showing : state.showing === 'b' ? 'a' : 'b';

function sizeNow() {
  const frame = frameNow(), img = frame && (frame.a || frame.b);
  return img && {width: +img.getAttribute('width'), height: +img.getAttribute('height')};
}

/* A circle for a star, a box for a tile, a cross around a pixel. */
function outline({kind, x, y, size}) {
  const cx = x + 0.5, cy = y + 0.5, half = kind === 'tile' ? size : size + 2;
  if (kind === 'tile') return `M${cx - half} ${cy - half}h${2 * half}v${2 * half}h${-2 * half}z`;
  if (kind === 'pixel') return [[1, 0], [-1, 0], [0, 1], [0, -1]].map(([dx, dy]) => `M${cx + dx * half} ${cy + dy * half}l${6 * dx} ${6 * dy}`).join('');
  return `M${cx - half} ${cy}a${half} ${half} 0 1 0 ${2 * half} 0a${half} ${half} 0 1 0 ${-2 * half} 0`;
}

function showFrame(frame, size) {
  const stars = frame.marks.filter(mark => mark.kind.endsWith('star')).slice(0, STARS_MAX); /* more would hide the picture */
  const outlined = [...stars, ...frame.marks.filter(mark => !mark.kind.endsWith('star'))];
  for (const view of views) {
    const side = sideOf(view), sides = side === 'd' || side === 'one' ? ['a', 'b'] : [side], there = sides.filter(each => frame[each]);
    const lacks = side === 'one' ? there.length === 0 : there.length < sides.length;
    view.classList.toggle('none', lacks);
    view.querySelector('.both').replaceChildren(...(lacks ? [] : there.map(each => h('img.' + each, {src: frame[each].src, alt: '', draggable: 'false'}))));
    view.querySelector('svg').replaceWith(fill(document.createElementNS(SVG, 'svg'), {viewBox: `0 0 ${size.width} ${size.height}`, 'aria-hidden': 'true'},
      [outlined.map(mark => path(mark.kind.replace(' ', '-'), outline(mark))), path('at', '')]));
  }
}

function draw() {
  const size = sizeNow() || {width: 16, height: 9}, shape = size.width / size.height;
  for (const [name, value] of Object.entries({zoom: state.zoom, x: `${100 * state.x}%`, y: `${100 * state.y}%`, gain: state.gain, split: `${state.split}%`, blend: state.blend / 100, shape}))
    viewer.style.setProperty('--' + name, value);
  viewer.dataset.mode = state.mode;
  viewer.dataset.showing = shownNow();
  viewer.classList.toggle('lifted', state.lift);
  viewer.classList.toggle('unmarked', !state.marks);
  describe(size);
}

function describe(size) {
  const view = views.find(each => each.clientWidth > 0), scale = view ? view.clientWidth / size.width * state.zoom : 1, at = state.pixel;
  viewer.classList.toggle('enlarged', scale >= 1);
  part('zoom').textContent = state.zoom === 1 ? 'fit' : scale < 10 ? scale.toFixed(1) + '×' : Math.round(scale) + '×';
  part('how').textContent = `× ${state.gain}` + (state.lift ? ', darks lifted' : '');
  part('which').textContent = state.mode === 'swap' ? called(shownNow()) : state.mode === 'slider' ? 'A on the left, B on the right' : `B over A with ${state.blend} %`;
  for (const line of viewer.querySelectorAll('.view .at')) line.setAttribute('d', at ? `M${at.x} ${at.y}h1v1h-1z` : '');
  if (!at || !state.pixels) {
    part('pixel').textContent = 'Point at a pixel to read it';
    return;
  }
  const read = image => image && at.x < image.width && at.y < image.height ? [...image.data.subarray(4 * (at.y * image.width + at.x), 4 * (at.y * image.width + at.x) + 3)] : null;
  const a = read(state.pixels.a), b = read(state.pixels.b), sign = v => (v > 0 ? '+' : v < 0 ? '−' : '') + Math.abs(v);
  part('pixel').textContent = `pixel ${at.x},${at.y}:  A ${a ? a.join(' ') : 'none'}  ·  B ${b ? b.join(' ') : 'none'}` +
    (a && b ? `  ·  B − A ${b.map((v, i) => sign(v - a[i])).join(' ')}` : '');
}

async function decode(img) {
  if (!img) return null;
  const picture = new Image(), canvas = document.createElement('canvas'), pen = canvas.getContext('2d', {willReadFrequently: true});
  picture.src = img.src;
  await picture.decode();
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  pen.drawImage(picture, 0, 0);
  return pen.getImageData(0, 0, canvas.width, canvas.height);
}

/* The least gain at which the largest change is seen well, once a case, until somebody chooses one. */
function fitGain() {
  const {a, b} = state.pixels;
  if (state.chosen || state.fitted === state.one || !a || !b || a.data.length !== b.data.length) return;
  state.fitted = state.one;
  let most = 0;
  for (let i = 0; i < a.data.length; i++) most = Math.max(most, Math.abs(a.data[i] - b.data[i]));
  state.gain = GAINS.find(gain => gain * most >= 96) || 64;
  viewer.querySelector(`[name=gain][value="${state.gain}"]`).checked = true;
}

/* A click on what differs zooms there. */
function listMarks(frame) {
  const stars = frame.marks.filter(mark => mark.kind.endsWith('star')).length;
  viewer.querySelector('.differences').hidden = !frame.marks.length;
  part('circled').textContent = stars > STARS_MAX ? `; circled: the ${STARS_MAX} largest of ${stars} stars` : '';
  viewer.querySelector('.places').replaceChildren(...frame.marks.map(mark => {
    const button = h('button', {type: 'button'}, h('b', null, mark.words[0]), h('span', null, mark.words[1]), h('span', null, mark.words[2]));
    button.addEventListener('click', () => lookAt(mark.x, mark.y, Math.max(2 * mark.size, 24)));
    return h('li', null, button);
  }));
}

/* ---- moving about: the point x, y of the picture stays where it is when the picture is enlarged ---- */

function setZoom(zoom, x, y) {
  state.zoom = zoom < 1.01 ? 1 : zoom;
  state.x = clamp(x, 0, 1);
  state.y = clamp(y, 0, 1);
  draw();
}

function lookAt(x, y, across) {
  const size = sizeNow();
  if (!size) return;
  const zoom = clamp(Math.min(size.width, size.height) / across / 1.5, 1.01, ZOOM_MAX), centre = at => (at - 0.5 / zoom) / (1 - 1 / zoom);
  state.pixel = {x, y};
  setZoom(zoom, centre((x + 0.5) / size.width), centre((y + 0.5) / size.height));
}

/* The part of the picture that is seen at a part of the pane. */
const seenAt = (at, fixed) => fixed + (at - fixed) / state.zoom;

/* Zooms, 0 to the whole picture; what is seen at this part of the pane stays there. */
function zoomBy(factor, x = 0.5, y = 0.5) {
  const zoom = clamp(state.zoom * factor, 1, ZOOM_MAX), fixed = (at, before) => zoom > 1 ? (at - seenAt(at, before) * zoom) / (1 - zoom) : 0.5;
  setZoom(zoom, fixed(x, state.x), fixed(y, state.y));
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
  const frame = one.frames[one.at], size = sizeNow();
  one.now = frame.number;
  if (one.clip) one.clip.show(frame.number);
  part('frame').value = one.at;
  part('why').textContent = [frame.isWorst ? 'the worst' : '', frame.why].filter(Boolean).join(', ');
  say(`frame ${frame.number}, ${one.at + 1} of ${one.frames.length}`);
  markTime();
  remember(tile);
  showFrame(frame, size);
  listMarks(frame);
  viewer.querySelector('.panes').classList.toggle('upright', size.height > size.width);
  if (tile) lookAt(...tile.split(',').map(each => 32 * each + 16), 48);
  draw();
  const pixels = await Promise.all([frame.a, frame.b].map(img => decode(img).catch(() => null)));
  if (frame !== frameNow()) return;
  state.pixels = {a: pixels[0], b: pixels[1]};
  fitGain();
  draw();
}

const least = (list, value) => list.reduce((best, each, i) => value(each) < value(list[best]) ? i : best, 0);
const nearest = (one, number) => least(one.frames, frame => Math.abs(frame.number - number));
const worst = one => least(one.frames, frame => -frame.worst);

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
      for (const side of ['a', 'b']) part('name-' + side).textContent = one[side];
      Object.assign(state, {pixel: null, zoom: 1, x: 0.5, y: 0.5});
    } else if (here && viewer.parentNode) {
      viewer.remove();
    }
  }
  if (!one.frames.length) remember();
  else goTo(number !== undefined ? nearest(one, number) : fresh ? worst(one) : one.at, tile);
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

const press = (name, on) => viewer.querySelector(`[data-do=${name}]`).setAttribute('aria-pressed', on);

function choose(name, value) {
  state[name] = value;
  viewer.querySelector(`[name=${name}][value="${value}"]`).checked = true;
  draw();
}

function stop() {
  clearInterval(state.blink);
  clearInterval(state.play);
  state.blink = state.play = 0;
  state.swapped = false;
  press('blink', false);
  press('play', false);
}

function setMode(mode) {
  stop();
  choose('mode', mode);
}

function swap(on) {
  state.swapped = on;
  draw();
}

/* Where motion is unwelcome, each press swaps once. */
function blink() {
  const was = state.blink;
  setMode('swap');
  if (calm.matches) {
    choose('showing', state.showing === 'a' ? 'b' : 'a');
    say('swapped once, because this system asks for less motion');
  } else if (!was) {
    state.blink = setInterval(() => swap(!state.swapped), BLINK);
    press('blink', true);
  }
}

function play() {
  const was = state.play;
  stop();
  if (was || state.one.frames.length < 2) return;
  state.play = setInterval(() => goTo(state.one.at + 1), calm.matches ? 1500 : 250);
  press('play', true);
}

function setGain(gain) {
  state.chosen = true;
  choose('gain', gain);
}

function toggle(name) {
  state[name] = !state[name];
  part(name).checked = state[name];
  draw();
}

function step(by) {
  stop();
  goTo(state.one.at + by);
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
  const actions = {back: () => step(-1), on: () => step(1), play, blink, in: () => zoomBy(2), out: () => zoomBy(0.5), fit: () => zoomBy(0)};
  for (const [name, act] of Object.entries(actions)) viewer.querySelector(`[data-do=${name}]`).addEventListener('click', act);
  viewer.addEventListener('change', event => {
    const {name, value} = event.target, is = event.target.dataset.is;
    if (name === 'mode') setMode(value);
    if (name === 'gain') setGain(+value);
    if (name === 'showing') { stop(); choose(name, value); }
    if (is === 'frame') step(+value - state.one.at);
    if (is === 'lift' || is === 'marks') toggle(is);
  });
  viewer.addEventListener('input', event => {
    const is = event.target.dataset.is;
    if (is === 'split' || is === 'blend') { state[is] = +event.target.value; draw(); }
  });
  const hold = viewer.querySelector('[data-do=hold]');
  hold.addEventListener('pointerdown', () => swap(true));
  for (const end of ['pointerup', 'pointerleave', 'pointercancel', 'blur', 'keyup']) hold.addEventListener(end, () => { if (!state.blink) swap(false); });
  hold.addEventListener('keydown', event => { if (event.key === ' ' || event.key === 'Enter') swap(true); });
  views.forEach(listenTo);
  new ResizeObserver(draw).observe(viewer);
}

function pointAt(x, y) {
  const size = sizeNow();
  state.pixel = size && {x: clamp(x, 0, size.width - 1), y: clamp(y, 0, size.height - 1)};
  draw();
}

function listenTo(view) {
  const alone = sideOf(view) === 'one', swaps = () => alone && state.mode === 'swap' && !state.blink;
  let from = null;
  const spot = event => {
    const box = view.getBoundingClientRect();
    return {x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height};
  };
  view.addEventListener('pointerenter', event => { if (swaps() && event.pointerType === 'mouse') swap(true); });
  view.addEventListener('pointerleave', () => { if (swaps()) swap(false); });
  view.addEventListener('pointerdown', event => {
    from = spot(event);
    view.setPointerCapture(event.pointerId);
  });
  view.addEventListener('pointermove', event => {
    const to = spot(event), size = sizeNow();
    if (!size) return;
    if (from && alone && state.mode === 'slider' && state.zoom === 1) part('split').value = state.split = Math.round(100 * clamp(to.x, 0, 1));
    else if (from && state.zoom > 1) setZoom(state.zoom, state.x - (to.x - from.x) / (state.zoom - 1), state.y - (to.y - from.y) / (state.zoom - 1));
    from = from && to;
    pointAt(Math.floor(seenAt(to.x, state.x) * size.width), Math.floor(seenAt(to.y, state.y) * size.height));
  });
  for (const end of ['pointerup', 'pointercancel']) view.addEventListener(end, () => { from = null; });
  view.addEventListener('dblclick', event => zoomBy(2, spot(event).x, spot(event).y));
  view.addEventListener('wheel', event => {
    if (!event.ctrlKey && document.activeElement !== view) return; /* the page scrolls */
    event.preventDefault();
    zoomBy(Math.exp(-0.003 * clamp(event.deltaY, -300, 300)), spot(event).x, spot(event).y);
  }, {passive: false});
  view.addEventListener('keydown', event => {
    const move = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key], size = sizeNow();
    if (!move || !size) return;
    event.preventDefault();
    const by = event.shiftKey ? 10 : 1, at = state.pixel || {x: size.width >> 1, y: size.height >> 1};
    pointAt(at.x + by * move[0], at.y + by * move[1]);
    if (state.zoom > 1) lookAt(state.pixel.x, state.pixel.y, Math.min(size.width, size.height) / state.zoom / 1.5);
    say(part('pixel').textContent);
  });
}

const keys = {
  j: () => step(1), k: () => step(-1), n: () => nextCase(1), p: () => nextCase(-1), b: blink, f: play,
  g: () => setGain(GAINS[(GAINS.indexOf(state.gain) + 1) % GAINS.length]), l: () => toggle('lift'), m: () => toggle('marks'),
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
