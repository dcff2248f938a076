/**
 * What ships is executed: the image's steps in a bare folder, and each command of the guide in
 * its order, from a bare machine to two containers. What needs a real machine is played.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectSeats } from '#server/adapters/seatsio.ts';
import { bareEnv, startMachine, writeProgram } from '#tests/support/deploy/machine.ts';
import { replayDockerfile, type Image } from '#tests/support/deploy/dockerfile.ts';
import type { Houses } from '#tests/support/deploy/houses.ts';
import { pairsOf, sendTraffic, type Traffic } from '#tests/support/deploy/traffic.ts';
import { until } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { settingsOf, startBoth } from '#tests/support/vendors.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** Outside of the repository, whose packages would be found; on a disk, because it is 2 GB. */
const folder = `/var/tmp/botteghino-${randomUUID()}`;
const built = join(folder, 'built');
const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
const compose = 'docker compose --env-file .deploy/environment -f .deploy/compose.yaml';
let image: Image;

beforeAll(() => mkdirSync(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A free port, vendors that know it, and a sale through any address of the house. */
async function startShop(name: string) {
  const at = join(folder, name);
  mkdirSync(at);
  const port = await freePort();
  const standins = await startBoth(at, { port, now: Date.now });
  const houses = { standins, seats: connectSeats(standins.seatsio!) } as unknown as Houses;
  return {
    port,
    settings: {
      ...settingsOf(standins),
      PUBLIC_URL: `http://localhost:${port}`,
      HOST: '127.0.0.1',
      BOTTEGHINO_DEMO: '1',
    },
    async sell(asked = port) {
      const url = `http://127.0.0.1:${asked}`;
      await until(
        async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true,
        30_000,
      );
      const traffic: Traffic = { requests: 0, failures: [], orders: [] };
      // How many pairs are left makes a visitor's address: one address gets few tokens.
      const pairs = await pairsOf(houses);
      const isOver = () => traffic.requests > 0;
      await sendTraffic(url, houses, { pairs, isOver, traffic });
      expect([traffic.failures, traffic.orders.length]).toEqual([[], 1]);
    },
    [Symbol.asyncDispose]: () => standins.close(),
  };
}

test('the image: its steps make it of what is sent, it starts, says that it is well, and sells', async () => {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  // The image's users are not of this machine.
  await writeProgram(join(programs, 'chown'), 'test "$1" = node:node');
  await writeProgram(join(programs, 'node'), `exec "${process.execPath}" "$@"`);
  await writeProgram(join(programs, 'npm'), `exec "${npm}" "$@"`);
  mkdirSync(built);
  image = await replayDockerfile({
    context: root,
    dockerfile: join(root, '.deploy/Dockerfile'),
    folder: join(folder, 'stages'),
    env: bareEnv([programs]),
    after({ word, rest }, at) {
      // The guide's own install is the same, and need not be made twice.
      if (word === 'RUN' && rest.startsWith('npm ci'))
        execFileSync('cp', ['-al', join(at, 'node_modules'), join(at, 'package-lock.json'), built]);
      if (word === 'RUN' && rest.includes('npm run build'))
        cpSync(join(at, 'dist'), join(built, 'dist'), { recursive: true });
    },
  });
  const app = join(image.root, image.workdir);
  const [size = ''] = execFileSync('du', ['-sm', app], { encoding: 'utf8' }).split('\t');
  console.log(`the image, besides Node and Debian: ${size} MB`);
  const useless = ['**/*.d.ts', '**/*.sqlite', 'tests', 'node_modules/{@types,typescript,vite}'];
  expect(globSync([...useless, '**/environment'], { cwd: app })).toEqual([]);
  expect(Number(size)).toBeLessThan(170);

  await using shop = await startShop('image');
  const env = { ...bareEnv([programs]), ...image.env, ...shop.settings, PORT: String(shop.port) };
  const [command = '', ...flags] = image.cmd;
  const child = spawn(command, flags, { cwd: app, env, stdio: ['ignore', 'ignore', 'inherit'] });
  using _ = { [Symbol.dispose]: () => child.kill('SIGKILL') };
  await shop.sell();
  const [asks = '', ...asked] = image.health;
  execFileSync(asks, asked, { cwd: app, env });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
}, 600_000);

test('the guide: each command in its order, from a bare machine to a sale, a copy that comes back, an update and the way back, two processes, containers', async () => {
  await using shop = await startShop('guide');
  const bare = join(folder, 'machine');
  const databases = [];
  for (const _ of [1, 2, 3, 4]) databases.push(await makeDatabase(inject('postgresUrl')));
  const [moved, wayBack, ofContainers, restored] = databases.map(({ address }) => address);
  const words: Record<string, string> = {
    'INDIRIZZO-DEL-PROGRAMMA': `file://${publishVersions(join(folder, 'published'))}`,
    VERSIONE: 'v1.0.0',
    'postgres://botteghino:PASSWORD@localhost/botteghino': moved!,
    '@3000': `@${shop.port}`,
  };
  await using machine = await startMachine(bare, { words, npm: npmOf(built) });
  const settings = { ...shop.settings, PORT: String(shop.port), DRAIN_SECONDS: '0' };
  await machine.plan('environment', editsOf({ ...settings, SECRETS_KEY: 'x'.repeat(43) + '=' }));
  await machine.plan('Caddyfile', [
    ['biglietti.teatro.example', 'localhost'],
    [' 127.0.0.1:3001', ''],
  ]);
  const environment = join(bare, 'etc/botteghino/environment');
  const connectTo = (address: string) => appendFileSync(environment, `\nDATABASE_URL=${address}\n`);
  const newest = (at: string) => {
    const name = readdirSync(at)
      .filter((file) => file.startsWith('botteghino-'))
      .toSorted()
      .at(-1)!;
    return (words['NOME-DELLA-COPIA'] = name);
  };
  const blocks = [...read('.deploy/METTERE-IN-SCENA.md').matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .map(([, block]) => block!.trim().split('\n'))
    // The archive of PostgreSQL needs a database of Debian's own.
    .filter((lines) => !lines.join().includes('pgbackrest'));
  /** Runs the next block of the guide; `before` what stands in words between its lines. */
  const follow = async (before: Record<string, () => void> = {}) => {
    const said: string[] = [];
    for (const line of blocks.shift()!) {
      for (const [begin, act] of Object.entries(before)) if (line.startsWith(begin)) act();
      said.push(await machine.run(line, { mayFail: line === 'casa doctor' }));
    }
    return said.join('\n');
  };
  const backups = join(bare, 'var/backups/botteghino');

  await follow();
  expect(existsSync(join(bare, 'opt/botteghino/newest-commit'))).toBe(false);
  await follow();
  await follow();
  await shop.sell();
  expect(await machine.run('sudo journalctl -u botteghino -o cat')).toContain('/admin/');
  await follow();
  await follow();
  await shop.sell();
  const told = await follow({ 'casa verify-backup': () => newest(backups) });
  expect(told).toMatch(/Guasti: \d/);
  await machine.run('sudo systemctl stop botteghino');
  rmSync(join(bare, 'var/lib/botteghino'), { recursive: true });
  expect(await follow()).toContain('Ripristinato');
  await machine.run('sudo systemctl start botteghino');
  await follow();
  await shop.sell();
  await follow({ 'sudo systemctl start': () => connectTo(moved!) });
  await shop.sell();

  words['VERSIONE'] = 'v1.0.1';
  await follow();
  await shop.sell();
  expect(existsSync(join(bare, 'opt/botteghino/version-1.0.1'))).toBe(true);
  await follow();
  await shop.sell();
  expect(existsSync(join(bare, 'opt/botteghino/version-1.0.1'))).toBe(false);
  newest(backups);
  expect(await follow({ casa: () => connectTo(wayBack!) })).toContain('Ripristinato');
  await shop.sell();

  const second = await freePort();
  words['@3001'] = `@${second}`;
  await follow();
  await shop.sell(second);
  await follow();
  await shop.sell();
  await shop.sell(second);
  await machine.run('sudo systemctl stop botteghino@3000 botteghino@3001');

  /** New volumes, as on a new computer; the image's own proof has used the first one. */
  const inDocker = (address: string) => {
    rmSync(join(image.root, 'data'), { recursive: true });
    const ours = { ...settings, DATABASE_URL: address };
    const set = { house: ours, 'house-b': { ...ours, PORT: String(second) } };
    return machine.plan('docker', { image, set });
  };
  await inDocker(ofContainers!);
  await follow();
  await shop.sell();
  expect(await machine.run(`${compose} logs house`)).toContain('/admin/');
  await follow();
  const name = newest(join(image.root, 'backups'));
  renameSync(join(image.root, 'backups', name), join(bare, 'opt/botteghino', name));
  await machine.run(`${compose} stop house`);
  await inDocker(restored!);
  expect(await follow()).toContain('Ripristinato');
  await shop.sell();
  await follow();
  await shop.sell(second);
  await follow();
  await shop.sell();
  await machine.run(`${compose} --profile two stop`);
  expect(blocks).toEqual([]);
  for (const { drop } of databases) await drop();
}, 600_000);

/** The sources as they are, under two tags, and a newest commit without one. */
function publishVersions(at: string): string {
  mkdirSync(at);
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a', ...words], { cwd: at });
  const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of sources.trim().split('\n'))
    if (existsSync(join(root, path)) && !path.startsWith('tests/'))
      cpSync(join(root, path), join(at, path));
  git('init', '-q');
  const commit = (file: string, ...tag: string[]) => {
    writeFileSync(join(at, file), '');
    git('add', '.');
    git('commit', '-qm', file);
    if (tag.length > 0) git('tag', ...tag);
  };
  commit('version-1.0.0', 'v1.0.0');
  commit('version-1.0.1', 'v1.0.1');
  commit('newest-commit');
  return at;
}

/** npm as it is; only an install and a build that the image has made come from there. */
function npmOf(made: string): string {
  return `case "$*" in
  ci) cmp -s package-lock.json "${made}/package-lock.json" && exec ln -s "${made}/node_modules" . ;;
  'run build') cp -a "${made}/dist" . && exec "${npm}" run build -- --if-changed ;;
esac
exec "${npm}" "$@"`;
}

/** How a person fills the settings in: a line that is there is changed, another one is added. */
function editsOf(settings: Record<string, string>): [string, string][] {
  const example = read('.deploy/environment.example');
  return Object.entries(settings).map(([name, value]) => {
    const isThere = new RegExp(`^#?${name}=`, 'm').test(example);
    return [isThere ? `^#?${name}=.*$` : '(?![^])', `${isThere ? '' : '\n'}${name}=${value}`];
  });
}
