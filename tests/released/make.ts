/**
 * Makes the fixtures of the version in package.json, on the commit of its release: a backup of
 * each database with an order in every state, and the phone app as it was built. Later versions
 * must go on from them, so they are never made anew.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { askAdmin } from '#tests/support/admin-command.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { makeData } from '#tests/support/product.ts';
import { seedStates } from '#tests/support/seed-states.ts';
import { databaseKinds, makeClock, openServer } from '#tests/support/server.ts';

type Order = { id: string; state: string };

const root = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};
const folder = join(import.meta.dirname, version);
mkdirSync(folder);

const postgres = await startPostgres();
for (const database of databaseKinds) {
  const { env, clean } = await makeData(database, postgres.url);
  // The states take some hours to come about, and they must end before now.
  const clock = makeClock();
  clock.advance(-24 * 3_600_000);
  const server = await openServer(env, {}, clock, async () => {});
  const ids = await seedStates(server);
  const rows = (await server.house.ctx.db('orders').select('id', 'state')) as Order[];
  const orders = Object.entries(ids).map(([name, id]) => ({
    name,
    ...rows.find((row) => row.id === id)!,
  }));
  await server.close();
  const { body } = await askAdmin(server, ['backup', join(env['DATA_DIR']!, 'copie')]);
  const copy = gzipSync(readFileSync(String(body['path'])), { level: 9 });
  writeFileSync(join(folder, `${database}.copia.gz`), copy);
  const told = { made_at: body['made_at'], orders };
  writeFileSync(join(folder, `${database}.json`), `${JSON.stringify(told, null, 2)}\n`);
  await clean();
}
await postgres.stop();

execFileSync(process.execPath, ['apps/build.ts', '--if-changed'], { cwd: root, stdio: 'ignore' });
// The compressed twins of the files are for the server's own answers.
const left = ['--exclude=*.br', '--exclude=*.gz'];
execFileSync('tar', [...left, '-czf', join(folder, 'scanner.tar.gz'), '-C', 'dist', 'scanner'], {
  cwd: root,
});
