/** One process of the product that a test starts, controls and kills. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Order } from './mortal-child.ts';

const root = join(import.meta.dirname, '../..');
/**
 * The limits of Node's memory from `npm start`, because with its own limits Node leaves garbage in
 * memory that the product would collect.
 */
const memoryFlags = readFileSync(join(root, 'package.json'), 'utf8').match(/--max-[a-z-]+=\d+/g)!;

export type MortalProcess = Awaited<ReturnType<typeof spawnMortal>>;

interface MortalStart {
  env: Record<string, string>;
  /** Milliseconds by which its clock is ahead. */
  ahead: number;
  /** None of its files may grow beyond this many kilobytes. */
  largestFileKb?: number | null;
  /**
   * Where its standard error goes: `pipe` shows it only if the process does not start, for tests in
   * which everything breaks.
   */
  complaints?: 'inherit' | 'pipe';
}

export async function spawnMortal({
  env,
  ahead,
  largestFileKb = null,
  complaints = 'inherit',
}: MortalStart) {
  const limit = largestFileKb === null ? '' : `ulimit -f ${largestFileKb}; `;
  const child = spawn(
    'bash',
    [
      '-c',
      `${limit}exec "$0" "$@"`,
      process.execPath,
      ...memoryFlags,
      join(import.meta.dirname, 'mortal-child.ts'),
      String(ahead),
    ],
    {
      cwd: root,
      env: { ...process.env, NODE_ENV: '', ...env },
      stdio: ['ignore', 'ignore', complaints, 'ipc'],
    },
  );
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-1_000)));
  let dead = false;
  let ending: { code: number | null; signal: string | null } = { code: null, signal: null };
  let ids = 0;
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      [dead, ending] = [true, { code, signal }];
      resolve();
    });
  });
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error(`it does not start: ${said}`);
    }),
  ])) as [{ ready: string }];

  return {
    pid: child.pid!,
    /** The one-time link for the first admin; empty if there is an admin. */
    invite: message.ready,
    isDead: () => dead,
    /** The exit status from the kernel. */
    ending: () => ending,
    /** Resolves when the process ends. */
    gone,
    tell<T>(order: Order): Promise<T> {
      const id = (ids += 1);
      return new Promise<T>((resolve, reject) => {
        const leave = () => reject(new Error('it died'));
        const hear = (answer: { id?: number; answer?: T; error?: string }) => {
          if (answer.id !== id) return;
          child.off('message', hear);
          child.off('exit', leave);
          if (answer.error === undefined) resolve(answer.answer as T);
          else reject(new Error(answer.error));
        };
        child.on('message', hear);
        child.once('exit', leave);
        child.send({ id, order }, (error) => {
          if (error) leave();
        });
      });
    },
    async kill(signal: NodeJS.Signals = 'SIGKILL') {
      if (dead) return;
      child.kill(signal);
      await gone;
    },
  };
}
