/**
 * `npm run bench -- counter [parts] [databases] [seconds] [rounds]`: keys and seconds of the three commonest sales (keys), and ten tills
 * that sell once a second beside web visitors who read and book (load: p50, p99, double seats), on SQLite and PostgreSQL.
 * Server and callers share one process: figures, no verdict.
 */
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright';
import { changeTills, makeSale } from '#server/contract/counter.ts';
import { launchWholeBrowser } from '#tests/support/browsers/browser.ts';
import { newSaleKey, openDrawer } from '#tests/support/counter.ts';
import {
  ask,
  callOk,
  demoEvent,
  holdObjects,
  makeAdmin,
  makeHoldToken,
} from '#tests/support/make.ts';
import { startServer, type DatabaseKind, type TestServer } from '#tests/support/server.ts';
import { startTicketPrinter } from '#tests/support/ticket-printer.ts';
import { onDatabases } from './databases.ts';
import { quantile } from './quantile.ts';
import { scaled } from './scale.ts';

const parts =
  process.argv[2] && process.argv[2] !== 'all' ? process.argv[2].split(',') : ['keys', 'load'];
const databases = process.argv[3] ?? 'sqlite,postgres';
const seconds = Number(process.argv[4] ?? scaled(10));
const rounds = Number(process.argv[5] ?? scaled(5));
const tillCount = 10;
const visitors = scaled(200, 20);
/** One of this many visitors books at the end of the reading. */
const bookersEvery = 10;

type Admin = { cookie: string };

async function putTills(
  server: TestServer,
  admin: Admin,
  printer: { host: string; port: number } | null,
) {
  const tills = Array.from({ length: tillCount }, (_, nth) => ({
    id: `cassa-${nth + 1}`,
    name: `Cassa ${nth + 1}`,
    layout: '80mm' as const,
    printer,
  }));
  await callOk(server, changeTills, { body: { version: 0, gifts_per_event: 10, tills } }, admin);
}

/** The keys to press, each with the text that must appear before the next key. */
interface Step {
  keys: string[];
  see: string;
}
const line = '[class*="till_typed"] input';
const two = '[aria-label="Posti scelti"] li:nth-child(2)';
const sales: Record<string, Step[]> = {
  'two best seats, exact cash': [
    { keys: ['2', 'Enter'], see: two },
    { keys: ['F2'], see: 'dialog input:focus' },
    { keys: ['Enter'], see: 'text=Stampato.' },
  ],
  'two best seats, cash with change': [
    { keys: ['2', 'Enter'], see: two },
    { keys: ['F2'], see: 'dialog input:focus' },
    { keys: ['1', '0', '0', 'Enter'], see: 'text=Stampato.' },
  ],
  'two reduced seats, card reader': [
    { keys: ['2', 'Enter'], see: two },
    { keys: ['2', '2', 'F4'], see: 'dialog input:focus' },
    { keys: ['Enter'], see: 'text=Stampato.' },
  ],
};

async function sell(page: Page, steps: readonly Step[]): Promise<number> {
  await page.locator(line).waitFor();
  const began = performance.now();
  for (const { keys, see } of steps) {
    for (const key of keys) await page.keyboard.press(key);
    await page.locator(see).first().waitFor();
  }
  return performance.now() - began;
}

async function measureKeys(): Promise<void> {
  await using printer = await startTicketPrinter();
  await using server = await startServer({ worker: true });
  const admin = await makeAdmin(server);
  await putTills(server, admin, printer);
  await openDrawer(server, admin);
  const browser = await launchWholeBrowser();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'it-IT',
  });
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(`${server.url}/admin/sell/event/${demoEvent}`);
  await page.locator('[class*="till_map"] canvas').first().waitFor();
  await page.locator(`${line}:focus`).waitFor();
  for (const [what, steps] of Object.entries(sales)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await sell(page, steps));
    const keys = steps.flatMap((step) => step.keys).length;
    console.log(
      `${what}: ${keys} keys, ${inSeconds(quantile(times, 0.5))} s (worst ${inSeconds(Math.max(...times))})`,
    );
  }
  await browser.close();
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}

async function measureLoad(server: TestServer, database: DatabaseKind): Promise<void> {
  const admin = await makeAdmin(server);
  await putTills(server, admin, null);
  await openDrawer(server, admin);
  const rows = await freeRows(server);
  const sales = await holdEach(
    server,
    rows
      .flat()
      .slice(0, tillCount * seconds)
      .map((seat) => [seat]),
  );
  // Visitors may not leave a single seat, so they buy pairs, from the other end of the stalls.
  const pairs = rows.toReversed().flatMap(pairsOf);
  const web = await holdEach(server, pairs.slice(0, visitors / bookersEvery));
  const evening = { isOver: false };
  const visiting = visitEvent(server, { web, evening });
  const times: number[] = [];
  const statuses: Record<number, number> = {};
  const began = performance.now();
  const cpu = process.cpuUsage();
  await Promise.all(
    sales.map(async (held, nth) => {
      await pause((nth * 1_000) / tillCount);
      const at = performance.now();
      const body = saleOf(held);
      const { status } = await ask(server, makeSale.method, makeSale.path, {
        body,
        headers: admin,
      });
      times.push(performance.now() - at);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }),
  );
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  evening.isOver = true;
  const { read, booked, refused } = await visiting;
  if (refused !== '') throw new Error(`a visitor was refused: ${refused}`);
  const lines = await server.house.ctx.db('order_lines').whereNull('released_at');
  const doubles = lines.length - new Set(lines.map(({ place }) => place)).size;
  console.log(
    `${database}: ${sales.length} sales in ${inSeconds(took)} s beside ${visitors} visitors (${read} readings, ${booked} bookings): p50 ${Math.round(quantile(times, 0.5))} ms, p99 ${Math.round(quantile(times, 0.99))} ms, answers ${JSON.stringify(statuses)}, double seats ${doubles}; this process used ${Math.round((user + system) / took / 10)} % of a core, load of the machine ${loadavg()[0]!.toFixed(1)}`,
  );
}

/** Row by row, each from its first seat to its last; rows with a seat that cannot be had are left out. */
async function freeRows(server: TestServer): Promise<string[][]> {
  const objects = await server.house.ctx.seats.objects(demoEvent);
  const seats = new Map(objects.map((object) => [object.label, object]));
  const rows = objects
    .filter(({ kind, left, category }) => kind === 'seat' && left === null && category === 'Platea')
    .map((first) => {
      const row = [first];
      for (let next = first.right; next !== null; next = row.at(-1)!.right)
        row.push(seats.get(next)!);
      return row;
    });
  return rows
    .filter((row) => row.every(({ status, for_sale }) => status === 'free' && for_sale))
    .map((row) => row.map(({ label }) => label));
}

/** Pairs of neighbours from the row's first seat on, so that no single seat is left. */
function pairsOf(row: readonly string[]): string[][] {
  const pairs = row.flatMap((_, at) => (at % 2 === 0 ? [row.slice(at, at + 2)] : []));
  const isWhole = row.length % 2 === 0;
  return isWhole ? pairs : pairs.slice(0, -2);
}

type Held = Awaited<ReturnType<typeof holdEach>>[number];

/** Each sale has a token of its own, as at separate tills. */
async function holdEach(server: TestServer, groups: readonly (readonly string[])[]) {
  const held = [];
  for (const group of groups) {
    // One address gets a hundred hold tokens a minute.
    server.clock.advance(1_000);
    const hold_token = await makeHoldToken(server);
    const selected_objects = group.map((object_id) => ({ object_id, ticket_type: 'intero' }));
    await holdObjects(server, hold_token, selected_objects);
    held.push({ hold_token, selected_objects });
  }
  return held;
}

function saleOf(held: Held) {
  return {
    ...held,
    sale_key: newSaleKey(),
    event_id: demoEvent,
    expected_cents: 3_200,
    payments: [{ method: 'cash' as const, amount_cents: 3_200 }],
    rules_reason: 'misura',
  };
}

/** Each visitor reads the event every five seconds, and some book what they hold. */
async function visitEvent(
  server: TestServer,
  { web, evening }: { web: readonly Held[]; evening: { isOver: boolean } },
) {
  const done = { read: 0, booked: 0, refused: '' };
  await Promise.all(
    Array.from({ length: visitors }, async (_, nth) => {
      await pause((nth * 5_000) / visitors);
      const wish = nth % bookersEvery === 0 ? web[nth / bookersEvery] : undefined;
      if (wish) {
        const { status, body } = await ask(server, 'POST', `/api/event/${demoEvent}/book`, {
          body: wish,
        });
        if (status === 200) done.booked += 1;
        else done.refused = (body as { code: string }).code;
      }
      while (!evening.isOver) {
        await ask(server, 'GET', `/api/event/${demoEvent}/`);
        done.read += 1;
        await pause(5_000);
      }
    }),
  );
  return done;
}

if (parts.includes('load')) await onDatabases(databases, measureLoad, { worker: true });
if (parts.includes('keys')) await measureKeys();
