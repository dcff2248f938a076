/**
 * Plays programs that the test's machine lacks (systemd, users, an editor, Docker): checks their
 * arguments, and does in the folder `STAGE` what they would do at a machine's root.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import type { Image } from './dockerfile.ts';

const stage = process.env['STAGE']!;
const [program = '', ...args] = process.argv.slice(2);

function fail(words: string): never {
  console.error(`${program} ${args.join(' ')}: ${words}`);
  process.exit(1);
}

/** What the test has decided: replacements in files, and how the image runs. */
function readPlan<T>(name: string): T {
  return JSON.parse(readFileSync(join(stage, 'plan', `${name}.json`), 'utf8')) as T;
}

/** Absolute paths of the machine, in the folder that stands for its root. */
const here = (text: string) => text.replaceAll(/(?<![\w/.])\/(?=(?:opt|etc|var)\/)/g, `${stage}/`);

const readSettings = (path: string): Record<string, string> =>
  Object.fromEntries(
    [...readFileSync(path, 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
      name!,
      here(value!),
    ]),
  );

interface Service {
  command: string[];
  cwd: string;
  env: Record<string, string>;
}

const pidFile = (name: string) => join(stage, 'run', name);
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

function startService(name: string, { command: [file = '', ...rest], cwd, env }: Service): void {
  if (existsSync(pidFile(name))) return;
  const log = openSync(join(stage, 'run', `${name}.log`), 'a');
  const child = spawn(file, rest, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.on('error', ({ message }) => fail(message));
  writeFileSync(pidFile(name), String(child.pid));
  child.unref();
}

function stopService(name: string): void {
  if (!existsSync(pidFile(name))) return;
  const pid = Number(readFileSync(pidFile(name), 'utf8'));
  if (isAlive(pid)) process.kill(pid, 'SIGTERM');
  while (isAlive(pid)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  rmSync(pidFile(name));
}

/** A unit as systemd reads it, `%i` filled in. */
function readUnit(name: string): Service {
  const [kind = '', instance = ''] = name.split('@');
  const file = join(stage, 'etc/systemd/system', `${kind}${instance && '@'}.service`);
  if (!existsSync(file)) fail(`${file} is not there`);
  const text = here(readFileSync(file, 'utf8').replaceAll('%i', instance));
  const all = (key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!);
  for (const [key, parent] of [
    ['StateDirectory', 'lib'],
    ['CacheDirectory', 'cache'],
  ] as const)
    for (const folder of all(key))
      mkdirSync(join(stage, 'var', parent, folder), { recursive: true, mode: 0o700 });
  for (const user of all('User')) requireUser(user);
  return {
    command: all('ExecStart')[0]!.split(' '),
    cwd: all('WorkingDirectory')[0]!,
    env: {
      ...Object.fromEntries(all('Environment').map((pair) => pair.split(/=(.*)/s, 2))),
      // As in systemd, the file counts more than the unit's own lines.
      ...readSettings(all('EnvironmentFile')[0]!),
    } as Record<string, string>,
  };
}

function requireUser(name: string): void {
  if (!existsSync(join(stage, 'users', name))) fail(`there is no user ${name}`);
}

function systemctl(): void {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { now: { type: 'boolean' } },
  });
  const [verb = '', ...names] = positionals;
  if (verb === 'daemon-reload') return;
  if (verb === 'reload') return void (names[0] === 'caddy' || fail('no such service'));
  const units = names.map((name) => [name, readUnit(name)] as const);
  for (const [name, unit] of units) {
    if (['stop', 'restart'].includes(verb) || (verb === 'disable' && values.now)) stopService(name);
    if (['start', 'restart'].includes(verb) || (verb === 'enable' && values.now))
      startService(name, unit);
  }
}

function runOnce({ command: [file = '', ...rest], cwd, env }: Service): never {
  const { status, error } = spawnSync(file, rest, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'inherit',
  });
  if (error) fail(error.message);
  process.exit(status ?? 1);
}

function systemdRun(): never {
  // Its own options end where the command begins.
  const at = args.findIndex((word) => word.startsWith('/'));
  const { values } = parseArgs({
    args: args.slice(0, at),
    options: {
      quiet: { type: 'boolean' },
      pipe: { type: 'boolean' },
      wait: { type: 'boolean' },
      uid: { type: 'string' },
      'working-directory': { type: 'string' },
      property: { type: 'string', short: 'p' },
      setenv: { type: 'string', short: 'E' },
    },
  });
  requireUser(values.uid!);
  const [name = '', value = ''] = values.setenv!.split('=');
  const env = readSettings(values.property!.replace('EnvironmentFile=', ''));
  return runOnce({
    command: args.slice(at),
    cwd: values['working-directory']!,
    env: { ...env, [name]: value },
  });
}

/** Changes a file as the guide tells the person to: each pattern must be in it. */
function edit(): void {
  const [path = ''] = args;
  let text = readFileSync(path, 'utf8');
  for (const [pattern, words] of readPlan<[string, string][]>(basename(path))) {
    if (!new RegExp(pattern, 'm').test(text)) fail(`nothing like ${pattern} in ${path}`);
    text = text.replace(new RegExp(pattern, 'm'), words);
  }
  writeFileSync(path, text);
}

/** The real program, without the owners that this machine lacks. */
function install(): never {
  const at = args.findIndex((word) => word === '-o');
  const rest = at === -1 ? args : args.toSpliced(at, 4);
  if (at !== -1) requireUser(args[at + 1]!);
  return runOnce({ command: ['/usr/bin/install', ...rest], cwd: process.cwd(), env: {} });
}

interface Compose {
  services: Record<string, { profiles?: string[]; environment: Record<string, string> }>;
}

/** `docker compose` with the replayed image; PostgreSQL and Caddy are left out. */
function docker(): void {
  const [, ...words] = args;
  const from = words.findIndex((word) => /^(up|run|logs|build|stop)$/.test(word));
  const { values } = parseArgs({
    args: words.slice(0, from),
    options: {
      'env-file': { type: 'string' },
      file: { type: 'string', short: 'f' },
      profile: { type: 'string' },
    },
  });
  const file = values.file!;
  const { services } = parse(readFileSync(file, 'utf8'), { merge: true }) as Compose;
  const [verb, ...rest] = words.slice(from);
  const isIn = (name: string) =>
    (services[name]!.profiles ?? [values.profile]).includes(values.profile!);
  const named = rest.filter((word) => word in services);
  const houses = (named.length > 0 ? named : Object.keys(services).filter(isIn)).filter((name) =>
    name.startsWith('house'),
  );
  const { image, set } = readPlan<{ image: Image; set: Record<string, Record<string, string>> }>(
    'docker',
  );
  const serviceOf = (name: string, command: string[]): Service => ({
    command,
    cwd: join(image.root, image.workdir),
    env: {
      ...image.env,
      ...readSettings(join(file, '..', 'environment')),
      ...services[name]!.environment,
      BACKUP_FOLDER: join(image.root, services[name]!.environment['BACKUP_FOLDER']!),
      ...set[name],
    },
  });
  if (!existsSync(values['env-file']!)) fail('no such file of settings');
  if (verb === 'build') return void (rest[0] === 'house' || fail('no such service'));
  if (verb === 'logs')
    return void console.log(readFileSync(join(stage, 'run', `${rest[0]}.log`), 'utf8'));
  if (verb === 'up' || verb === 'stop')
    for (const name of houses) {
      stopService(name);
      if (verb === 'up') startService(name, serviceOf(name, image.cmd));
    }
  if (verb === 'run') {
    const [name = '', ...command] = rest.slice(rest.indexOf('-T') + 1);
    const inImage = command.map((word) => word.replaceAll(/\/(?=backups)/g, `${image.root}/`));
    runOnce(serviceOf(name, inImage));
  }
}

const played: Record<string, () => void> = {
  adduser: () => appendFileSync(join(stage, 'users', args.at(-1)!), ''),
  'apt-get': () => /^(update|install -y [\w -]+)$/.test(args.join(' ')) || fail('not understood'),
  docker,
  install,
  journalctl: () =>
    console.log(readFileSync(join(stage, 'run', `${args[args.indexOf('-u') + 1]}.log`), 'utf8')),
  sudoedit: edit,
  systemctl,
  'systemd-run': systemdRun,
};
export const playedPrograms = Object.keys(played);
if (process.argv[1] === import.meta.filename) played[program]!();
