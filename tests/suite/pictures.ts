/**
 * `npm run pictures -- FOLDER` keeps a picture of every screen, at 390 and at 1280 px, in FOLDER;
 * `npm run pictures -- --compare BEFORE AFTER` prints the screens that differ, and by how much.
 * `--only REGEX` takes those whose name matches, as `admin/orders`.
 * Pictures of one commit, taken twice, show what differs by chance: codes of tickets do.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright';
import sharp from 'sharp';
import { legalPaths } from '#server/domain/site/legal-names.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { pairingLink } from '#tests/support/door/phone.ts';
import { asVisitor, makeAdmin } from '#tests/support/make.ts';
import { feeEvent } from '#tests/support/refunds.ts';
import { seedStates } from '#tests/support/seed-states.ts';
import { openServer, type TestServer } from '#tests/support/server.ts';
import { root } from './imports.ts';
import { listAddresses } from './screens.ts';

const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 900 } };
/** Addresses that the routes name by a constant. */
const unread: Record<string, string[]> = {
  admin: ['/events/_new'],
  booking: Object.values(legalPaths),
};
/** It lies ahead of the true time, to which `seedStates` would otherwise move the clock. */
const start = Date.parse('2036-11-28T10:00:00.000Z');

/** Freezes the clock, and makes ids the same in every run. */
function makeChance() {
  let now = start;
  let made = 0;
  return {
    clock: {
      now: () => now,
      advance(ms: number) {
        now += ms;
      },
    },
    newId() {
      made += 1;
      return createHash('sha256').update(String(made)).digest('base64url').slice(0, 30);
    },
  };
}

async function startHouse(): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'botteghino-'));
  const { clock, newId } = makeChance();
  const settings = { PORT: '4471', DATA_DIR: dataDir };
  return openServer(settings, { now: clock.now, newId }, clock, () =>
    rm(dataDir, { recursive: true, force: true }),
  );
}

type Samples = Record<string, string | undefined>;

/** The values of `:orderId` and similar parameters in an address. */
async function listSamples(server: TestServer, states: Record<string, string>): Promise<Samples> {
  const { db } = server.house.ctx;
  const first = (table: string): Promise<string | undefined> =>
    db(table)
      .orderBy('id')
      .first('id')
      .then((row?: { id: string }) => row?.id);
  const event = await db('events').where({ id: feeEvent }).first('chart_key');
  // If a table has no row, the address of its screen stays without a valid id.
  return {
    eventId: feeEvent,
    orderId: states['refunded in part'],
    showId: await first('shows'),
    chartKey: event.chart_key,
    mailId: await first('mails'),
    report: 'sales',
  };
}

function fill(address: string, samples: Samples): string {
  return address.replace(/:(\w+)/g, (_, name: string) => samples[name] ?? 'x');
}

/** Waits until the page is still: requests, fonts and pictures have loaded. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.getByText('Caricamento…', { exact: true }).first().waitFor({ state: 'hidden' });
  await page.evaluate(() => document.fonts.ready);
}

async function take(page: Page, folder: string, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    await settle(page);
    const path = join(folder, `${name.replaceAll('/', '_') || 'home'}-${size}.png`);
    await page.screenshot({ path, fullPage: true, animations: 'disabled', caret: 'hide' });
  }
}

async function newContext(browser: Browser, server: TestServer): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: sizes.desk,
    locale: 'it-IT',
    timezoneId: 'Europe/Rome',
    reducedMotion: 'reduce',
  });
  await context.clock.setFixedTime(server.clock.now());
  return context;
}

interface View {
  name: string;
  /** Below the origin of the site. */
  path: string;
  isOffice: boolean;
}

function viewsOf(app: string, { prefix, samples }: { prefix: string; samples: Samples }): View[] {
  return [...listAddresses(app), ...(unread[app] ?? [])].map((address) => ({
    name: `${app}${address.replaceAll(/[:*]/g, '')}`,
    path: prefix + fill(address, samples).replace('*', 'x'),
    isOffice: app === 'admin' || address.startsWith('/anteprima'),
  }));
}

/** The screens of a person without a session. */
const gates: View[] = ['login', 'password', 'invito', 'nuova-password'].map((gate) => ({
  name: `admin/outside/${gate}`,
  path: `/admin/${gate}`,
  isOffice: false,
}));

/** The phone before its pairing, and while it prepares. */
async function takeScanner(page: Page, folder: string, { url }: TestServer, link: string) {
  await page.goto(`${url}/scanner/`);
  await take(page, folder, 'scanner/setup');
  await page.goto(link);
  await page.locator('[data-check=list]:not([data-mark=wait])').waitFor();
  await take(page, folder, 'scanner/ready');
}

async function takePictures(folder: string, only: RegExp): Promise<void> {
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, ['apps/build.ts', '--if-changed'], { cwd: root });
  await using server = await startHouse();
  const states = await seedStates(server);
  const admin = await makeAdmin(server);
  const browser = await launchBrowser();
  const visitor = await newContext(browser, server);
  const office = await newContext(browser, server);
  const [name = '', value = ''] = admin.cookie.split('=');
  await office.addCookies([{ name, value, url: server.url }]);
  const samples = await listSamples(server, states);
  const views = [
    ...viewsOf('booking', { prefix: '', samples }),
    ...viewsOf('admin', { prefix: '/admin', samples }),
    ...gates,
  ].filter((view) => only.test(view.name));
  for (const view of views) {
    const page = await (view.isOffice ? office : visitor).newPage();
    await page.goto(server.url + (view.isOffice ? view.path : await asVisitor(server, view.path)));
    await take(page, folder, view.name);
    await page.close();
  }
  if (only.test('scanner')) {
    const link = await pairingLink(server, admin, { name: 'Ingresso' });
    await takeScanner(await visitor.newPage(), folder, server, link);
  }
  await browser.close();
  console.log(`${readdirSync(folder).length} pictures`);
}

/** The share of pixels that differ, or 1 if the pictures have different sizes. */
async function differenceOf(before: string, after: string): Promise<number> {
  const [one, other] = await Promise.all(
    [before, after].map((path) =>
      sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true }),
    ),
  );
  if (one!.data.length !== other!.data.length) return 1;
  const points = one!.data.length / 3;
  let differing = 0;
  for (let at = 0; at < one!.data.length; at += 3)
    if (one!.data.compare(other!.data, at, at + 3, at, at + 3) !== 0) differing += 1;
  return differing / points;
}

async function compare(before: string, after: string): Promise<void> {
  const earlier = new Set(readdirSync(before));
  const later = new Set(readdirSync(after));
  const names = earlier.union(later);
  const both = earlier.intersection(later);
  let equal = 0;
  for (const name of both) {
    const share = await differenceOf(join(before, name), join(after, name));
    if (share === 0) equal += 1;
    else console.log(`${name}: ${(share * 100).toFixed(2)} %`);
  }
  for (const name of names) if (!both.has(name)) console.log(`${name}: on one side only`);
  console.log(`${equal} of ${names.size} are equal`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    compare: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const [folder, other] = positionals;
if (folder === undefined || (values.compare && other === undefined))
  throw new Error('Name a folder, or two behind --compare.');
await (values.compare ? compare(folder, other!) : takePictures(folder, new RegExp(values.only)));
