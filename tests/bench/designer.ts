/** The designer's canvas with a stadium: opening it beside the chart's own first paint, and frames while 5,000 selected seats are dragged: `node tests/bench/designer.ts [runs]`. Figures, no verdict. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { build } from 'vite';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import { eventParams, startStandin, uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { launchWholeBrowser } from '#tests/support/browsers/browser.ts';
import { quantile } from './quantile.ts';

const here = import.meta.dirname;
const root = join(here, '..', '..');
const runs = Number(process.argv[2] ?? 3);
const selected = 5000;
const frames = 90;
const rounds = [
  { seats: 50_000, throttle: 1, goal: '17 / 34' },
  { seats: 20_000, throttle: 4, goal: '17 / 50' },
];

async function buildScript(options: Parameters<typeof build>[0]): Promise<string> {
  const built = await build({ ...options, logLevel: 'error' });
  const [result] = Array.isArray(built) ? built : [built];
  if (!result || !('output' in result)) throw new Error('Vite built nothing');
  return result.output[0].code;
}

const chart = await buildScript({
  configFile: join(root, 'apps/chart/vite.config.ts'),
  build: { write: false },
});
const designer = await buildScript({
  root,
  configFile: false,
  build: {
    write: false,
    lib: { entry: join(here, 'designer-page.js'), formats: ['es'], fileName: 'page' },
  },
});
await using standin = await startStandin({ clock: { now: Date.now() } });
writeFileSync(join(standin.chartFolder, 'chart.js'), chart);
const browser = await launchWholeBrowser();

async function openPage(scripts: Record<string, string>, throttle: number): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1000, height: 760 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const tags = Object.keys(scripts).map((path) =>
    path === '/data.js'
      ? `<script src="${path}"></script>`
      : `<script type="module" src="${path}"></script>`,
  );
  const body = `<!doctype html><style>body{margin:0}#host{height:760px}</style><div id="host"></div><script src="/chart.js"></script>${tags.join('')}`;
  await page.route(`${standin.url}/page`, (route) =>
    route.fulfill({ contentType: 'text/html', body }),
  );
  for (const [path, text] of Object.entries(scripts))
    await page.route(`${standin.url}${path}`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: text }),
    );
  await page.goto(`${standin.url}/page`);
  await page.waitForFunction('globalThis.bench');
  if (throttle > 1)
    await (
      await context.newCDPSession(page)
    ).send('Emulation.setCPUThrottlingRate', { rate: throttle });
  return page;
}

/** From the text of its data to the painted frame. */
async function chartOpens(event: string, throttle: number): Promise<number> {
  const ask = JSON.stringify({ workspaceKey: standin.workspaceKey, event });
  const page = await openPage(
    {
      '/data.js': `chartAsk = ${ask};`,
      '/bench.js': readFileSync(join(here, 'chart-page.js'), 'utf8'),
    },
    throttle,
  );
  const took = await page.evaluate<number>(`bench.build('ours', 0)`);
  await page.context().close();
  return took;
}

interface Figures {
  open: number;
  drag: { selected: number; times: number[]; end: number };
  pan: number[];
  sweep: number[];
}

async function measure(text: string, throttle: number): Promise<Figures> {
  const page = await openPage(
    { '/data.js': `drawing = ${JSON.stringify(text)};`, '/bench.js': designer },
    throttle,
  );
  const open = await page.evaluate<number>('bench.open(drawing)');
  const drag = await page.evaluate<Figures['drag']>(`bench.drag(${selected}, ${frames})`);
  const pan = await page.evaluate<number[]>(`bench.pan(${frames})`);
  const sweep = await page.evaluate<number[]>(`bench.sweep(${frames})`);
  await page.context().close();
  return { open, drag, pan, sweep };
}

const pair = (values: number[]) =>
  `median ${quantile(values, 0.5).toFixed(1)} / p95 ${quantile(values, 0.95).toFixed(1)} ms`;
const least = <T>(list: T[], value: (one: T) => number) =>
  list.reduce((best, one) => (value(one) < value(best) ? one : best));

for (const { seats, throttle, goal } of rounds) {
  const drawing = drawStadium({ seats, sections: seats / 500 });
  const event = `stadium-${seats}`;
  await uploadDrawing(standin, { key: event, drawing });
  await standin.client.events.create(event, eventParams({ key: event }));
  const text = JSON.stringify(drawing);
  const all: Figures[] = [];
  const charts: number[] = [];
  // In turn, so that whatever else runs on the machine slows both.
  for (let run = 0; run < runs; run++) {
    charts.push(await chartOpens(event, throttle));
    all.push(await measure(text, throttle));
  }
  // The best of several: whatever else runs on the machine only makes it slower.
  const { drag } = least(all, ({ drag: { times } }) => quantile(times, 0.95));
  const { open } = least(all, (one) => one.open);
  const own = Math.min(...charts);
  console.log(
    `\n${seats.toLocaleString('en')} seats${throttle > 1 ? `, CPU ${throttle} times slower` : ''}, best of ${runs}`,
  );
  console.log(
    `  open ${open.toFixed(0)} ms, ${(open / own).toFixed(2)} × the chart's first paint of ${own.toFixed(0)} ms (goal 1.5)`,
  );
  console.log(
    `  ${drag.selected.toLocaleString('en')} selected dragged: ${pair(drag.times)} (goal ${goal}); the end ${drag.end.toFixed(0)} ms`,
  );
  console.log(`  the sheet moved: ${pair(least(all, ({ pan }) => quantile(pan, 0.95)).pan)}`);
  console.log(`  wheel: ${pair(least(all, ({ sweep }) => quantile(sweep, 0.95)).sweep)}`);
}
await browser.close();
