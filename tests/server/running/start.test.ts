/** The product as a process: three lines, a data folder that is one process's and survives a kill, and a second start by mistake that hurts nobody. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '#db/engine/connect.ts';
import { lockHouse } from '#server/adapters/house-lock.ts';
import { acceptFirst, ask, until } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { makeData, startProduct } from '#tests/support/product.ts';

const root = join(import.meta.dirname, '../../..');

/** What it says before it ends, because it may not start. */
async function complaintOf(env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = child.stderr.setEncoding('utf8').toArray();
  expect(await once(child, 'exit')).toEqual([1, null]);
  return (await said).join('');
}

test('a second start on one folder names it and touches nothing; after a kill the folder is free, and nothing is lost', async () => {
  const data = await makeData('sqlite', '');
  onTestFinished(() => data.clean());
  const folder = data.env['DATA_DIR']!;
  const first = await startProduct(data);
  const announced =
    /^(Prenota un posto|La porta|Primo amministratore).*: +http:\/\/localhost:\d+\//;
  expect(first.lines.map((line) => announced.test(line))).toEqual([true, true, true]);
  const { body: before } = await ask(first, 'GET', '/api/event/la-locandiera/');

  const db = connect(join(folder, 'botteghino.sqlite'));
  await db('outbox').insert({
    id: 'x'.repeat(22),
    task: 'send_mail',
    subject: 'nobody',
    run_at: 4e12,
    attempts: 0,
    bell: 0,
    locked_until: 4e12,
  });
  expect(await complaintOf({ ...data.env, PORT: String(await freePort()) })).toBe(
    `La cartella ${folder} è già in uso: un altro Botteghino lavora lì. Chiudilo prima di avviarne un altro, oppure indica un’altra cartella con DATA_DIR=…\n`,
  );
  const kept = await db('outbox').where({ subject: 'nobody' }).first('locked_until');
  expect(kept.locked_until).toBe(4e12);
  await db.destroy();
  expect(lockHouse(folder)).toBeNull();

  const headers = await acceptFirst(first, first.invite);
  await first.kill();
  const lock = lockHouse(folder);
  expect(lock).not.toBeNull();
  lock!.release();

  await using second = await startProduct(data);
  expect(second.lines).toHaveLength(3);
  expect(second.lines[2]).toMatch(/^L'ufficio: +http/);
  await until(async () => (await ask(second, 'GET', '/readyz')).status === 200);
  expect((await ask(second, 'GET', '/api/event/la-locandiera/')).body).toEqual(before);
  const me = await ask(second, 'GET', '/api/auth/me', { headers });
  expect(me.body).toMatchObject({ email: 'ada@teatro.it', role: 'admin' });
});

/** All files that a start reads, one a line. */
const tellLoaded = `
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      console.log(url);
      return next(url, context);
    },
  });
  await import('./server/open.ts');
`;

test('what waits for its first use makes no start slower: pictures, papers, passkeys, the guessing of passwords, seals, mail', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', tellLoaded],
    { cwd: root },
  );
  const isLoaded = (name: string) => stdout.includes(`/node_modules/${name}/`);
  expect(isLoaded('koa')).toBe(true);
  const late = [
    'sharp',
    'pdfkit',
    'bidi-js',
    '@simplewebauthn/server',
    '@zxcvbn-ts/core',
    'age-encryption',
    'nodemailer',
    'vite',
  ];
  expect(late.filter(isLoaded)).toEqual([]);
});

/** Stands for the server: it has a port, says a word of its source, and takes its time to close. */
const standing = `
import { createServer } from 'node:http';
import { once } from 'node:events';
import { word } from './word.ts';
const server = createServer((_, answer) => answer.end(word));
server.listen(process.env.PORT);
await once(server, 'listening');
await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
setTimeout(() => {
  server.close();
  server.closeAllConnections();
  console.log('closed');
}, 200);
`;

test('npm run dev starts the server again when its source changes, however an editor writes it, waits after a mistake, and ends in order', async () => {
  const data = await makeData('sqlite', '');
  onTestFinished(() => data.clean());
  const { PORT, DATA_DIR: copy } = data.env as { PORT: string; DATA_DIR: string };
  const write = (text: string) => {
    writeFileSync(join(copy, 'written'), text);
    renameSync(join(copy, 'written'), join(copy, 'server/word.ts'));
  };
  const says = (word: string) =>
    until(async () => {
      const answer = await fetch(`http://localhost:${PORT}`).catch(() => null);
      return (await answer?.text()) === word;
    });
  for (const name of ['package.json', 'server/dev.ts', 'server/wanted-node.cjs'])
    cpSync(join(root, name), join(copy, name));
  mkdirSync(join(copy, 'db'));
  writeFileSync(join(copy, 'server/main.ts'), standing);
  write("export const word = 'one';");
  // npm would start a shell of its own, whose end says nothing of the server's.
  const { scripts } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'));
  const env = { ...process.env, ...data.env };
  const dev = spawn('sh', ['-c', scripts.dev], { cwd: copy, env, detached: true });
  onTestFinished(() => void dev.kill());
  let said = '';
  for (const stream of [dev.stdout, dev.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  await says('one');
  // Twice: a watcher of the file itself would still see the first one.
  for (const word of ['two', 'three']) {
    write(`export const word = '${word}';`);
    await says(word);
  }
  write('export const word = ;');
  await until(async () => said.includes('riparte alla prossima modifica'));
  expect(said).toContain('server/word.ts:1');
  write("export const word = 'four';");
  await says('four');
  // As Ctrl-C does, to all processes of the terminal.
  process.kill(-dev.pid!, 'SIGINT');
  expect(await once(dev, 'exit')).toEqual([0, null]);
  expect(said.match(/closed/g)).toHaveLength(4);
});
