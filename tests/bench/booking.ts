/**
 * `npm run bench -- booking [parts] [rounds] [bookings at the stand-ins]`: bookings a second beside their floors, measured in the same run and in turn; figures, no verdict.
 * Parts: sale (HTTP, wide hall), rules (with price rules and without), postgres, fight, wal, vendors (both stand-ins over HTTP); all of them if none is named ("sale,fight").
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeDatabase, startPostgres } from '#tests/support/postgres.ts';
import { openRawFloor, takeSample } from './booking-floor.ts';
import { fight, fightSeats, wideSale } from './booking-hall.ts';
import {
  measure,
  median,
  startBenchServer,
  startWithVendors,
  stopVisitors,
  type BenchServer,
  type Measured,
} from './booking-run.ts';
import { quantile } from './quantile.ts';
import { scaled } from './scale.ts';

const allParts = ['sale', 'rules', 'postgres', 'fight', 'wal', 'vendors'];
const parts = process.argv[2] && process.argv[2] !== 'all' ? process.argv[2].split(',') : allParts;
const rounds = Number(process.argv[3] ?? scaled(5));
const clients = 64;
const perRound = scaled(2_000, 200);
const slices = 2 * rounds + 4;
const fighters = scaled(10_000, 500);

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
  const raw = openRawFloor(
    join(folder, 'raw.sqlite'),
    takeSample(join(folder, 'sqlite', 'botteghino.sqlite')),
  );
  const figures = {
    raw: [] as number[],
    sqlite: [] as Measured[],
    bare: [] as Measured[],
    postgres: [] as Measured[],
  };
  for (let round = 1; round <= rounds; round += 1) {
    const requests = () => wideSale(round, slices, perRound);
    figures.raw.push(raw(scaled(1_000)));
    figures.sqlite.push(await measure(sqlite, clients, requests()));
    figures.bare.push(await measure(bare, clients, requests()));
    if (postgres) figures.postgres.push(await measure(postgres, clients, requests()));
  }
  const floor = quantile(figures.raw, 0.5);
  const [booked, answered, ceiling] = [
    median(figures.sqlite, (m) => m.bookingsPerSecond),
    median(figures.sqlite, (m) => m.answersPerSecond),
    median(figures.bare, (m) => m.answersPerSecond),
  ];
  console.log(
    `wide sale: ${clients} clients, 4 seats each, about a fifth too late; ${rounds} rounds of ${perRound}, medians`,
  );
  console.log(
    `  ${'raw better-sqlite3'.padEnd(22)} ${whole(floor)} bookings/s (one commit each, FULL; ${whole(Math.min(...figures.raw))}–${whole(Math.max(...figures.raw))})`,
  );
  say('SQLite', figures.sqlite);
  say('the route without', figures.bare);
  console.log(
    `  bookings : raw = ${ratio(booked, floor)} (goal 1.50)   answers : without database = ${ratio(answered, ceiling)} (goal 0.45), by CPU ${ratio(
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
 * Bookings that three rules are reckoned for, one of which lowers them, beside the same without;
 * whichever is measured first takes turns, too.
 */
async function runRules(): Promise<void> {
  const seats = scaled(20_000, 4_000);
  const servers = {
    plain: await startBenchServer(join(folder, 'plain'), 'sqlite', '', seats),
    ruled: await startBenchServer(join(folder, 'ruled'), 'sqlite', 'rules', seats),
  };
  const figures = { plain: [] as Measured[], ruled: [] as Measured[] };
  for (let round = 0; round <= rounds; round += 1)
    for (const name of round % 2 === 0
      ? (['plain', 'ruled'] as const)
      : (['ruled', 'plain'] as const)) {
      const requests = wideSale(round, rounds + 1, perRound, seats);
      const measured = await measure(servers[name], clients, requests);
      if (round > 0) figures[name].push(measured);
    }
  const dearer = figures.ruled.map(({ cpu }, nth) => cpu / figures.plain[nth]!.cpu);
  console.log(`with price rules: ${rounds} rounds of ${perRound} in turn, medians`);
  say('without rules', figures.plain);
  say('with three rules', figures.ruled);
  console.log(`  with rules : without = ${quantile(dearer, 0.5).toFixed(3)} by CPU (goal 1.03)`);
  await Promise.all([servers.plain.stop(), servers.ruled.stop()]);
}

async function runFight(server: BenchServer, bare: BenchServer): Promise<void> {
  const times: { ours: Measured; bare: Measured } = {
    bare: await measure(bare, 256, fight(fighters)),
    ours: await measure(server, 256, fight(fighters)),
  };
  const db = new Database(join(folder, 'sqlite', 'botteghino.sqlite'), { readonly: true });
  const { lines, places } = db
    .prepare(
      'SELECT count(*) AS lines, count(DISTINCT place) AS places FROM order_lines WHERE released_at IS NULL',
    )
    .get() as { lines: number; places: number };
  db.close();
  console.log(`fight: ${fighters} requests for ${fightSeats} seats, 256 clients`);
  console.log(
    `  all answered in ${times.ours.seconds.toFixed(2)} s (p99 ${times.ours.p99.toFixed(0)} ms), without database ${times.bare.seconds.toFixed(2)} s (p99 ${times.bare.p99.toFixed(0)} ms): ${ratio(times.ours.seconds, times.bare.seconds)} (goal ≤ 1.25)`,
  );
  console.log(
    `  server CPU ${whole(times.ours.cpu)} against ${whole(times.bare.cpu)} µs/request; ${times.ours.booked} orders; seats sold twice: ${lines - places}`,
  );
}

/** A booking's bytes in the log are always the same: the best hint of its cost on any disk. */
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
    console.log(`  ${name}: ${((size() - before) / booked / 1024).toFixed(1)} KB`);
  }
  await server.stop();
}

/** Holds exist; measured is the wait between the button and the address of the checkout. */
async function runVendors(): Promise<void> {
  const { server, requests } = await startWithVendors(
    join(folder, 'vendors'),
    Number(process.argv[4] ?? scaled(3_000, 200)),
  );
  await measure(server, 8, requests.splice(0, Math.ceil(requests.length / 30)));
  const run = await measure(server, clients, requests);
  console.log(
    `both stand-ins over HTTP in the product's own process, ${clients} clients: ${whole(run.bookingsPerSecond * 60)} bookings/min (goal 6000), p50 ${run.p50.toFixed(0)} ms, p99 ${run.p99.toFixed(0)} ms (goal ≤ 400), CPU ${whole(run.cpu)} µs/booking, stand-ins included`,
  );
  await server.stop();
}

try {
  const needsSale = wants('sale') || wants('postgres') || wants('fight');
  const cluster = wants('postgres') ? await startPostgres({ durable: true }) : null;
  const made = cluster ? await makeDatabase(cluster.url) : null;
  if (needsSale) {
    const sqlite = await startBenchServer(join(folder, 'sqlite'), 'sqlite');
    const bare = await startBenchServer(join(folder, 'bare'), 'sqlite', 'no-database');
    const postgres = made ? await startBenchServer(join(folder, 'postgres'), made.address) : null;
    if (wants('sale') || postgres) await runSale(sqlite, bare, postgres);
    if (wants('fight')) await runFight(sqlite, bare);
    await Promise.all(
      [sqlite, bare, ...(postgres ? [postgres] : [])].map((server) => server.stop()),
    );
  }
  await cluster?.stop();
  if (wants('rules')) await runRules();
  if (wants('wal')) await runWal();
  if (wants('vendors')) await runVendors();
} finally {
  stopVisitors();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
