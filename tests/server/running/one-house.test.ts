/** Whose a folder is: one process has the files of a house, a second start says so and touches nothing, and `npm start` ends when it is told to. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, inject, test } from 'vitest';
import { connect } from '#db/engine/connect.ts';
import { lockHouse } from '#server/adapters/house-lock.ts';
import { until } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { makeData, startProduct } from '#tests/support/product.ts';

const root = join(import.meta.dirname, '../../..');

function start(env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function complaintOf(child: ChildProcess): Promise<string> {
  const said = child.stderr!.setEncoding('utf8').toArray();
  expect(await once(child, 'exit')).toEqual([1, null]);
  return (await said).join('');
}

test(
  'a second start on one folder names it and ends before it touches anything; after a kill the folder is free',
  { timeout: 60_000 },
  async () => {
    const data = await makeData('sqlite', inject('postgresUrl'));
    const folder = data.env['DATA_DIR']!;
    try {
      const first = await startProduct(data);
      const db = connect(join(folder, 'botteghino.sqlite'));
      await db('outbox').delete();
      await db('outbox').insert({
        id: 'x'.repeat(22),
        task: 'send_mail',
        subject: 'nobody',
        run_at: 4e12,
        attempts: 0,
        bell: 0,
        locked_until: 4e12,
      });
      const mistake = start({ ...data.env, PORT: String(await freePort()) });
      expect(await complaintOf(mistake)).toBe(
        `La cartella ${folder} è già in uso: un altro Botteghino lavora lì. Chiudilo prima di avviarne un altro, oppure indica un’altra cartella con DATA_DIR=…\n`,
      );
      expect((await db('outbox').first()).locked_until).toBe(4e12);
      await db.destroy();
      expect(lockHouse(folder)).toBeNull();
      await first.kill();
      const lock = lockHouse(folder);
      expect(lock).not.toBeNull();
      lock!.release();
      await using second = await startProduct(data);
      expect(second.lines).toHaveLength(3);
    } finally {
      await data.clean();
    }
  },
);

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dial(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(
    `npm start ends with ${signal} to npm, and its port and folder are free`,
    { timeout: 120_000 },
    async () => {
      const { env, clean } = await makeData('sqlite', inject('postgresUrl'));
      const port = Number(env['PORT']);
      // The apps are built already: here only what npm does counts.
      const npm = spawn('npm', ['start', '--ignore-scripts'], {
        cwd: root,
        env: { ...process.env, NODE_ENV: '', ...env },
        stdio: ['ignore', 'pipe', 'ignore'],
        // A group of its own: whatever this test leaves behind is ended with it.
        detached: true,
      });
      try {
        const ended = once(npm, 'exit');
        const lines = createInterface(npm.stdout);
        await new Promise<void>((resolve, reject) => {
          lines.on('line', (line) => line.includes('Primo amministratore') && resolve());
          npm.once('exit', () => reject(new Error('npm start did not come up')));
        });
        expect(await isOpen(port)).toBe(true);
        npm.kill(signal);
        await ended;
        await until(async () => !(await isOpen(port)));
        const lock = lockHouse(env['DATA_DIR']!);
        expect(lock).not.toBeNull();
        lock!.release();
      } finally {
        endGroup(npm.pid!);
        await clean();
      }
    },
  );
