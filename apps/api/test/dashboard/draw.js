/// <reference types="uplot" />
/**
 * Draws dashboard panels with uPlot, which must be loaded. Runs in the page of `picture.ts`.
 *
 * @typedef {{ title: string, gridPos: { x: number, y: number, w: number, h: number } }} Placed
 * @typedef {Placed & { fieldConfig: { defaults: { unit: keyof typeof units } } }} Panel
 * @typedef {{ name: string, values: [seconds: number, value: string][] }} Line
 * @typedef {{ start: number, end: number, step: number }} Span
 */

/** Grafana's classic palette, in order. */
const colors = [
  '#7EB26D',
  '#EAB839',
  '#6ED0E0',
  '#EF843C',
  '#E24D42',
  '#1F78C1',
  '#BA43A9',
  '#705DA0',
  '#508642',
  '#CCA300',
];

/** @type {(value: number) => string} */
const short = (value) => String(Number(value.toPrecision(3)));
/** @type {(value: number, steps: readonly (readonly [threshold: number, unit: string])[]) => string} */
const scaled = (value, steps) => {
  const [threshold, unit] = steps.find(([threshold]) => value >= threshold) ?? [1, ''];
  return `${short(value / threshold)} ${unit}`;
};
const units = {
  reqps: (/** @type {number} */ value) => `${short(value)} req/s`,
  ops: (/** @type {number} */ value) => `${short(value)} ops/s`,
  short,
  s: (/** @type {number} */ value) =>
    value === 0
      ? '0 s'
      : scaled(value, [
          [60, 'min'],
          [1, 's'],
          [1e-3, 'ms'],
          [1e-6, 'µs'],
        ]),
  bytes: (/** @type {number} */ value) =>
    value === 0
      ? '0 B'
      : scaled(value, [
          [2 ** 30, 'GiB'],
          [2 ** 20, 'MiB'],
          [2 ** 10, 'KiB'],
          [1, 'B'],
        ]),
};

/** @param {{ headings: Placed[], panels: { panel: Panel, lines: Line[] }[], range: Span }} dashboard */
function draw({ headings, panels, range }) {
  for (const heading of headings) place('h1', heading);
  for (const { panel, lines } of panels) {
    const section = place('section', panel);
    const [chart, legend] = [document.createElement('div'), document.createElement('ul')];
    chart.className = 'chart';
    legend.append(...lines.map(entry));
    section.append(chart, legend);
    const { unit } = panel.fieldConfig.defaults;
    chart.append(plotOf(chart.getBoundingClientRect(), { lines, range, unit }).root);
  }
}

/** @param {'h1' | 'section'} name @param {Placed} placed */
function place(name, { title, gridPos: { x, y, w, h } }) {
  const element = document.createElement(name);
  const heading = name === 'h1' ? element : element.appendChild(document.createElement('h2'));
  heading.textContent = title;
  element.style.gridArea = `${y + 1} / ${x + 1} / span ${h} / span ${w}`;
  document.querySelector('main')?.append(element);
  return element;
}

/** @param {Line} line @param {number} index */
function entry({ name }, index) {
  const item = document.createElement('li');
  item.textContent = name;
  item.style.setProperty('--color', colorOf(index));
  return item;
}

/** @param {number} index */
const colorOf = (index) => colors[index % colors.length] ?? '';

/** @param {{ width: number, height: number }} size
 * @param {{ lines: Line[], range: Span, unit: keyof typeof units }} content */
function plotOf({ width, height }, { lines, range, unit }) {
  const axis = {
    stroke: '#57606a',
    font: '11px "DejaVu Sans"',
    grid: { stroke: '#eceef0', width: 1 },
    ticks: { show: false },
  };
  const format = units[unit];
  /** @type {uPlot.Options} */
  const options = {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 24, 0, 0],
    scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      {
        ...axis,
        size: 30,
        splits: () => tickTimes(range),
        values: (_, splits) => splits.map((at) => minutesOf(at - range.start)),
      },
      {
        ...axis,
        size: 72,
        values: (_, splits) => splits.map(format),
        ...incrementsOf(unit),
      },
    ],
    series: [{}, ...lines.map((_, index) => ({ stroke: colorOf(index), width: 1.5, points: { show: false } }))],
  };
  return new uPlot(options, dataOf(lines, range));
}

const powersOfTwo = Array.from({ length: 40 }, (_, exponent) => 2 ** exponent);
const partsOfSeconds = [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1].flatMap((part) => [part, 2 * part, 5 * part]);
const durations = [...partsOfSeconds, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];

/**
 * Grid increments that are round numbers in the unit.
 * @param {keyof typeof units} unit
 * @returns {{ incrs?: number[] }}
 */
function incrementsOf(unit) {
  if (unit === 'bytes') return { incrs: powersOfTwo };
  return unit === 's' ? { incrs: durations } : {};
}

/**
 * The times, and the value of each line at each of them, or null.
 * @param {Line[]} lines
 * @param {Span} range
 * @returns {uPlot.AlignedData}
 */
function dataOf(lines, { start, end, step }) {
  const times = Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, index) => start + index * step);
  const valuesOf = (/** @type {Line} */ { values }) => {
    const byTime = new Map(values.map(([seconds, value]) => [seconds, Number(value)]));
    return times.map((seconds) => {
      const value = byTime.get(seconds);
      return value === undefined || Number.isNaN(value) ? null : value;
    });
  };
  return [times, ...lines.map(valuesOf)];
}

/**
 * Omits the first label, which would overlap the other axis.
 * @param {number} seconds
 */
const minutesOf = (seconds) => (seconds === 0 ? '' : `${seconds / 60} min`);

/**
 * At most six ticks, at whole minutes.
 * @param {Span} range
 */
function tickTimes({ start, end }) {
  const interval = Math.ceil((end - start) / 60 / 5) * 60;
  return Array.from({ length: Math.floor((end - start) / interval) + 1 }, (_, index) => start + index * interval);
}

Object.assign(window, { draw });
