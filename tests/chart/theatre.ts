/** One evening at the theatre for a browser test: a stand-in that serves the built chart.js, and pages of a shop that show it. */
import { testWith } from '#tests/support/test-with.ts';
import { readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import type { EventObjectInfo } from 'seatsio';
import { openPages } from '#tests/standins/seatsio/pages.ts';
import { eventParams, type Standin, startStandin } from '#tests/standins/seatsio/start.ts';

export const EVENT = 'serata';
const here = import.meta.dirname;
const pageScript = readFileSync(path.join(here, 'page.js'), 'utf8');

/** One of the four seats of a box; none of them is asked for its ticket type. */
export const box = (seat: number) => `Palchi I ordine-4-${seat}`;

export const phone = {
  viewport: { width: 390, height: 760 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};

/** What a test may ask for; `chart` is merged over the defaults of a shop. */
interface Show {
  chart?: Record<string, unknown>;
  /** Settings that cannot travel as data: JavaScript text of an object. */
  functions?: string;
  kind?: 'SeatingChart' | 'EventManager';
}

export interface Visit extends Show {
  context?: BrowserContextOptions;
  /** Runs before the page is opened, for routes. */
  prepare?: (page: Page) => Promise<unknown>;
}

export interface Visitor {
  page: Page;
  /** Puts another chart in the place of this one, on an evening of its own unless it names one; nothing of it is chosen or heard yet. */
  show: (show?: Show) => Promise<string>;
  /** Runs an expression in the page; `chart` is the chart there. */
  ask: <T>(expression: string) => Promise<T>;
  /** The error of a call that is refused, or `done`. */
  refused: (call: string) => Promise<string>;
  heard: () => Promise<string[]>;
  said: () => Promise<string[]>;
  /** Wait until the page has heard, or was told by the vendor’s names, a line that begins so. */
  hears: (line: string) => Promise<unknown>;
  told: (line: string) => Promise<unknown>;
  /** As the page’s own call. */
  choose: (...objects: (string | object)[]) => Promise<unknown>;
  chosen: () => Promise<string[]>;
  /** What the chart knows of a place, by the names of its fields. */
  read: (label: string, ...fields: string[]) => Promise<unknown[]>;
  /** What the server knows of it. */
  infoOf: (label: string) => Promise<EventObjectInfo>;
  /** Presses a seat on the map where it is drawn: brought to the middle first. */
  pressSeat: (label: string, how?: 'click' | 'tap') => Promise<void>;
  openRow: (section: RegExp, row: RegExp) => Promise<void>;
}

export interface Theatre extends Standin {
  browser: Browser;
  /** Another event on one of the charts. */
  stage: (chart?: string) => Promise<string>;
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

/** With a remark, a price before, a fee, and one that is sold out. */
export const tickets = [
  { ticketType: 'intero', price: 25, originalPrice: 30, fee: 2, label: 'Intero' },
  {
    ticketType: 'ridotto',
    price: 18,
    label: 'Ridotto',
    description: 'Under 26, con documento',
    primary: true,
  },
  {
    ticketType: 'omaggio',
    price: 0,
    label: 'Omaggio',
    unavailable: true,
    unavailableReason: 'soldOut',
  },
];

/** A stand-in with an event on the theatre's chart; everything opened through it ends with it. */
export async function openTheatre(): Promise<Theatre> {
  const standin = await startStandin({ clock: { now: Date.now() } });
  const chart = path.join(here, '../../dist/chart/chart.js');
  await copyFile(chart, path.join(standin.chartFolder, 'chart.js'));
  let evenings = 0;
  const stage = async (key = 'teatro-goldoni') => {
    const event = evenings === 0 ? EVENT : `${EVENT}-${evenings}`;
    evenings += 1;
    await standin.client.events.create(key, eventParams({ key: event }));
    return event;
  };
  await stage();
  const { newPage, ...ending } = await openPages(standin, { width: 1000, height: 800 });
  const theatre: Theatre = {
    ...standin,
    ...ending,
    stage,
    async enter({ context, prepare, ...first } = {}) {
      const page = await newPage(context);
      const html = `<!doctype html><html lang="it"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Serata</title><style>body{margin:0}#page{height:100vh}h1{position:absolute;margin:0;clip-path:inset(50%)}</style><main><h1>Serata</h1><div id="page"></div></main>
        <script src="/chart.js"></script><script>${pageScript}</script><script>${callOf(first, standin)}</script>`;
      await page.route(`${standin.url}/page`, (route) =>
        route.fulfill({ contentType: 'text/html', body: html }),
      );
      await prepare?.(page);
      await page.goto(`${standin.url}/page`);
      await stands(page);
      return visitorOf(page, theatre, eventOf(first));
    },
  };
  return theatre;
}

const eventOf = ({ chart = {} }: Show) => (chart['event'] as string | undefined) ?? EVENT;

/** What the page does to show such a chart. */
function callOf({ chart, functions = '{}', kind }: Show, { workspaceKey }: Standin): string {
  const common = { workspaceKey, event: EVENT, session: 'continue', pricing };
  const looks = { language: 'it', colorScheme: 'dark', showLegend: true };
  const settings = JSON.stringify({ ...common, ...looks, ...chart });
  return `show({ ...${settings}, ...(${functions}) }, ${JSON.stringify(kind)})`;
}

const stands = (page: Page) =>
  page.waitForFunction('said.includes("ChartRendered") || said.includes("ChartRenderingFailed")');

function visitorOf(page: Page, theatre: Theatre, first: string): Visitor {
  let evening = first;
  const ask = <T>(expression: string) => page.evaluate<T>(expression);
  const waitFor = (list: string) => (line: string) =>
    page.waitForFunction(`${list}.some((one) => one.startsWith(${JSON.stringify(line)}))`);
  return {
    page,
    ask,
    async show(show = {}) {
      const event = show.chart?.['event'] ?? (await theatre.stage());
      evening = event as string;
      await ask(callOf({ ...show, chart: { event, ...show.chart } }, theatre));
      await stands(page);
      return evening;
    },
    refused: (call) => ask(`(${call}).then(() => 'done', (error) => error.constructor.name)`),
    heard: () => ask('heard'),
    said: () => ask('said'),
    hears: waitFor('heard'),
    told: waitFor('said'),
    choose: (...objects) => ask(`chart.trySelectObjects(${JSON.stringify(objects)})`),
    chosen: () => ask('chart.selectedObjects'),
    read: (label, ...fields) =>
      ask(
        `chart.findObject(${JSON.stringify(label)}).then(({ ${fields.join()} }) => [${fields.join()}])`,
      ),
    infoOf: (label) => theatre.client.events.retrieveObjectInfo(evening, label),
    async pressSeat(label, how = 'click') {
      await ask(`chart.zoomToObjects([${JSON.stringify(label)}])`);
      const { x, y } = await middleOf(page);
      await (how === 'tap' ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
    },
    async openRow(section, row) {
      await page.getByRole('button', { name: 'Scegli da un elenco' }).click();
      await page.getByRole('button', { name: section }).click();
      await page.getByRole('button', { name: row }).click();
    },
  };
}

/** Of the map, in the window. */
export async function middleOf(page: Page): Promise<{ x: number; y: number }> {
  const map = (await page.locator('.bsc-map').boundingBox())!;
  return { x: map.x + map.width / 2, y: map.y + map.height / 2 };
}

/** Once what was asked for has been painted. */
export const painted = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/** A test with a theatre of its own. */
export const testTheatre = testWith(() => openTheatre());
