/** The page that works a draw out again, from the disk: a true list gives everybody's number, a touched one is told, and nobody is asked for anything. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawOrder, rootOf, type Entrant } from '#server/domain/queue/draw.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { within } from '#tests/support/visit.ts';

const page = pathToFileURL(join(import.meta.dirname, '../../dist/verify/draw/index.html')).href;
let browser: Browser;
let folder: string;
beforeAll(async () => {
  browser = await launchBrowser();
  folder = await mkdtemp(join(tmpdir(), 'botteghino-draw-'));
});
afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
const random = (bytes: number) => randomBytes(bytes).toString('base64url');

function inventDraw(count: number) {
  const entrants = Array.from({ length: count }, (): Entrant => [random(32), random(16)]);
  const seed = random(32);
  return {
    event_id: 'prova',
    seed_hash: hash(seed),
    root: rootOf(entrants, hash),
    seed,
    fixed_at: '2026-11-26T09:00:00.000Z',
    opened_at: '2026-11-26T09:00:01.000Z',
    entrants,
  };
}

async function openWith(draw: object, fragment = '') {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const tab = await context.newPage();
  const asked: string[] = [];
  tab.on('request', (request) => asked.push(request.url()));
  await tab.goto(page + fragment);
  const file = join(folder, `${random(6)}.json`);
  await writeFile(file, JSON.stringify(draw));
  await tab.setInputFiles('#file', file);
  await tab.locator('.verdict').waitFor(within);
  return { tab, asked, close: () => context.close() };
}

test('a true list gives one’s own number, and the nonce and the promise of one’s browser are in it', async () => {
  const draw = inventDraw(300);
  const [place, nonce] = draw.entrants[41]!;
  const own = new URLSearchParams({ place, nonce, promised: draw.seed_hash });
  const { tab, asked, close } = await openWith(draw, `#${own}`);
  const number = drawOrder(draw, hash).indexOf(place) + 1;
  await see(tab.getByText(`Il tuo numero è ${number} di 300.`)).toBeVisible();
  await see(tab.getByText('Il numero segreto è quello promesso prima dell’apertura')).toBeVisible();
  await see(tab.getByText(`aggiunto dal tuo browser, ${nonce}, è nell’elenco`)).toBeVisible();
  expect(await auditPage(tab)).toEqual([]);
  await tab.getByLabel('Impronta pubblicata prima').fill('x'.repeat(43));
  await tab.getByLabel('Il tuo posto').fill('y'.repeat(43));
  await tab.getByLabel('Il tuo posto').blur();
  await see(tab.getByText('L’estrazione non è quella promessa')).toBeVisible();
  await see(tab.getByText('chi entra dopo segue l’ordine di arrivo')).toBeVisible();
  expect(asked.map((url) => url.split('#')[0])).toEqual([page]);
  await close();
});

test('another seed, a changed nonce, a doubled place and a file that is no list are told', async () => {
  const draw = inventDraw(20);
  const { entrants } = draw;
  const doubled = [...entrants, entrants[3]!];
  const cases: [object, string][] = [
    [{ ...draw, seed: random(32) }, 'non è quello di cui era stata pubblicata l’impronta'],
    [
      { ...draw, entrants: entrants.with(7, [entrants[7]![0], random(16)]) },
      'L’elenco non è quello fissato',
    ],
    [{ ...draw, entrants: doubled, root: rootOf(doubled, hash) }, 'due volte lo stesso posto'],
    [{ entrants: [] }, 'L’elenco non si legge'],
  ];
  for (const [file, words] of cases) {
    const { tab, close } = await openWith(file);
    await see(tab.getByText(words)).toBeVisible();
    await close();
  }
});

test('a list of twenty thousand entrants is worked out while one looks', async () => {
  const draw = inventDraw(20_000);
  const [place, nonce] = draw.entrants[17_777]!;
  const { tab, close } = await openWith(draw, `#${new URLSearchParams({ place, nonce })}`);
  await see(tab.getByText(/Il tuo numero è \d+ di 20000\./)).toBeVisible();
  await close();
});
