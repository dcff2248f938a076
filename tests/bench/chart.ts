/** Our chart beside the npm package seatmap-canvas and beside a bare canvas on the same seats, in headless Chromium: `node tests/bench/chart.ts [runs] [seats]`. Figures, no verdict. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { countSeats, eachSeat, labelAt } from '#apps/chart/scene/unpack.ts';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import type { WireChart } from '#server/standins/seatsio/wire.ts';
import { eventParams, startStandin, uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { launchWholeBrowser } from '#tests/support/browsers/browser.ts';
import { quantile } from './quantile.ts';
import { isWhole, scaled } from './scale.ts';
import { buildChart, root } from './scripts.ts';

const here = import.meta.dirname;
const runs = Number(process.argv[2] ?? scaled(3));
/** Only rounds of that many seats, without the package: for work on the chart itself. */
const only = process.argv[3];
/** A run of the package at 50,000 takes minutes; it is measured once. */
const slow = 'seatmap';
const rushSize = scaled(5_000, 100);

type Contender = 'ours' | 'bare' | 'seatmap';
interface Round {
  seats: number;
  throttle: number;
  contenders: Contender[];
}
interface Figures {
  first: number;
  all: number[];
  near: number[];
  sweep: number[];
  select: number[];
  heap: number;
}

const rounds: Round[] = [
  { seats: scaled(20_000, 2_000), throttle: 1, contenders: ['bare', 'ours', 'seatmap'] },
  { seats: scaled(20_000, 2_000), throttle: 4, contenders: ['bare', 'ours'] },
  { seats: scaled(50_000, 2_500), throttle: 1, contenders: ['bare', 'ours', 'seatmap'] },
];
const names: Record<Contender, string> = {
  bare: 'bare canvas',
  ours: 'chart.js',
  seatmap: 'seatmap-canvas',
};

/** The same seats for everybody: where the stand-in says they are, in units of the drawing. */
function seatsOf(
  chart: WireChart,
): { label: string; x: number; y: number; section: number; color: string }[] {
  return chart.rows.flatMap((row) => {
    const seats: ReturnType<typeof seatsOf> = [];
    const { categories } = row.seats;
    const color =
      chart.categories[typeof categories === 'number' ? categories : categories[0]!]?.color ??
      '#888888';
    if (countSeats(row) > 0)
      eachSeat(row.seats.runs, (at, x, y) => {
        seats.push({
          label: `${chart.sections[row.section]?.label}-${row.label}-${labelAt(row.seats.labels, at)}`,
          x: x / 10,
          y: y / 10,
          section: row.section,
          color,
        });
      });
    return seats;
  });
}

const script = await buildChart();
const packed = (text: string) => gzipSync(text).length;
const other = readFileSync(
  join(root, 'node_modules/@alisaitteke/seatmap-canvas/dist/esm/seatmap.canvas.js'),
  'utf8',
);
await using standin = await startStandin({ clock: { now: Date.now() } });
writeFileSync(join(standin.chartFolder, 'chart.js'), script);
const browser = await launchWholeBrowser();

async function openPage(
  event: string,
  { seatsText, throttle }: { seatsText: string; throttle: number },
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1000, height: 760 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const files: Record<string, [type: string, body: string]> = {
    '/page': [
      'text/html',
      '<!doctype html><style>body{margin:0}#host{height:760px}</style><div id="host"></div><script src="/chart.js"></script><script src="/data.js"></script><script type="module" src="/bench.js"></script>',
    ],
    '/bench.js': ['text/javascript', readFileSync(join(here, 'chart-page.js'), 'utf8')],
    '/page-hands.js': ['text/javascript', readFileSync(join(here, 'page-hands.js'), 'utf8')],
    '/seatmap.js': ['text/javascript', other],
    '/data.js': [
      'text/javascript',
      `seatsText = ${JSON.stringify(seatsText)}; seats = JSON.parse(seatsText); chartAsk = ${JSON.stringify({ workspaceKey: standin.workspaceKey, event })};`,
    ],
  };
  for (const [path, [contentType, body]] of Object.entries(files))
    await page.route(`${standin.url}${path}`, (route) => route.fulfill({ contentType, body }));
  await page.goto(`${standin.url}/page`);
  await page.waitForFunction('globalThis.bench');
  if (throttle > 1)
    await (
      await context.newCDPSession(page)
    ).send('Emulation.setCPUThrottlingRate', { rate: throttle });
  page.setDefaultTimeout(600_000);
  return page;
}

async function measure(page: Page, name: Contender): Promise<Figures> {
  const ask = <T>(what: string, count: number) =>
    page.evaluate<T>(`bench.${what}(${JSON.stringify(name)}, ${count})`);
  const count = scaled(name === slow ? 15 : 60, 5);
  const first = await ask<number>('build', 0);
  const all = await ask<number[]>('panAll', count);
  const near = await ask<number[]>('panNear', count);
  const sweep = await ask<number[]>('sweep', count);
  const select = await ask<number[]>('select', 9);
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return { first, all, near, sweep, select, heap: usedSize };
}

/** Frames of our chart while so many seats are booked at once and told to it. */
async function measureRush(page: Page, event: string, labels: string[]): Promise<number[]> {
  const last = labels.at(-1)!;
  const frames = page.evaluate<number[]>(`bench.rush(${JSON.stringify(last)})`);
  await standin.client.events.book(event, labels);
  return frames;
}

/** The best of several: whatever else runs on the machine only makes it slower. */
function bestOf(several: Figures[]): Figures {
  const least = (value: (one: Figures) => number) =>
    several.reduce((best, one) => (value(one) < value(best) ? one : best));
  return {
    first: least((one) => one.first).first,
    all: least((one) => quantile(one.all, 0.95)).all,
    near: least((one) => quantile(one.near, 0.95)).near,
    sweep: least((one) => quantile(one.sweep, 0.95)).sweep,
    select: least((one) => quantile(one.select, 0.5)).select,
    heap: least((one) => one.heap).heap,
  };
}

function print(round: Round, figures: Map<Contender, Figures>): void {
  const limit = figures.get('bare')!;
  console.log(
    `\n${round.seats.toLocaleString('en')} seats${round.throttle > 1 ? `, CPU ${round.throttle} times slower` : ''}: ms, frames as median / p95, (times the bare canvas)`,
  );
  const pair = (values: number[]) =>
    `${quantile(values, 0.5).toFixed(0)} / ${quantile(values, 0.95).toFixed(0)}`;
  const times = (value: number, of: number) => `(${(value / of).toFixed(1)}×)`;
  const rows = [...figures].map(([name, one]) => ({
    '': names[name],
    'first paint after data': `${one.first.toFixed(0)} ${times(one.first, limit.first)}`,
    'pan, all visible': `${pair(one.all)} ${times(quantile(one.all, 0.5), quantile(limit.all, 0.5))}`,
    'pan, near': `${pair(one.near)} ${times(quantile(one.near, 0.5), quantile(limit.near, 0.5))}`,
    'wheel sweep': `${pair(one.sweep)} ${times(quantile(one.sweep, 0.5), quantile(limit.sweep, 0.5))}`,
    'click to selected': `${quantile(one.select, 0.5).toFixed(0)} ${times(quantile(one.select, 0.5), quantile(limit.select, 0.5))}`,
    heap: `${(one.heap / 2 ** 20).toFixed(1)} MB`,
  }));
  const columns = Object.keys(rows[0]!) as (keyof (typeof rows)[number])[];
  const widths = columns.map((column) =>
    Math.max(column.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells: readonly string[]) =>
    console.log(cells.map((cell, at) => cell.padEnd(widths[at]!)).join('  '));
  line(columns);
  for (const row of rows) line(columns.map((column) => row[column]));
  const [mine, theirs] = [figures.get('ours'), figures.get('seatmap')];
  if (mine && theirs)
    console.log(
      `built ${(theirs.first / mine.first).toFixed(0)} times faster than ${names.seatmap}`,
    );
}

async function runRound(round: Round): Promise<void> {
  const event = `seats-${round.seats}`;
  const known = (await standin.client.events.listFirstPage()).items.some(
    ({ key }) => key === event,
  );
  if (!known) {
    await uploadDrawing(standin, {
      key: event,
      drawing: drawStadium({ seats: round.seats, sections: Math.max(8, round.seats / 500) }),
    });
    await standin.client.events.create(event, eventParams({ key: event }));
  }
  const { chart } = (await standin.visit('GET', `/rendering-info?event_key=${event}`)).body;
  const seats = seatsOf(chart);
  const seatsText = JSON.stringify(seats);
  let rush: number[] = [];
  if (!known)
    console.log(
      `\nchart data of ${round.seats.toLocaleString('en')} seats: ${(packed(JSON.stringify(chart)) / 1024).toFixed(1)} KB gzip`,
    );
  const figures = new Map<Contender, Figures>();
  for (const name of round.contenders) {
    const several: Figures[] = [];
    for (let run = 0; run < (name === slow ? 1 : runs); run++) {
      const page = await openPage(event, { seatsText, throttle: round.throttle });
      several.push(await measure(page, name));
      if (name === 'ours' && round.throttle === 1 && run === runs - 1)
        rush = await measureRush(
          page,
          event,
          seats.slice(-rushSize).map(({ label }) => label),
        );
      await page.context().close();
    }
    figures.set(name, bestOf(several));
  }
  print(round, figures);
  if (rush.length > 0)
    console.log(
      `${rushSize.toLocaleString('en')} seats booked at once, frames meanwhile: median ${quantile(rush, 0.5).toFixed(0)} ms, longest ${quantile(rush, 1).toFixed(0)} ms`,
    );
}

console.log(
  `script: chart.js ${(packed(script) / 1024).toFixed(1)} KB gzip, ${names.seatmap} ${(packed(other) / 1024).toFixed(1)} KB gzip`,
);
const asked = rounds.filter(({ seats }) => only === undefined || String(seats) === only);
for (const round of isWhole ? asked : asked.slice(0, 1))
  await runRound(
    only === undefined
      ? round
      : { ...round, contenders: round.contenders.filter((name) => name !== slow) },
  );
await browser.close();
