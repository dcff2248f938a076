/** What we ship for machines: units, containers and alerts name only what exists; files.proof.ts asks the programs themselves. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '#server/config.ts';

const root = join(import.meta.dirname, '../..');
/** Every value is read as the text that stands there; `<<` takes in what it names. */
const asText = { schema: 'failsafe', merge: true } as const;
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const units = readdirSync(join(root, '.deploy')).filter((name) => name.endsWith('.service'));
const config = ['server/config.ts', ...globSync('server/config/*.ts', { cwd: root })]
  .map(read)
  .join();
/** What the configuration reads, by whatever way it names it. */
const settings = new Set(config.match(/(?<=['`])[A-Z][A-Z_]{3,}(?=['`])/g));
/** Not of a house that serves: for whoever develops, for one start, or set by the units themselves. */
const unlisted = new Set([
  'HTTPS_PORT',
  'STRIPE_URL',
  'NODE_ENV',
  'DATA_DIR',
  'BOTTEGHINO_NEW',
  'NO_COLOR',
  'MAINPID',
  'TERM',
]);
/** Read by compose.yaml and the Caddyfile, by Node and by the system. */
const others = new Set([
  'POSTGRES_PASSWORD',
  'BOTTEGHINO_ADDRESS',
  'BOTTEGHINO_UPSTREAMS',
  'NODE_COMPILE_CACHE',
  'MALLOC_ARENA_MAX',
]);

test('every setting of the house is in the example, and every name in the example is a setting', () => {
  const named = [...read('.deploy/environment.example').matchAll(/^#?([A-Z_]+)=/gm)].map(
    ([, name]) => name!,
  );
  const shown = new Set(named);
  expect(named.length).toBe(shown.size);
  expect([...settings].filter((name) => !shown.has(name) && !unlisted.has(name))).toEqual([]);
  expect(named.filter((name) => !settings.has(name) && !others.has(name))).toEqual([]);
});

test('what a unit sets is not in the settings, whose file would count more', () => {
  const example = read('.deploy/environment.example');
  const set = units.flatMap((unit) => read(`.deploy/${unit}`).match(/(?<=^Environment=)\w+=/gm)!);
  expect(set.filter((name) => new RegExp(`^#?${name}`, 'm').test(example))).toEqual([]);
});

test('units, image and containers set and start only what exists', () => {
  const set = [
    ...units.flatMap((unit) => [...read(`.deploy/${unit}`).matchAll(/^Environment=([A-Z_]+)=/gm)]),
    ...[...read('.deploy/Dockerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, line]) => [
      ...line!.matchAll(/([A-Z_]+)=/g),
    ]),
  ].map((found) => found[1]!);
  expect(set.length).toBeGreaterThan(10);
  expect(set.filter((name) => !settings.has(name) && !others.has(name))).toEqual([]);
  for (const unit of units) {
    const text = read(`.deploy/${unit}`);
    const programs = [...text.matchAll(/^Exec\w+=.* (\S+\.ts)$/gm)].map(([, program]) => program!);
    expect(programs).toEqual(['server/main.ts', 'server/wait-ready.ts']);
    expect(programs.filter((program) => !existsSync(join(root, program)))).toEqual([]);
    // It never gives up, except for what only a person can mend; and it waits for the right time.
    const [, fault] = /configFault = (\d+);/.exec(read('server/main.ts'))!;
    expect(text).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(text).toMatch(new RegExp(`^RestartPreventExitStatus=${fault}$`, 'm'));
    expect(text).toMatch(/^After=.*time-sync\.target/m);
    expect(text).toMatch(/^Wants=.*time-sync\.target systemd-time-wait-sync\.service/m);
  }
});

test('the image copies what is there, runs as nobody, and its flags are those of the units and of npm start', () => {
  const docker = read('.deploy/Dockerfile');
  const copied = [...docker.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
    paths!.split(' '),
  );
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const taken = [...docker.matchAll(/^COPY --from=build \/app\/(\S+)/gm)].map(([, path]) => path!);
  expect(taken.filter((path) => path !== 'dist' && !existsSync(join(root, path)))).toEqual([]);
  expect(docker.lastIndexOf('\nUSER node\n')).toBeGreaterThan(docker.lastIndexOf('\nRUN '));
  const { scripts, devDependencies } = JSON.parse(read('package.json')) as {
    scripts: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  for (const [, name] of docker.matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(name!);
  expect(docker).toContain(`FROM node:${devDependencies['node']!.split('.')[0]}-slim`);
  const flags = /--max-semi-space-size=\d+ --max-old-space-size=\d+/.exec(scripts['start']!)![0];
  expect(docker.replaceAll('", "', ' ')).toContain(`node ${flags} server/main.ts`);
  for (const unit of ['botteghino.service', 'botteghino@.service'])
    expect(read(`.deploy/${unit}`)).toContain(`${flags} server/main.ts`);
});

test('what the server imports is there without the tools of development', () => {
  const { dependencies } = JSON.parse(read('package.json')) as {
    dependencies: Record<string, string>;
  };
  const missing = globSync(['server/**/*.ts', 'db/**/*.ts'], { cwd: root })
    .filter((path) => path !== 'server/http/dev.ts')
    .flatMap((path) =>
      [
        ...read(path).matchAll(
          /^import (?!type)[^;]*?from '([^'.#][^']*)'|import\('([^'.#][^']*)'\)/gm,
        ),
      ]
        .map(([, from, late]) => (from ?? late)!)
        .filter((name) => !name.startsWith('node:'))
        .map((name) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((name) => !(name in dependencies))
        .map((name) => `${path}: ${name}`),
    );
  expect(missing).toEqual([]);
});

interface Compose {
  services: Record<string, Record<string, unknown>>;
  volumes: Record<string, unknown>;
}

const compose = parse(read('.deploy/compose.yaml'), asText) as Compose;
const listOf = (service: string, key: string) =>
  (compose.services[service]![key] as string[] | undefined) ?? [];

test('the containers mean what they should', () => {
  const { services, volumes } = compose;
  const inProfile = (profile: string | undefined) =>
    Object.keys(services).filter((name) => listOf(name, 'profiles')[0] === profile);
  expect(inProfile(undefined)).toEqual(['database', 'house', 'proxy']);
  expect(services['house-b']).toEqual({ ...services['house'], profiles: ['two'] });
  for (const name of ['house', 'house-b'])
    expect(services[name]).toMatchObject({ read_only: 'true', cap_drop: ['ALL'] });
  for (const mount of Object.keys(services).flatMap((name) => listOf(name, 'volumes'))) {
    const [source = ''] = mount.split(':');
    const isThere = source.startsWith('.')
      ? existsSync(join(root, '.deploy', source))
      : source in volumes;
    expect([mount, isThere]).toEqual([mount, true]);
  }
  const asked = Object.keys(services['house']!['environment'] as object);
  expect(asked.filter((name) => !settings.has(name))).toEqual([]);
});

test('two containers have nothing of their own: the seat map lies in their database, and the proxy knows both', () => {
  const { services } = compose;
  const { environment } = services['house'] as { environment: Record<string, string> };
  const upstream = `house:${environment['PORT']}`;
  expect(services['proxy']!['environment']).toMatchObject({
    BOTTEGHINO_UPSTREAMS: `\${BOTTEGHINO_UPSTREAMS:-${upstream}}`,
  });
  expect(read('.deploy/environment.example')).toContain(
    `#BOTTEGHINO_UPSTREAMS=${upstream} house-b:${environment['PORT']}\n`,
  );
  const [, dataDir] = /DATA_DIR=(\S+)/.exec(read('.deploy/Dockerfile'))!;
  expect(listOf('house', 'volumes')).toContain(`data:${dataDir}`);
  const { chartInDatabase, stripe, seatsio } = readConfig(
    {
      DATABASE_URL: 'postgres://botteghino@database/botteghino',
      STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef',
      STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
    },
    [],
  );
  expect([chartInDatabase, seatsio, stripe === null]).toEqual([true, null, false]);
});

test('alerts name only figures that the house tells', () => {
  const text = read('.deploy/prometheus-alerts.yaml');
  const { groups } = parse(text, asText) as {
    groups: { rules: Record<string, unknown>[] }[];
  };
  expect(groups[0]!.rules.every((rule) => rule['alert'] && rule['expr'])).toBe(true);
  const source =
    read('server/services/office/metrics.ts') + read('server/services/kit/measures.ts');
  const told = new Set([
    ...[...source.matchAll(/name: 'botteghino_(\w+)'/g)].map(([, name]) => name!),
    ...[...source.matchAll(/gauge\(\s*'(\w+)'/g)].map(([, name]) => name!),
  ]);
  const named = new Set(
    [...text.matchAll(/botteghino_(\w+)/g)].map(([, name]) => name!.replace(/_bucket$/, '')),
  );
  expect([...named].filter((name) => !told.has(name))).toEqual([]);
  // The list at the top is the documentation of all of them.
  expect([...told].filter((name) => !named.has(name))).toEqual([]);
});
