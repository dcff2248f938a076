/**
 * `npm run bench -- door-server [parts] [rounds]`: the door on the server beside its floors, measured in the same run and in turn; figures, no verdict.
 * Parts: list (50,000 places: bytes a ticket, what it costs to make, fifty phones at once), delta (an empty one beside a kept 304 of our own event JSON:
 * server CPU per request), scans (10,000 in batches of 500 beside bare better-sqlite3 with the same rows), crowd (200 phones, a scan a second each),
 * live (from a scan's answer to the other phones' ears). All of them if none is named.
 */
import { createHmac, createSecretKey, hash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { connect } from '#db/engine/connect.ts';
import { migrate } from '#db/migrations/migrate.ts';
import type { DoorHead } from '#server/contract/door/door-list.ts';
import { openBlock, splitAnswer } from '#server/domain/door/door-block.ts';
import { fillHall, type DoorHall } from '#tests/support/door/door-hall.ts';
import { agent, asPhone, handIn, makeScan, send } from './door-scans.ts';
import { cpuOf, inTurns, load, startProduct, stop, untilIdle, type Server } from './product.ts';
import { quantile } from './quantile.ts';
import { scaled } from './scale.ts';

const parts =
  process.argv[2] && process.argv[2] !== 'all'
    ? process.argv[2].split(',')
    : ['list', 'delta', 'scans', 'crowd', 'live'];
const rounds = Number(process.argv[3] ?? 5);
const places = Number(process.env['DOOR_PLACES'] ?? scaled(50_000));
const phones = scaled(200, 61);
const seconds = scaled(10, 2);
const folder = mkdtempSync(join(tmpdir(), 'door-'));
const file = join(folder, 'botteghino.sqlite');
const median = (values: readonly number[]) => quantile(values, 0.5);

async function pull(
  server: Server,
  hall: DoorHall,
  phone = 0,
): Promise<{ head: DoorHead; hashes: number; bytes: number }> {
  const { status, body } = await send(
    `${server.url}/api/scanner/events/${hall.event_id}/list?wire=5`,
    { headers: asPhone(hall.tokens[phone]!) },
  );
  if (status !== 200) throw new Error(`${status} ${body.toString()}`);
  const { block, rest } = splitAnswer(new Uint8Array(gunzipSync(body)).buffer);
  return {
    head: JSON.parse(rest) as DoorHead,
    hashes: openBlock(block).codes.length,
    bytes: body.length,
  };
}

async function measureList(server: Server, hall: DoorHall): Promise<void> {
  const before = cpuOf(server.child);
  const began = performance.now();
  const { hashes, bytes } = await pull(server, hall);
  const [first, cpu] = [performance.now() - began, cpuOf(server.child) - before];
  const floor = hashBarely();
  const again = performance.now();
  const cpuAgain = cpuOf(server.child);
  await Promise.all(Array.from({ length: 50 }, (_, phone) => pull(server, hall, phone)));
  console.log(
    `list of ${places}: ${(bytes / places).toFixed(1)} bytes a ticket, ${((bytes - hashes) / places).toFixed(1)} beyond code hashes (goal 26); made in ${first.toFixed(0)} ms, ${cpu} ms of CPU, its codes hashed and nothing else ${floor.toFixed(0)} ms, ratio ${(cpu / floor).toFixed(2)}; then to 50 phones at once in ${(performance.now() - again).toFixed(0)} ms, ${cpuOf(server.child) - cpuAgain} ms of CPU`,
  );
}

/** The floor of a list: for each place three codes and their hashes, as the rules want them (RULES C3). In ms of processor. */
function hashBarely(): number {
  const secret = createSecretKey(randomBytes(32));
  const before = process.cpuUsage();
  for (let n = 0; n < 3 * places; n += 1) {
    const code = createHmac('sha256', secret).update(`Platea-1-${n}|1`).digest('base64url');
    hash('sha256', code, 'buffer');
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The least that the product answers: nothing has changed. In µs of processor. */
async function askUnchanged(server: Server): Promise<number> {
  const event = '/api/event/la-locandiera/';
  const etag = (await fetch(`${server.url}${event}`)).headers.get('etag')!;
  return load(server, event, { 'if-none-match': etag });
}

async function measureDelta(server: Server, hall: DoorHall): Promise<void> {
  const { head } = await pull(server, hall);
  const delta = `/api/scanner/events/${hall.event_id}/changes?wire=5&since=${head.cursor}`;
  const token = asPhone(hall.tokens[0]!);
  const { kept, changes } = await inTurns(rounds, {
    kept: () => askUnchanged(server),
    changes: () => load(server, delta, token),
  });
  console.log(
    `empty delta ${changes.toFixed(1)} µs, kept 304 ${kept.toFixed(1)} µs, ratio ${(changes / kept).toFixed(2)}`,
  );
}

interface Cost {
  rate: number;
  /** µs of CPU a row. */ cpu: number;
}

/** Bare better-sqlite3: the same rows into a copy of the same file, 500 a transaction, prepared once. */
function rawCost(rows: readonly Record<string, unknown>[], copy: string): Cost {
  const db = new Database(copy);
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'temp_store = MEMORY',
    'cache_size = -65536',
  ])
    db.pragma(pragma);
  const columns = Object.keys(rows[0]!);
  const insert = db.prepare(
    `INSERT INTO admissions (${columns.map((column) => `"${column}"`).join()}) VALUES (${columns.map(() => '?').join()})`,
  );
  const batch = db.transaction((some: readonly Record<string, unknown>[]) => {
    for (const row of some) insert.run(columns.map((column) => row[column]));
  });
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let start = 0; start < rows.length; start += 500) batch(rows.slice(start, start + 500));
  const rate = (rows.length / (performance.now() - began)) * 1_000;
  const { user, system } = process.cpuUsage(cpu);
  db.close();
  return { rate, cpu: (user + system) / rows.length };
}

/** Copies the present database to a file of its own. */
function copyTo(copy: string): string {
  const db = new Database(file, { readonly: true });
  db.prepare('VACUUM INTO ?').run(copy);
  db.close();
  return copy;
}

async function measureScans(server: Server, hall: DoorHall): Promise<void> {
  const [ours, raw]: [Cost[], Cost[]] = [[], []];
  const again: number[] = [];
  const count = Math.min(10_000, Math.floor(places / rounds));
  for (let round = 0; round < rounds; round += 1) {
    const copy = copyTo(join(folder, `raw-${round}.sqlite`));
    const items = Array.from({ length: count }, (_, at) => makeScan(hall, round * count + at, 1));
    const batches = Array.from({ length: Math.ceil(count / 500) }, (_, at) =>
      items.slice(at * 500, at * 500 + 500),
    );
    const cpu = cpuOf(server.child);
    const began = performance.now();
    for (const batch of batches) await handIn(server, hall, { phone: 1, items: batch });
    ours.push({
      rate: (count / (performance.now() - began)) * 1_000,
      cpu: ((cpuOf(server.child) - cpu) * 1_000) / count,
    });
    const twice = performance.now();
    for (const batch of batches) await handIn(server, hall, { phone: 1, items: batch });
    again.push((count / (performance.now() - twice)) * 1_000);
    const db = new Database(file, { readonly: true });
    const rows = db
      .prepare<[number], Record<string, unknown>>(
        'SELECT * FROM admissions ORDER BY rowid DESC LIMIT ?',
      )
      .all(count)
      .toReversed();
    db.close();
    raw.push(rawCost(rows, copy));
  }
  const [rate, rawRate] = [
    median(ours.map((each) => each.rate)),
    median(raw.map((each) => each.rate)),
  ];
  const [cpu, rawCpu] = [median(ours.map((each) => each.cpu)), median(raw.map((each) => each.cpu))];
  console.log(
    `${count} scans in batches of 500: ${rate.toFixed(0)}/s over HTTP, bare better-sqlite3 ${rawRate.toFixed(0)}/s, ratio ${(rate / rawRate).toFixed(2)} (goal 0.40, wanted 0.80); CPU ${cpu.toFixed(1)} µs a scan, bare ${rawCpu.toFixed(1)}, ratio ${(rawCpu / cpu).toFixed(2)}; the same again ${median(again).toFixed(0)}/s; runs ${ours.map((each) => each.rate.toFixed(0)).join(' ')} / ${raw.map((each) => each.rate.toFixed(0)).join(' ')}`,
  );
}

async function measureCrowd(server: Server, hall: DoorHall): Promise<void> {
  const times: number[] = [];
  const before = cpuOf(server.child);
  const began = performance.now();
  await Promise.all(
    hall.tokens.map(async (_, phone) => {
      await pause((phone * 1_000) / hall.tokens.length);
      for (let second = 0; second < seconds; second += 1) {
        const start = performance.now();
        await handIn(server, hall, {
          phone,
          items: [makeScan(hall, phone * seconds + second, phone)],
        });
        times.push(performance.now() - start);
        await pause(Math.max(0, 1_000 - (performance.now() - start)));
      }
    }),
  );
  const share = (cpuOf(server.child) - before) / (performance.now() - began);
  console.log(
    `${hall.tokens.length} phones, a scan a second each: p50 ${median(times).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms (goal 100), ${(share * 100).toFixed(0)} % of a core`,
  );
}

async function measureLive(server: Server, hall: DoorHall): Promise<void> {
  const waits: number[] = [];
  const listening = new AbortController();
  let scanned = 0;
  const opened = new Set<number>();
  await Promise.all(
    Array.from({ length: 50 }, async (_, phone) => {
      const stream = await fetch(`${server.url}/api/scanner/live`, {
        headers: asPhone(hall.tokens[phone]!),
        signal: listening.signal,
      });
      void (async () => {
        try {
          for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
            if (scanned > 0 && chunk.includes('"page"')) waits.push(performance.now() - scanned);
            else opened.add(phone);
          }
        } catch {
          // The measurement has ended.
        }
      })();
    }),
  );
  while (opened.size < 50) await pause(10);
  const before = cpuOf(server.child);
  for (let round = 0; round < seconds; round += 1) {
    await handIn(server, hall, { phone: 60, items: [makeScan(hall, places - 1 - round, 60)] });
    scanned = performance.now();
    await pause(1_000);
  }
  const spent = (cpuOf(server.child) - before) / seconds;
  listening.abort();
  const kept = await askUnchanged(server);
  console.log(
    `live to 50 phones: p50 ${median(waits).toFixed(0)} ms, p99 ${quantile(waits, 0.99).toFixed(0)} ms after the scan's answer (goal 2,000), ${waits.length} of ${50 * seconds} heard; ${spent.toFixed(0)} ms of CPU a second, as much as ${((spent * 1_000) / kept).toFixed(0)} kept 304s`,
  );
}

const db = connect(file);
await migrate(db);
const hall = await fillHall(db, { places, phones });
await db.destroy();
const product = await startProduct(folder);
try {
  await untilIdle(product);
  if (parts.includes('list')) await measureList(product, hall);
  if (parts.includes('delta')) await measureDelta(product, hall);
  if (parts.includes('scans')) await measureScans(product, hall);
  if (parts.includes('crowd')) await measureCrowd(product, hall);
  if (parts.includes('live')) await measureLive(product, hall);
} finally {
  agent.destroy();
  await stop(product);
  rmSync(folder, { recursive: true, force: true });
}
