/**
 * For the benches: the product or a bare node:http in a process of its own, the processor time of
 * a process, and many clients of one address.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#tests/support/port.ts';
import { quantile } from './quantile.ts';
import { scaled } from './scale.ts';

/** The processor time of this process is divided by the requests. */
export interface Measured {
  url: string;
  child: { pid?: number | undefined };
}

export interface Server extends Measured {
  child: ChildProcess;
}

/** The product as `npm start` runs it, on data of its own. */
export async function startProduct(dataDir: string): Promise<Server> {
  const env = { NODE_ENV: 'test', DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  return start([join(import.meta.dirname, '../../server/main.ts')], env);
}

/**
 * The fastest possible server: node:http with one Buffer, and a bare 304 if the request names an
 * ETag.
 */
export async function startFloor(body: Buffer): Promise<Server> {
  const text = `const body = Buffer.from('${body.toString('base64')}', 'base64');
    require('node:http').createServer((req, res) => {
      if (req.headers['if-none-match']) res.writeHead(304, { ETag: '"v"' }).end();
      else res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length, ETag: '"v"' }).end(body);
    }).listen(process.env.PORT, () => console.log('up'))`;
  return start(['-e', text]);
}

/** A program of Node that listens on PORT and says so. */
export async function start(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Server> {
  const port = String(await freePort());
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error('the server did not start');
  });
  await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => {});
  return { url: `http://localhost:${port}`, child };
}

export async function stop({ child }: Server): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** User and system time of a process so far, in ms. */
export function cpuOf({ pid }: Measured['child']): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** So many looks in a row at a processor time that stands still. */
const stillLooks = 10;

/** After its start the product counts for its reports, which is no part of what is measured. */
export async function untilIdle({ child }: Measured): Promise<void> {
  let before = cpuOf(child);
  for (let still = 0; still < stillLooks;) {
    await pause(100);
    const now = cpuOf(child);
    still = now === before ? still + 1 : 0;
    before = now;
  }
}

const callers = 64;

/** With fewer requests, what is compiled during them is most of what is measured. */
const leastRequests = 6_000;

/** Server CPU per request in µs, with 64 clients that repeat the same request. */
export async function load(
  { url, child }: Measured,
  path: string,
  headers: Record<string, string> = {},
  requests = scaled(12_000, leastRequests),
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const one = () =>
    new Promise<void>((resolve, reject) => {
      request(`${url}${path}`, { agent, headers }, (answer) => {
        if (answer.statusCode! >= 400) reject(new Error(`${path}: ${answer.statusCode}`));
        answer.resume().on('end', resolve);
      })
        .on('error', reject)
        .end();
    });
  const before = cpuOf(child);
  let left = requests;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left > 0) {
        left -= 1;
        await one();
      }
    }),
  );
  agent.destroy();
  return ((cpuOf(child) - before) * 1_000) / requests;
}

/** The median of several rounds of each, which take turns; the first round is a warm-up. */
export async function inTurns<K extends string>(
  rounds: number,
  each: Record<K, () => Promise<number>>,
): Promise<Record<K, number>> {
  const names = Object.keys(each) as K[];
  const figures = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round += 1)
    for (const name of names) {
      const figure = await each[name]();
      if (round > 0) figures.get(name)!.push(figure);
    }
  const middle = (name: K) => [name, quantile(figures.get(name)!, 0.5)];
  return Object.fromEntries(names.map(middle)) as Record<K, number>;
}
