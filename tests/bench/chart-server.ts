/** `npm run bench -- chart-server [sqlite|postgres] [calls]`: change-object-status calls a second beside bare transactions that do the same writes, and how long calls wait when 128 clients fight for 500 seats. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#tests/support/port.ts';
import { makeDatabase, startPostgres } from '#tests/support/postgres.ts';
import { barePostgres, bareSqlite } from './chart-server-limit.ts';
import { drawHall, seatLabel } from './drawn-hall.ts';
import { quantile } from './quantile.ts';
import { scaled } from './scale.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SECRET = 'bench';
const SEATS = scaled(20_000);
const asked = process.argv.slice(2);
const isPostgres = asked.includes('postgres');
const CALLS = Number(asked.find((word) => /^\d+$/.test(word)) ?? scaled(6_000));
const ROUNDS = scaled(3);
const CLIENTS = 32;
const FIGHTERS = 128;
const PRIZES = scaled(500);
const TRIES = Math.min(10_000, 2 * CALLS);

const folder = mkdtempSync(join(tmpdir(), 'chart-server-'));
/** A new one for each measurement: lines that lie idle while the limit is measured are closed by the server. */
let agent = new Agent({ keepAlive: true, maxSockets: FIGHTERS });

const port = await freePort();
const cluster = isPostgres ? await startPostgres({ durable: true }) : null;
const store = cluster
  ? ['--database', (await makeDatabase(cluster.url)).address]
  : ['--file', join(folder, 'standins.sqlite')];
const bareCallsPerSecond = () =>
  cluster ? barePostgres(cluster.url, CALLS) : bareSqlite(folder, CALLS);
const standin = spawn(
  process.execPath,
  [
    join(ROOT, 'server/standins/main.ts'),
    '--seatsio-port',
    String(port),
    '--system-secret',
    SECRET,
    ...store,
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);

interface Reply {
  status: number;
  body: Record<string, unknown> & {
    errors?: { code: string }[];
    workspace?: { secretKey: string };
  };
}

function call(user: string, path: string, body: unknown): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        port,
        path,
        host: '127.0.0.1',
        method: 'POST',
        auth: `${user}:`,
        headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) },
      },
      (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          answer += chunk;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: answer === '' ? {} : (JSON.parse(answer) as Reply['body']),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

/** `clients` callers take the next number until there is none. */
async function race(
  clients: number,
  calls: number,
  one: (index: number) => Promise<void>,
): Promise<number> {
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < calls) await one(next++);
    }),
  );
  return (performance.now() - began) / 1000;
}

function bookingOf(event: string, index: number): object {
  return {
    events: [event],
    type: 'CHANGE_STATUS_TO',
    status: 'booked',
    orderId: `order-${index}`,
    objects: [{ objectId: seatLabel(index) }],
  };
}

const PATH = '/events/groups/actions/change-object-status?expand=objects';

try {
  await once(standin.stdout, 'data');
  const company = await call(SECRET, '/system/private/create-test-company', {});
  const key = company.body.workspace!.secretKey;
  await call(key, '/system/public/charts/hall', drawHall(SEATS));

  const rates: number[] = [];
  const limits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const event = `sale-${round}`;
    await call(key, '/events', { chartKey: 'hall', eventKey: event });
    agent.destroy();
    limits.push(await bareCallsPerSecond());
    agent = new Agent({ keepAlive: true, maxSockets: FIGHTERS });
    const seconds = await race(CLIENTS, CALLS, async (index) => {
      const { status } = await call(key, PATH, bookingOf(event, index));
      if (status !== 200) throw new Error(`booking ${index} answered ${status}`);
    });
    rates.push(CALLS / seconds);
  }
  const rate = quantile(rates, 0.5);
  const limit = quantile(limits, 0.5);
  console.log(
    `change-object-status on ${isPostgres ? 'PostgreSQL' : 'SQLite'}, ${SEATS} seats, ${CLIENTS} clients, ${ROUNDS} × ${CALLS} calls, load generator on the same cores`,
  );
  console.log(
    `  ${Math.round(rate)} calls/s beside ${Math.round(limit)} bare transactions/s: ${Math.round((rate / limit) * 100)} % (goal 50 %; pairs ${rates.map((one, round) => Math.round((one / limits[round]!) * 100)).join(', ')} %)`,
  );

  await call(key, '/events', { chartKey: 'hall', eventKey: 'fight' });
  const waits: number[] = [];
  const answers = new Map<string, number>();
  const seconds = await race(FIGHTERS, TRIES, async (index) => {
    const began = performance.now();
    const { status, body } = await call(
      key,
      PATH,
      bookingOf('fight', Math.floor(Math.random() * PRIZES)),
    );
    waits.push(performance.now() - began);
    const answer = status === 200 ? 'booked' : `${status} ${body.errors?.[0]?.code ?? index}`;
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
  });
  console.log(
    `${FIGHTERS} clients, ${TRIES} calls for ${PRIZES} seats: ${Math.round(TRIES / seconds)} calls/s, ` +
      `p50 ${quantile(waits, 0.5).toFixed(1)} ms, p99 ${quantile(waits, 0.99).toFixed(1)} ms, max ${quantile(waits, 1).toFixed(1)} ms`,
  );
  console.log(
    `  answers: ${[...answers].map(([answer, count]) => `${answer} ${count}`).join(', ')}`,
  );
} finally {
  agent.destroy();
  standin.kill();
  await once(standin, 'exit');
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
}
