/**
 * `npm run bench -- live [viewers] [changes a second] [seconds]`: what it costs our seat map's server to tell every viewer of a hall of each change, beside a
 * bare server that writes as many bytes to as many sockets four times a second; figures, no verdict.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#tests/support/port.ts';
import { drawHall, seatLabel } from './drawn-hall.ts';
import type { Heard } from './live-viewers.ts';
import { cpuOf } from './product.ts';
import { quantile } from './quantile.ts';

const [viewers, perSecond, seconds] = [5_000, 100, 20].map((usual, at) =>
  Number(process.argv[2 + at] ?? usual),
) as [number, number, number];
const secret = 'bench';
const folder = mkdtempSync(join(tmpdir(), 'live-'));

async function post(url: string, user: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${user}:`)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  const text = await answer.text();
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** Everybody looks on from now on. */
async function gatherViewers(port: number, path: string): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'live-viewers.ts'), [
    String(port),
    path,
    String(viewers),
  ]);
  await once(child, 'message');
  return child;
}

async function endViewers(child: ChildProcess): Promise<Heard> {
  child.send('end');
  const [heard] = (await once(child, 'message')) as [Heard];
  await once(child, 'exit');
  return heard;
}

/** Books seat after seat at a steady pace, four at once as most buyers do; when each was asked for. */
async function changeSeats(url: string, key: string): Promise<Map<string, number>> {
  const asked = new Map<string, number>();
  const began = performance.now();
  const calls: Promise<unknown>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 4) {
    await pause(Math.max(0, began + (index * 1_000) / perSecond - performance.now()));
    const labels = [0, 1, 2, 3].map((at) => seatLabel(index + at));
    for (const label of labels) asked.set(label, Date.now());
    const body = {
      events: ['sale'],
      type: 'CHANGE_STATUS_TO',
      status: 'booked',
      objects: labels.map((objectId) => ({ objectId })),
    };
    calls.push(post(`${url}/events/groups/actions/change-object-status`, key, body));
  }
  await Promise.all(calls);
  return asked;
}

async function measureOurs(): Promise<Heard> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const files = ['--system-secret', secret, '--file', join(folder, 'standins.sqlite')];
  const program = join(import.meta.dirname, '../../server/standins/main.ts');
  const server = spawn(process.execPath, [program, '--seatsio-port', String(port), ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(server.stdout, 'data');
    const { workspace } = (await post(`${url}/system/private/create-test-company`, secret, {})) as {
      workspace: { key: string; secretKey: string };
    };
    const key = workspace.secretKey;
    await post(`${url}/system/public/charts/hall`, key, drawHall(perSecond * seconds));
    await post(`${url}/events`, key, { chartKey: 'hall', eventKey: 'sale' });
    const crowd = await gatherViewers(port, `/system/public/${workspace.key}/events/sale/stream`);
    const [cpu, began] = [cpuOf({ child: server }), performance.now()];
    const asked = await changeSeats(url, key);
    await pause(500);
    const [spent, lasted] = [cpuOf({ child: server }) - cpu, performance.now() - began];
    const heard = await endViewers(crowd);
    const delays = heard.samples.map(([label, at]) => at - asked.get(label)!);
    console.log(
      `${viewers} viewers, ${perSecond} changes a second for ${seconds} s: ${((100 * spent) / lasted).toFixed(0)} % of a core (goal ≤ 25), ${((1_000 * spent) / heard.messages).toFixed(1)} µs per message and viewer, the changes themselves included; told after p50 ${quantile(delays, 0.5).toFixed(0)}, p99 ${quantile(delays, 0.99).toFixed(0)} ms; ${heard.messages} messages, ${heard.lost} lines lost`,
    );
    return heard;
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

/** As many bytes a message, framed once, straight to the sockets. */
async function measureFloor({ bytes, messages }: Heard): Promise<void> {
  const port = await freePort();
  const size = Math.round(bytes / messages);
  const text = `const sockets = []; require('node:net').createServer((s) => { s.once('data', () => { s.write('HTTP/1.1 200 OK\\r\\n\\r\\n'); sockets.push(s); }); s.on('error', () => {}); }).listen(${port}, () => console.log('up')); const news = Buffer.from('data: {}' + ' '.repeat(${size - 10}) + '\\n\\n'); setInterval(() => { for (const s of sockets) s.write(news); }, 250)`;
  const server = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout, 'data');
  const crowd = await gatherViewers(port, '/');
  const [cpu, began] = [cpuOf({ child: server }), performance.now()];
  await pause(seconds * 500);
  const [spent, lasted] = [cpuOf({ child: server }) - cpu, performance.now() - began];
  const heard = await endViewers(crowd);
  console.log(
    `bare sockets, ${size} bytes each: ${((100 * spent) / lasted).toFixed(0)} % of a core, ${((1_000 * spent) / heard.messages).toFixed(1)} µs per message and viewer`,
  );
  server.kill();
}

try {
  await measureFloor(await measureOurs());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
