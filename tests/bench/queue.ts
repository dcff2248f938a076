/**
 * `npm run bench -- queue [rounds] [requests]`: the poll of a waiting room beside a bare node:http server that says hello and beside one that says the same
 * JSON, in the same run and in turn, 64 callers; then how long the draw of 100,000 entrants takes to work out. Figures, no verdict.
 */
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setQueue } from '#server/contract/queue.ts';
import { drawOrder, rootOf, type Entrant } from '#server/domain/queue/draw.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { makeData, startProduct } from '#tests/support/product.ts';
import { params, plainRoom } from '#tests/support/queue.ts';
import type { TestServer } from '#tests/support/server.ts';
import { quantile } from './quantile.ts';

const rounds = Number(process.argv[2] ?? 7);
const requests = Number(process.argv[3] ?? 20_000);
const poll = `/api/event/${params.eventId}/queue`;

interface Measured {
  url: string;
  pid: number;
}

async function startFloor(body: Buffer): Promise<Measured & { stop: () => void }> {
  const port = await freePort();
  const text = `const body = Buffer.from('${body.toString('base64')}', 'base64'); require('node:http').createServer((req, res) => { res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body); }).listen(${port}, () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return { url: `http://localhost:${port}`, pid: child.pid!, stop: () => child.kill() };
}

/** User and system time of a process, in ms. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Server CPU per request in µs. */
async function load({ url, pid }: Measured, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const one = () =>
    new Promise<void>((resolve, reject) => {
      request(`${url}${poll}`, { agent }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(String(answer.statusCode)));
        answer.resume().on('end', resolve);
      })
        .on('error', reject)
        .end();
    });
  const before = cpuOf(pid);
  let left = count;
  const callers = Array.from({ length: 64 }, async () => {
    while (left > 0) {
      left -= 1;
      await one();
    }
  });
  await Promise.all(callers);
  agent.destroy();
  return ((cpuOf(pid) - before) * 1_000) / count;
}

/** CPU that the house uses by itself, in µs a second: its worker, the room that moves on. */
async function idleOf({ pid }: Measured): Promise<number> {
  const before = cpuOf(pid);
  await pause(5_000);
  return ((cpuOf(pid) - before) * 1_000) / 5;
}

async function comparePolls(): Promise<void> {
  const data = await makeData('sqlite', '');
  await using product = await startProduct(data);
  const admin = await makeAdmin({
    url: product.url,
    house: { invite: product.invite },
  } as unknown as TestServer);
  await callOk(product, setQueue, { params, body: plainRoom }, admin);
  const said = Buffer.from(await (await fetch(`${product.url}${poll}`)).arrayBuffer());
  const hello = await startFloor(Buffer.from('"hello"'));
  const same = await startFloor(said);
  const servers = { hello, same, ours: product };
  const figures: Record<keyof typeof servers, number[]> = { hello: [], same: [], ours: [] };
  for (const server of Object.values(servers)) await load(server, requests / 2);
  for (let round = 0; round < rounds; round += 1)
    for (const name of ['hello', 'same', 'ours'] as const)
      figures[name].push(await load(servers[name], requests));
  const [floor, alike, ours] = [figures.hello, figures.same, figures.ours].map((all) =>
    quantile(all, 0.5),
  ) as [number, number, number];
  console.log(
    `poll of ${said.length} bytes, server CPU: ours ${ours.toFixed(1)} µs; node:http with hello ${floor.toFixed(1)} µs, ratio ${(floor / ours).toFixed(2)} (goal 0.90); with the same JSON ${alike.toFixed(1)} µs, ratio ${(alike / ours).toFixed(2)}`,
  );
  console.log(
    `of ours, the house's own work: ${((await idleOf(product)) / 1_000).toFixed(1)} ms a second`,
  );
  hello.stop();
  same.stop();
  await data.clean();
}

function timeDraw(): void {
  const hashText = (text: string) => hash('sha256', text, 'base64url');
  const entrants = Array.from({ length: 100_000 }, (_, n): Entrant => [
    hashText(`place ${n}`),
    hashText(`nonce ${n}`).slice(0, 22),
  ]);
  for (const [name, how] of [
    ['server', hashText],
    ['page', undefined],
  ] as const) {
    const began = performance.now();
    const root = rootOf(entrants, how);
    drawOrder({ seed: hashText('seed'), root, entrants }, how);
    console.log(
      `draw of 100,000 as the ${name} works it out: ${(performance.now() - began).toFixed(0)} ms`,
    );
  }
}

await comparePolls();
timeDraw();
