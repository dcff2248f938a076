/** Options for uPlot: scales, Italian axes, lines and bars. */
import uPlot from 'uplot';
import type { Unit } from '#server/domain/report/figure.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { tellCell, tellMoment, tellTick } from './cells.ts';
import { fillOf, type Look } from './looks.ts';
import { dayMs, type Drawn, type PlotData } from './plot-data.ts';

interface PlotWish {
  data: PlotData;
  shape: 'lines' | 'bars' | 'stacked';
  /** The visible lines or bars. */
  shown: readonly (Drawn & { look: Look })[];
  colorOf: (name: string) => string;
  width: number;
  height: number;
  /** The row under the pointer; null: none. */
  onRead: (row: number | null) => void;
}

const font = '12px system-ui, sans-serif';
/** The height of the labels below a picture. */
const below = 30;
/** How much of the distance between two rows the bars fill. */
const groupShare = 0.78;
const fewestSlots = 6;
/** Up to this many points are drawn as dots. */
const fewPoints = 31;

interface Line extends Drawn {
  look: Look;
}

export function plotOf(wish: PlotWish): { options: uPlot.Options; rows: uPlot.AlignedData } {
  const lines = linesOf(wish);
  const { data, width, height, onRead } = wish;
  const options: uPlot.Options = {
    width,
    height,
    padding: [12, data.lies ? 24 : 12, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 8 },
      move: (plot, left, top) => toRow(plot, data.lies, left, top),
    },
    hooks: { setCursor: [(plot) => onRead(plot.cursor.idx ?? null)] },
    scales: scalesOf(wish),
    axes: axesOf(wish),
    series: [{}, ...lines.map((line) => seriesOf(wish, lines, line))],
  };
  return { options, rows: [data.positions, ...lines.map(({ values }) => values)] };
}

/** Turns stacked parts into heights; the highest is drawn first and the others over it. */
function linesOf({ data, shape, shown }: PlotWish): readonly Line[] {
  if (shape !== 'stacked') return shown;
  const heights = data.positions.map(() => 0);
  const parts = shown
    .filter(({ isLine }) => !isLine)
    .map((line) => ({
      ...line,
      values: line.values.map((value, row) => (heights[row] = (heights[row] ?? 0) + (value ?? 0))),
    }));
  return [...parts.reverse(), ...shown.filter(({ isLine }) => isLine)];
}

/** Moves the cursor to the nearest row. */
function toRow(plot: uPlot, lies: boolean, left: number, top: number): [number, number] {
  if (left < 0 || top < 0) return [left, top];
  const row = plot.posToIdx(lies ? top : left);
  const position = plot.data[0][row];
  if (position === undefined) return [left, top];
  const at = Math.round(plot.valToPos(position, 'x'));
  return lies ? [left, at] : [at, top];
}

function scalesOf({ data, shape }: PlotWish): uPlot.Scales {
  const { positions, step, lies, unit } = data;
  const [first = 0, last = 0] = [positions[0], positions.at(-1)];
  const pad = shape === 'lines' ? linePad(first, last, step) : barPad(first, last, step, lies);
  return {
    x: { time: false, ori: lies ? 1 : 0, dir: lies ? -1 : 1, range: [first - pad, last + pad] },
    y: { ori: lies ? 0 : 1, range: (_, min, max) => rangeOf(unit, min, max) },
  };
}

/** A single point is centred. */
function linePad(first: number, last: number, step: number): number {
  return first === last ? step : 0;
}

/** Few bars get a margin, so that they are not too wide. */
function barPad(first: number, last: number, step: number, lies: boolean): number {
  const missing = lies ? 0 : Math.max(0, fewestSlots - (last - first) / step - 1);
  return ((missing + 1) * step) / 2;
}

/** The scale begins at zero, so that bars compare; a percentage ends at 100. */
function rangeOf(unit: Unit, min: number | null, max: number | null): uPlot.Range.MinMax {
  const low = Math.min(0, min ?? 0);
  const high = Math.max(0, max ?? 0);
  if (unit === 'percent' && low === 0 && high > 60 && high <= 100) return [0, 100];
  if (low === 0 && high === 0) return [0, unit === 'cents' ? 1000 : 5];
  const [, top] = uPlot.rangeNum(0, high, 0.08, true);
  const [bottom] = uPlot.rangeNum(low, 0, 0.08, true);
  return [low === 0 ? 0 : (bottom ?? low), high === 0 ? 0 : (top ?? high)];
}

const steps = [1, 2, 5].flatMap((digit) =>
  Array.from({ length: 12 }, (_, power) => digit * 10 ** power),
);
const wholeSteps = steps.toSorted((one, other) => one - other);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const momentSteps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minuteMs),
  ...[1, 2, 3, 6, 12].map((count) => count * hourMs),
  ...[1, 2, 7, 14, 28, 56, 91, 182, 364].map((count) => count * dayMs),
];
const minuteSteps = [
  1, 5, 10, 15, 30, 60, 120, 240, 720, 1440, 2880, 7200, 14_400, 43_200, 144_000,
];

function axesOf({ data, colorOf }: PlotWish): uPlot.Axis[] {
  const paint = {
    font,
    stroke: colorOf('text-soft'),
    ticks: { stroke: colorOf('line'), width: 1, size: 4 },
  };
  return [
    {
      ...paint,
      ...alongAxis(data),
      side: data.lies ? 3 : 2,
      grid: { show: false },
      border: { show: true, stroke: colorOf('line-strong'), width: 1 },
    },
    {
      ...paint,
      ...valueAxis(data.unit, data.lies),
      scale: 'y',
      side: data.lies ? 2 : 3,
      grid: { stroke: colorOf('line'), width: 1 },
    },
  ];
}

function valueAxis(unit: Unit, lies: boolean): uPlot.Axis {
  const incrs = unit === 'minutes' ? minuteSteps : wholeSteps;
  return {
    incrs,
    space: lies ? 80 : 40,
    values: (_, splits) => {
      const isWhole = splits.every((value) => value % 100 === 0);
      return splits.map((value) => tellTick(value, unit, isWhole));
    },
    size: lies ? below : (_, values) => roomFor(values),
  };
}

let measure: CanvasRenderingContext2D | null = null;

function widthOf(text: string): number {
  measure ??= requireValue(document.createElement('canvas').getContext('2d'), 'measure');
  measure.font = font;
  return measure.measureText(text).width;
}

function roomFor(values: readonly string[] | null): number {
  return Math.ceil(Math.max(20, ...(values ?? []).map(widthOf))) + 16;
}

const longestName = 24;

function cut(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName - 1).trimEnd()}…`;
}

function alongAxis({ along, positions, cells, lies }: PlotData): uPlot.Axis {
  if (along === 'day' || along === 'time')
    return {
      size: below,
      incrs: along === 'day' ? momentSteps.filter((step) => step >= dayMs) : momentSteps,
      space: 64,
      values: (_, splits, _axis, _space, step) => splits.map((ms) => tellMoment(ms, step)),
    };
  if (along !== 'text')
    return {
      size: below,
      incrs: along === 'minutes' ? minuteSteps : wholeSteps,
      space: 56,
      values: (_, splits) => splits.map((value) => tellTick(value, along, true)),
    };
  const names = cells.map((cell) => cut(tellCell(cell, 'text')));
  const every = (room: number) =>
    lies ? 1 : Math.max(1, Math.ceil((positions.length * (widthOf('00:00') + 8)) / room));
  return {
    splits: positions,
    values: (plot) => {
      const nth = every(plot.bbox.width / devicePixelRatio || plot.width);
      return names.map((name, at) => (at % nth === 0 ? name : null));
    },
    size: lies ? roomFor(names) : below,
  };
}

function seriesOf(
  { data, shape, colorOf }: PlotWish,
  lines: readonly Line[],
  line: Line,
): uPlot.Series {
  const { look, label } = line;
  if (line.isLine)
    return {
      label,
      scale: 'y',
      stroke: look.color,
      width: look.width,
      dash: look.dash,
      spanGaps: true,
      points: { show: data.positions.length <= fewPoints, size: 5, fill: look.color },
    };
  const [nth, count] = shape === 'stacked' ? [0, 1] : [lines.indexOf(line), lines.length];
  return {
    label,
    scale: 'y',
    stroke: look.color,
    width: 1,
    fill: fillOf(look, colorOf('bg-raised'), devicePixelRatio),
    points: { show: false },
    paths: barPaths(data, nth, count),
  };
}

/** Bars of a row are drawn side by side; stacked ones in one place. */
function barPaths({ positions, step }: PlotData, nth: number, count: number) {
  const wide = (step * groupShare) / count;
  const from = nth * wide - (step * groupShare) / 2;
  return uPlot.paths.bars!({
    disp: {
      x0: { unit: 1, values: () => positions.map((position) => position + from) },
      size: { unit: 1, values: () => positions.map(() => wide) },
    },
  });
}
