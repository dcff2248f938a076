/** `npm run bench -- capacity`: measures what one core does and how cost grows, and writes the page of it, .github/capacity.md. A smaller one (scale.ts) writes nothing. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { connect } from '#db/engine/connect.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { makeDatabase, startPostgres } from '#tests/support/postgres.ts';
import { wideSale } from './booking-hall.ts';
import { measure, startBenchServer, stopVisitors } from './booking-run.ts';
import { growOrders, growSeats, growViewers } from './capacity-growth.ts';
import { writePage, type Costs } from './capacity-page.ts';
import { agent, handIn, makeScan } from './door-scans.ts';
import { cpuOf, load, startProduct, stop } from './product.ts';
import { isWhole, scaled } from './scale.ts';

/** In whole rows of a hundred seats. */
const sizesOf = (usual: readonly number[]) => [
  ...new Set(usual.map((size) => Math.ceil(scaled(size, 100) / 100) * 100)),
];

const viewersOf = (usual: readonly number[]) => [...new Set(usual.map((n) => scaled(n, 5)))];

const requestsOfSale = scaled(2_000, 100);

/** Server CPU of one booking of four seats, in µs; the first round warms up. */
async function costOfBooking(folder: string, database: string): Promise<number> {
  const server = await startBenchServer(folder, database);
  await measure(server, 64, wideSale(0, 2, requestsOfSale / 2));
  const { cpu } = await measure(server, 64, wideSale(1, 2, requestsOfSale));
  await server.stop();
  return cpu;
}

async function costOfBookingOnPostgres(folder: string): Promise<number> {
  const postgres = await startPostgres({ durable: true });
  const database = await makeDatabase(postgres.url);
  try {
    return await costOfBooking(folder, database.address);
  } finally {
    await database.drop();
    await postgres.stop();
  }
}

/** Enough that nobody is scanned twice. */
const places = scaled(20_000, 1_000);

type OfDoorAndPage = Pick<
  Costs,
  | 'event pages'
  | 'event pages that have not changed (304)'
  | 'scans, handed in one by one'
  | 'scans, in batches of 500'
>;

/** In one product: its pages, and the door of a hall in which everybody has a ticket. */
async function costsOfDoorAndPage(folder: string): Promise<OfDoorAndPage> {
  const db = connect(join(folder, 'botteghino.sqlite'));
  await migrate(db);
  const hall = await fillHall(db, { places, phones: 2 });
  await db.destroy();
  const product = await startProduct(folder);
  let at = 0;
  const handInAll = async (count: number, size: number) => {
    const before = cpuOf(product.child);
    for (let done = 0; done < count; done += size) {
      const items = Array.from({ length: size }, () => makeScan(hall, at++, 0));
      await handIn(product, hall, { phone: 0, items });
    }
    return ((cpuOf(product.child) - before) * 1_000) / count;
  };
  try {
    const page = '/event/la-locandiera';
    const etag = (await fetch(product.url + page)).headers.get('etag')!;
    await load(product, page);
    await handInAll(scaled(500), 1);
    return {
      'event pages': await load(product, page, { 'accept-encoding': 'br' }),
      'event pages that have not changed (304)': await load(product, page, {
        'accept-encoding': 'br',
        'if-none-match': etag,
      }),
      'scans, handed in one by one': await handInAll(scaled(2_000), 1),
      'scans, in batches of 500': await handInAll(scaled(10_000, 500), 500),
    };
  } finally {
    agent.destroy();
    await stop(product);
  }
}

const loadBefore = loadavg()[0]!;
const folder = mkdtempSync(join(tmpdir(), 'capacity-'));
for (const part of ['sale', 'sale-postgres', 'door', 'live']) mkdirSync(join(folder, part));
try {
  const costs: Costs = {
    'bookings of four seats, SQLite': await costOfBooking(join(folder, 'sale'), 'sqlite'),
    'bookings of four seats, PostgreSQL (without its own processors)':
      await costOfBookingOnPostgres(join(folder, 'sale-postgres')),
    ...(await costsOfDoorAndPage(join(folder, 'door'))),
  };
  stopVisitors();
  const growths = [
    ...(await growOrders(sizesOf([1_000, 10_000, 50_000, 200_000]))),
    ...(await growSeats(sizesOf([500, 5_000, 20_000, 50_000]))),
    await growViewers(join(folder, 'live'), viewersOf([10, 100, 1_000, 5_000])),
  ];
  const page = writePage({
    machine: `${cpus().length} × ${cpus()[0]!.model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    day: new Date().toISOString().slice(0, 10),
    load: [loadBefore, loadavg()[0]!],
    costs,
    growths,
  });
  console.log(page);
  if (isWhole) writeFileSync(join(import.meta.dirname, '../../.github/capacity.md'), page);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
