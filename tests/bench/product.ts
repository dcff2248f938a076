/** The product in a process of its own for a bench, what its process has cost so far, and many callers of one address. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { freePort } from '#tests/support/port.ts';

export interface Server {
  url: string;
  child: ChildProcess;
}

/** As `npm start` runs it, on data of its own. */
export async function startProduct(dataDir: string): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../server/main.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return { url: `http://localhost:${port}`, child };
}

/** User and system time of a process so far, in ms. */
export function cpuOf({ child }: { child: ChildProcess }): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const callers = 64;

/** Server CPU per request in µs; 64 callers ask the same again and again. */
export async function load(
  server: Server,
  path: string,
  headers: Record<string, string>,
  requests = 12_000,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const one = () =>
    new Promise<void>((resolve, reject) => {
      request(`${server.url}${path}`, { agent, headers }, (answer) =>
        answer.resume().on('end', resolve),
      )
        .on('error', reject)
        .end();
    });
  const before = cpuOf(server);
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
  return ((cpuOf(server) - before) * 1_000) / requests;
}
