/** A chart server with the built designer, and pages that open it: through the vendor's React component, or with a line of script. */
import { testWith } from '#tests/support/test-with.ts';
import { cpSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { openPages } from '#tests/standins/seatsio/pages.ts';
import { startStandin, type Standin } from '#tests/standins/seatsio/start.ts';

const built = path.join(import.meta.dirname, '../../dist/chart');

interface Draughtsman {
  page: Page;
  /** Runs an expression in the page; `designer` is the designer there, `heard` what its callbacks were told. */
  ask: <T>(expression: string) => Promise<T>;
  /** `rendered` or `failed`. */
  open: (settings?: Record<string, unknown>, functions?: string) => Promise<string>;
  /** Waits until this was told to screen readers, after what was waited for before. */
  told: (text: string) => Promise<void>;
}

export interface Workshop extends Standin {
  browser: Browser;
  enter: (context?: BrowserContextOptions) => Promise<Draughtsman>;
}

/** Everything opened through it ends with it. */
export async function openWorkshop(): Promise<Workshop> {
  const standin = await startStandin({ clock: { now: Date.now() } });
  cpSync(built, standin.chartFolder, { recursive: true });
  const { newPage, ...ending } = await openPages(standin, { width: 1440, height: 900 });
  return {
    ...standin,
    ...ending,
    async enter(wishes = {}) {
      const page = await newPage(wishes);
      await page.addInitScript(keepTold);
      const html = `<!doctype html><html lang="it"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Piante</title><style>body{margin:0}#page{height:100vh}h1{position:absolute;margin:0;clip-path:inset(50%)}</style><main><h1>Piante</h1><div id="page"></div></main><script src="${standin.url}/chart.js"></script>`;
      await page.route(`${standin.url}/page`, (route) =>
        route.fulfill({ contentType: 'text/html', body: html }),
      );
      await page.goto(`${standin.url}/page`);
      return draughtsmanOf(page, standin);
    },
  };
}

/** In the page: keeps what is told in its order, since each sentence stands only until the next one. */
const keepTold = `
  globalThis.told = [];
  new MutationObserver(() => {
    const text = document.querySelector('.bsd > [role=status]')?.textContent;
    if (text && text !== told.at(-1)) told.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });`;

const callbacks = [
  'onChartCreated',
  'onChartUpdated',
  'onChartPublished',
  'onExitRequested',
] as const;

function draughtsmanOf(page: Page, { secretKey }: Standin): Draughtsman {
  const ask = <T>(expression: string) => page.evaluate<T>(expression);
  let past = 0;
  return {
    page,
    ask,
    async told(text) {
      const found = await page.waitForFunction(
        ([text, past]) => {
          const { told } = globalThis as unknown as { told: string[] };
          return told.findIndex((one, at) => at >= past && one.includes(text)) + 1;
        },
        [text, past] as const,
      );
      past = await found.jsonValue();
    },
    open: (settings = {}, functions = '{}') =>
      ask<string>(`new Promise((done) => {
        globalThis.heard = [];
        if (globalThis.designer) designer.destroy();
        const names = ${JSON.stringify(callbacks)};
        globalThis.designer = new seatsio.SeatingChartDesigner({
          container: document.querySelector('#page'),
          secretKey: ${JSON.stringify(secretKey)},
          ...Object.fromEntries(names.map((name) => [name, (...told) => heard.push([name, ...told].join(' '))])),
          onDesignerRendered: () => done('rendered'),
          onDesignerRenderingFailed: () => done('failed'),
          ...${JSON.stringify(settings)},
          ...(${functions}),
        }).render();
      })`),
  };
}

/** From now on no drawing leaves this page, not even as the page goes: a browser lets its last calls pass by what intercepts them. */
export async function cutLine(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) =>
      init?.method === 'POST' ? Promise.reject(new TypeError('No line')) : fetch(input, init);
  });
}

/** A test with a workshop of its own. */
export const testWorkshop = testWith(() => openWorkshop());
