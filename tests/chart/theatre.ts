/** One evening at the theatre for a browser test: a stand-in that serves the built chart.js, and pages that show it through the vendor's React component. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { build } from 'vite';
import { openPages } from '#tests/standins/seatsio/pages.ts';
import { eventParams, type Standin, startStandin } from '#tests/standins/seatsio/start.ts';

export const EVENT = 'serata';
const here = import.meta.dirname;

interface Scripts {
  chart: string;
  page: string;
}
let scripts: Promise<Scripts> | undefined;

/** Both are built once for all tests of a file, into memory. */
export function buildScripts(): Promise<Scripts> {
  scripts ??= (async () => ({
    chart: await bundle({
      configFile: path.join(here, '../../apps/chart/vite.config.ts'),
      build: { write: false },
    }),
    page: await bundle({
      configFile: false,
      root: here,
      build: {
        write: false,
        minify: false,
        rollupOptions: { input: path.join(here, 'react-page.js') },
      },
    }),
  }))();
  return scripts;
}

async function bundle(config: Parameters<typeof build>[0]): Promise<string> {
  const built = await build({ ...config, logLevel: 'error' });
  const [result] = Array.isArray(built) ? built : [built];
  if (!result || !('output' in result)) throw new Error('Vite built nothing');
  return result.output[0].code;
}

/** What a test may ask of the page; `chart` is merged over the defaults of a shop. */
export interface Visit {
  chart?: Record<string, unknown>;
  context?: BrowserContextOptions;
  /** Runs before the page is opened, for routes. */
  prepare?: (page: Page) => Promise<unknown>;
}

export interface Visitor {
  page: Page;
  /** Runs an expression in the page; `chart` is the chart there. */
  ask: <T>(expression: string) => Promise<T>;
  heard: () => Promise<string[]>;
  /** Waits until the page has heard a line that begins so. */
  hears: (line: string) => Promise<void>;
  /** Presses a seat on the map where it is drawn: brought to the middle first. */
  pressSeat: (label: string, how?: 'click' | 'tap') => Promise<void>;
  openRow: (section: RegExp, row: RegExp) => Promise<void>;
}

export interface Theatre extends Standin {
  enter: (visit?: Visit) => Promise<Visitor>;
}

export const pricing = [
  {
    category: 'Platea',
    ticketTypes: [
      { ticketType: 'intero', price: 25, label: 'Intero' },
      { ticketType: 'ridotto', price: 18, label: 'Ridotto' },
    ],
  },
  { category: 'Palchi', ticketTypes: [{ ticketType: 'palco', price: 40, label: 'Palco' }] },
  {
    category: 'Galleria',
    ticketTypes: [
      { ticketType: 'intero', price: 15, label: 'Intero' },
      { ticketType: 'ridotto', price: 12, label: 'Ridotto' },
    ],
  },
];

/** A stand-in with an event on the theatre's chart; everything opened through it ends with it. */
export async function openTheatre(browser: Browser): Promise<Theatre> {
  const standin = await startStandin({ clock: { now: Date.now() } });
  const built = await buildScripts();
  await writeFile(path.join(standin.chartFolder, 'chart.js'), built.chart);
  await standin.client.events.create('teatro-goldoni', eventParams({ key: EVENT }));
  const { newPage, ...ending } = openPages(browser, standin, { width: 1000, height: 800 });
  return {
    ...standin,
    ...ending,
    async enter({ chart = {}, context: wishes = {}, prepare } = {}) {
      const page = await newPage(wishes);
      const ask = {
        chart: {
          workspaceKey: standin.workspaceKey,
          event: EVENT,
          session: 'continue',
          language: 'it',
          colorScheme: 'dark',
          showLegend: true,
          pricing,
          ...chart,
        },
      };
      const html = `<!doctype html><html lang="it"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Serata</title><style>body{margin:0}#page{height:100vh}h1{position:absolute;margin:0;clip-path:inset(50%)}</style><main><h1>Serata</h1><div id="page"></div></main>
        <script>ask = ${JSON.stringify(ask)}</script><script type="module" src="/page.js"></script>`;
      await page.route(`${standin.url}/page`, (route) =>
        route.fulfill({ contentType: 'text/html', body: html }),
      );
      await page.route(`${standin.url}/page.js`, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: built.page }),
      );
      await prepare?.(page);
      await page.goto(`${standin.url}/page`);
      return visitorOf(page);
    },
  };
}

function visitorOf(page: Page): Visitor {
  const ask = <T>(expression: string) => page.evaluate<T>(expression);
  return {
    page,
    ask,
    heard: () => ask<string[]>('heard'),
    async hears(line) {
      await page.waitForFunction(
        `heard.some((one) => one.startsWith(${JSON.stringify(line)}))`,
        undefined,
        { timeout: 8000 },
      );
    },
    async pressSeat(label, how = 'click') {
      await ask(`chart.zoomToObjects([${JSON.stringify(label)}])`);
      const box = (await page.locator('.bsc-map').boundingBox())!;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await (how === 'tap' ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
    },
    async openRow(section, row) {
      await page.getByRole('button', { name: 'Scegli da un elenco' }).click();
      await page.getByRole('button', { name: section }).click();
      await page.getByRole('button', { name: row }).click();
    },
  };
}
