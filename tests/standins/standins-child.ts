/** The stand-ins as a process of their own, for tests that kill it, start two of them, or come from outside. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'server', 'standins', 'main.ts');

export interface Child extends AsyncDisposable {
  process: ChildProcess;
  port: number;
  secretKey: string;
  /** What it has printed so far. */
  said: () => string;
  /** With SIGKILL, unless another signal is named; resolves with the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Resolves once the Stripe stand-in says where it is; with an environment it is started as npm starts it. */
export async function startChild(
  options: string[],
  environment?: Record<string, string>,
): Promise<Child> {
  const { child, said, ended } = run(options, environment);
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

/** With an environment: as `npm run standins` would, by the shell and what package.json says. */
function commandOf(
  options: string[],
  environment: Record<string, string> | undefined,
): [string, string[]] {
  if (!environment) return [process.execPath, [MAIN, ...options]];
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { standins: string };
  };
  return ['sh', ['-c', `${scripts.standins} "$@"`, 'sh', ...options]];
}

function run(
  options: string[],
  environment?: Record<string, string>,
): {
  child: ChildProcess;
  said: () => string;
  ended: Promise<number | null>;
} {
  const [program, words] = commandOf(options, environment);
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const child = spawn(program, words, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment, PATH },
  });
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
