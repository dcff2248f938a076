/**
 * `npm run bench -- booking [parts] [rounds]`: what a booking costs beside the same route without
 * a database, in the same run and in turn; figures, no verdict. Parts: sale (HTTP, wide hall),
 * postgres, wal; all of them if none is named ("sale,wal").
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeDatabase, startPostgres } from '#tests/support/postgres.ts';
import { wideSale } from './booking-hall.ts';
import {
  measure,
  median,
  startBenchServer,
  stopVisitors,
  type BenchServer,
  type Measured,
} from './booking-run.ts';
import { pagesWritten } from './booking-pages.ts';
import { scaled } from './scale.ts';

const allParts = ['sale', 'postgres', 'wal'];
const parts = process.argv[2] && process.argv[2] !== 'all' ? process.argv[2].split(',') : allParts;
const rounds = Number(process.argv[3] ?? scaled(5));
const clients = 64;
const perRound = scaled(2_000, 200);
const slices = 2 * rounds + 4;

const folder = mkdtempSync(join(tmpdir(), 'booking-'));
const wants = (part: string) => parts.includes(part);
const ratio = (value: number, floor: number) => (value / floor).toFixed(2);
const whole = (value: number) => String(Math.round(value)).padStart(6);

function say(name: string, measured: readonly Measured[]): void {
  console.log(
    `  ${name.padEnd(22)} ${whole(median(measured, (m) => m.bookingsPerSecond))} bookings/s ${whole(median(measured, (m) => m.answersPerSecond))} answers/s, server CPU ${whole(median(measured, (m) => m.cpu))} µs/request, p99 ${median(measured, (m) => m.p99).toFixed(1)} ms`,
  );
}

/** Floor and candidates take turns; the first slice of the hall is a warm-up. */
async function runSale(
  sqlite: BenchServer,
  bare: BenchServer,
  postgres: BenchServer | null,
): Promise<void> {
  for (const server of [sqlite, bare, ...(postgres ? [postgres] : [])])
    await measure(server, clients, wideSale(0, slices, scaled(1_000, 200)));
  const figures = {
    sqlite: [] as Measured[],
    bare: [] as Measured[],
    postgres: [] as Measured[],
  };
  for (let round = 1; round <= rounds; round += 1) {
    const requests = () => wideSale(round, slices, perRound);
    figures.sqlite.push(await measure(sqlite, clients, requests()));
    figures.bare.push(await measure(bare, clients, requests()));
    if (postgres) figures.postgres.push(await measure(postgres, clients, requests()));
  }
  const [booked, answered, ceiling] = [
    median(figures.sqlite, (m) => m.bookingsPerSecond),
    median(figures.sqlite, (m) => m.answersPerSecond),
    median(figures.bare, (m) => m.answersPerSecond),
  ];
  console.log(
    `wide sale: ${clients} clients, 4 seats each, about a fifth too late; ${rounds} rounds of ${perRound}, medians`,
  );
  say('SQLite', figures.sqlite);
  say('the route without', figures.bare);
  console.log(
    `  answers : without database = ${ratio(answered, ceiling)} (goal 0.45), by CPU ${ratio(
      median(figures.bare, (m) => m.cpu),
      median(figures.sqlite, (m) => m.cpu),
    )}`,
  );
  if (!postgres) return;
  say('PostgreSQL', figures.postgres);
  console.log(
    `  PostgreSQL : SQLite = ${ratio(
      median(figures.postgres, (m) => m.bookingsPerSecond),
      booked,
    )} (goal 0.70)`,
  );
}

/**
 * The bytes that a booking writes to the log are deterministic, and the best hint of its cost on
 * any disk.
 */
async function runWal(): Promise<void> {
  const server = await startBenchServer(join(folder, 'wal'), 'sqlite', 'no-checkpoint', 20_000);
  const file = join(folder, 'wal', 'botteghino.sqlite');
  // A log that was already copied would be overwritten from its beginning instead of growing.
  const db = new Database(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  await measure(server, 1, wideSale(0, 100, 200));
  const size = () => statSync(`${file}-wal`).size;
  console.log('bytes written ahead per booking of 4 seats');
  for (const [name, many] of [
    ['one client', 1],
    ['64 clients', 64],
  ] as const) {
    const before = size();
    const { booked } = await measure(server, many, wideSale(many === 1 ? 1 : 2, 100, 240));
    const after = size();
    console.log(`  ${name}: ${((after - before) / booked / 1024).toFixed(1)} KB`);
    if (many > 1) continue;
    const pages = [...pagesWritten(file, before, after)].toSorted((a, b) => b[1] - a[1]);
    for (const [owner, count] of pages)
      console.log(`    ${(count / booked).toFixed(2)} pages of ${owner}`);
  }
  await server.stop();
}

try {
  const needsSale = wants('sale') || wants('postgres');
  const cluster = wants('postgres') ? await startPostgres({ durable: true }) : null;
  const made = cluster ? await makeDatabase(cluster.url) : null;
  if (needsSale) {
    const sqlite = await startBenchServer(join(folder, 'sqlite'), 'sqlite');
    const bare = await startBenchServer(join(folder, 'bare'), 'sqlite', 'no-database');
    const postgres = made ? await startBenchServer(join(folder, 'postgres'), made.address) : null;
    await runSale(sqlite, bare, postgres);
    await Promise.all(
      [sqlite, bare, ...(postgres ? [postgres] : [])].map((server) => server.stop()),
    );
  }
  await cluster?.stop();
  if (wants('wal')) await runWal();
} finally {
  stopVisitors();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
