/** The stand-ins as a process of their own, for tests that kill it, start two of them, or come from outside. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '..', '..', 'server', 'standins', 'main.ts');

export interface Child extends AsyncDisposable {
  process: ChildProcess;
  port: number;
  secretKey: string;
  /** What it has printed so far. */
  said: () => string;
  /** With SIGKILL, unless another signal is named; resolves with the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Resolves once the Stripe stand-in says where it is. */
export async function startChild(options: string[]): Promise<Child> {
  const { child, said, ended } = run(options);
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', () => {
      if (/State in/.test(said())) resolve();
    });
    void ended.then((code) => reject(new Error(`The stand-ins ended with ${code}: ${said()}`)));
  });
  async function stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    child.kill(signal);
    return ended;
  }
  return {
    process: child,
    port: Number(/^Stripe\s+http:\/\/127\.0\.0\.1:(\d+)$/m.exec(said())?.[1]),
    secretKey: /^\s+secret key\s+(sk_test_\w+)$/m.exec(said())?.[1] ?? '',
    said,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

/** Runs to the end: what it printed, and its exit code. */
export async function runChild(options: string[]): Promise<{ code: number | null; said: string }> {
  const { said, ended } = run(options);
  const code = await ended;
  return { code, said: said() };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

function run(options: string[]): {
  child: ChildProcess;
  said: () => string;
  ended: Promise<number | null>;
} {
  const child = spawn(process.execPath, [MAIN, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  // A test that fails in between must not leave it behind.
  const end = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', end);
  child.once('close', () => process.removeListener('exit', end));
  let text = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { child, said: () => text, ended };
}
