/**
 * The phone without its camera, 50,000 tickets, a real Chromium, as it is and with its thread four times slower: `node tests/bench/door-phone.ts [places]`.
 * Each figure stands beside what the browser can do at best in the same run. Figures, no verdict.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright';
import { build } from 'vite';
import { launchProfile } from '#tests/support/browsers/browser.ts';
import { unpackedLength } from '#server/contract/endpoint.ts';
import type { DoorChanges } from '#server/contract/door/door-list.ts';
import {
  blockAnswerOf,
  codeOfRow,
  doorPageOf,
  listedPlace,
  pageTime,
} from '#tests/support/door/door-page.ts';
import { quantile } from './quantile.ts';
import { isWhole, scaled } from './scale.ts';

const places = Number(process.argv[2] ?? scaled(50_000));
const scans = scaled(150, 3);
/** Bytes per chunk. */
const slice = 120_000;
const searches = [
  'pl a12',
  'platea a 12',
  'galleria',
  'platea b 4',
  "d'amico",
  'damico anna',
  'luca ros',
  'a7k21003',
  'zz',
];

await using dir = await folder('door-phone-');
await build({
  configFile: false,
  root: import.meta.dirname,
  logLevel: 'error',
  worker: { format: 'es' },
  resolve: { alias: { '#': path.resolve(import.meta.dirname, '../../') } },
  build: {
    outDir: dir.path,
    emptyOutDir: true,
    rollupOptions: {
      input: path.join(import.meta.dirname, 'door-phone-page.ts'),
      output: { entryFileNames: 'page.js' },
    },
  },
});
const wholeList = namedList();
/** A supervisor's phone knows names; a steward's, as most are, does not. */
const lists = {
  supervisor: answerOf(wholeList),
  steward: answerOf({
    ...wholeList,
    places: wholeList.places.map(({ ticket, ...place }) => ({
      ...place,
      ticket: ticket && { ...ticket, name: null, order_number: null },
    })),
  }),
};
let role: keyof typeof lists = 'supervisor';
let isOnline = true;
const identity = {
  name: 'Luca',
  gate: null,
  supervisor_pin: null,
  asks_supervisor: false,
  supervisors: [],
  wire_version: 2,
  events: [
    {
      id: 'serata',
      title: 'Serata',
      starts_at: new Date(pageTime).toISOString(),
      rehearsal: false,
    },
  ],
};

const server = createServer(
  (request, response) =>
    void answer(request.url!, response, request).catch(() => response.destroy()),
);
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://localhost:${(server.address() as AddressInfo).port}/`;

for (const rate of isWhole ? [1, 4] : [1])
  for (const one of ['steward', 'supervisor'] as const) await measure(rate, one);
server.close();
server.closeAllConnections();

async function measure(rate: number, who: keyof typeof lists): Promise<void> {
  role = who;
  console.log(
    `\n-- ${places.toLocaleString('it-IT')} places, ${who}, processor ${rate === 1 ? 'as it is' : `${rate}× slower`}`,
  );
  await using profile = await folder('door-phone-profile-');
  const context = await launchProfile(profile.path);
  const page = context.pages()[0]!;
  const cdp = await context.newCDPSession(page);
  await slow(cdp, rate);
  isOnline = true;
  await page.goto(url);
  const code = codeOfRow(places - 1);
  const came = await page.evaluate((wanted) => window.bench.importList(wanted), code);
  const raw = await page.evaluate((size) => window.bench.rawRecord(size), came.bytes);
  say(
    'list, from the answer to ready',
    `${ms(came.ms)}; one record of its ${(came.bytes / 1e6).toFixed(1)} MB: ${ms(quantile(raw, 0.5))}; ratio ${(came.ms / quantile(raw, 0.5)).toFixed(1)}; longest hold of the thread ${ms(came.blocked)}`,
  );
  say('list, on the line', `${(lists[role].pressed.length / 1e6).toFixed(2)} MB`);

  isOnline = false;
  for (const nth of ['first', 'second'] as const) {
    await page.goto(url);
    const again = await page.evaluate((wanted) => window.bench.startAgain(wanted), code);
    say(
      `start without a line, ${nth} time`,
      `${ms(again.ms)}${again.known ? '' : ' WITHOUT ITS LIST'}; longest hold ${ms(again.blocked)}`,
    );
  }
  const codes = Array.from({ length: scans }, (_, n) => codeOfRow((n * 331) % places));
  const put = await page.evaluate((count) => window.bench.rawPuts(count), scans);
  const read = await page.evaluate((wanted) => window.bench.scans(wanted), codes);
  say(
    'text to durable verdict',
    `${p(read.times)}; raw strict put ${p(put)}; ${read.verdicts.join(', ')}, ${read.stored} rows`,
  );
  say('the decision alone', p(read.decided));
  const cold = await page.evaluate((texts) => window.bench.searches(texts), searches);
  say(
    'search, first time',
    cold.map(({ text, ms: took, found }) => `"${text}" ${ms(took)} (${found})`).join(', '),
  );
  const warm = await page.evaluate(
    (texts) => Array.from({ length: 5 }, () => window.bench.searches(texts)).flat(),
    searches,
  );
  say('search', p(warm.map(({ ms: took }) => took)));
  const counted = await page.evaluate(() => window.bench.presence());
  say('presence', `${ms(counted.ms)} (${counted.inside} of ${counted.places})`);
  say('memory', await memoryOf(cdp, page));
  await context.close();
}

async function memoryOf(cdp: CDPSession, page: Page): Promise<string> {
  await cdp.send('HeapProfiler.collectGarbage');
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  const usage = (await cdp.send('Runtime.getHeapUsage')) as {
    usedSize: number;
    backingStorageSize?: number;
  };
  return `objects ${(usage.usedSize / 1e6).toFixed(1)} MB, buffers ${((usage.backingStorageSize ?? 0) / 1e6).toFixed(1)} MB`;
}

async function slow(cdp: CDPSession, rate: number): Promise<void> {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate });
}

async function answer(
  address: string,
  response: ServerResponse,
  request: AsyncIterable<Buffer>,
): Promise<void> {
  const { pathname, searchParams } = new URL(address, url);
  if (pathname === '/')
    return void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        '<!doctype html><html lang="it"><title>Bench</title><script type="module" src="/page.js"></script>',
      );
  if (!pathname.startsWith('/api/'))
    return void response
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end(await readFile(path.join(dir.path, pathname)));
  const server_time = new Date().toISOString();
  if (!isOnline) return void response.destroy();
  if (pathname.endsWith('/list')) {
    const { pressed, size } = lists[role];
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-encoding': 'gzip',
      [unpackedLength]: String(size),
    });
    // A good connection of some 30 Mbit/s, during which the phone can already work.
    for (let at = 0; at < pressed.length; at += slice) {
      if (at > 0) await pause(30);
      response.write(pressed.subarray(at, at + slice));
    }
    return void response.end();
  }
  const body = await text(request);
  const reply = pathname.endsWith('/changes')
    ? doorPageOf({
        from: searchParams.get('since')!,
        cursor: searchParams.get('since')!,
        event: wholeList.event,
      })
    : pathname.endsWith('/pair')
      ? { device_token: 'token', phone_id: 'p1', ...identity, role, server_time, next_seq: 0 }
      : pathname.endsWith('/heartbeat')
        ? { ...identity, role, server_time }
        : pathname.endsWith('/admissions')
          ? {
              server_time,
              results: (JSON.parse(body) as { items: { admission_id: string }[] }).items.map(
                ({ admission_id }, index) => ({
                  admission_id,
                  index,
                  result: 'stored',
                  verdict: 'admit',
                  conflict_with: null,
                }),
              ),
            }
          : null;
  if (reply === null) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
}

/** The answer compressed like the server's. */
function answerOf(page: DoorChanges): { pressed: Buffer; size: number } {
  const bytes = new Uint8Array(blockAnswerOf(page));
  return { pressed: gzipSync(bytes, { level: 6 }), size: bytes.length };
}

/** Some thousand family names, as a hall has them. */
function namedList() {
  const first = [
    'Anna',
    'Marco',
    'Giulia',
    'Luca',
    'Nicolò',
    'Sofia',
    'Alessandro',
    'Chiara',
    'Matteo',
    'Francesca',
  ];
  const last = [
    'Ross',
    'D’Amic',
    'De Luc',
    'Verd',
    'Bianch',
    'Esposit',
    'Ferrar',
    'Roman',
    'Colomb',
    'Ricc',
    'Marin',
    'Grec',
  ];
  const end = (n: number) =>
    n.toString(21).replace(/[0-9]/g, (digit) => 'oaieulnrst'[Number(digit)]!);
  const name = (n: number) =>
    `${first[n % first.length]!} ${last[n % last.length]!}${end(n % 4_001)}`;
  return doorPageOf({
    places: Array.from({ length: places }, (_, n) => listedPlace(n, { ticket: { name: name(n) } })),
    event: { wipe_at: new Date(Date.now() + 1e8).toISOString() },
  });
}

async function folder(prefix: string) {
  const made = await mkdtemp(path.join(tmpdir(), prefix));
  return { path: made, [Symbol.asyncDispose]: () => rm(made, { recursive: true, force: true }) };
}

function p(times: readonly number[]): string {
  return `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(quantile(times, 0.95))}`;
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function say(what: string, figures: string): void {
  console.log(`${what.padEnd(34)} ${figures}`);
}
