/** The architect: who sits in which room, no cycles, one room for each outside thing, no clock and no chance in a rule. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, listSources, root } from '#tests/suite/imports.ts';
import { stairs, stillUp } from '#tests/suite/stairs.ts';

/** What each room may import; a single file may be a room. The longest name that fits a path is its room. */
const rooms: Record<string, readonly string[]> = {
  'apps/booking': [
    'apps/shared',
    'server/contract',
    'server/domain',
    'apps/vite.ts',
    'apps/library-cuts.ts',
  ],
  'apps/admin': [
    'apps/shared',
    'server/contract',
    'server/domain',
    'apps/vite.ts',
    '.deploy/METTERE-IN-SCENA.md',
    'package.json',
  ],
  '.deploy/METTERE-IN-SCENA.md': [],
  'package.json': [],
  'apps/scanner': ['apps/shared', 'server/contract', 'server/domain', 'apps/vite.ts'],
  'apps/verify': ['server/domain', 'apps/vite.ts'],
  'apps/shared': ['server/contract', 'server/domain'],
  'apps/chart': [
    'server/domain',
    'server/drawing',
    'server/standins/seatsio/wire.ts',
    'apps/vite.ts',
  ],
  'apps/vite.ts': [],
  'apps/library-cuts.ts': [],
  'apps/build.ts': ['apps/vite.ts'],
  'server/routes': ['server/http', 'server/services', 'server/contract', 'server/domain'],
  'server/http': ['server/services', 'server/contract', 'server/domain', 'server/networks.ts'],
  'server/jobs': ['server/services', 'server/domain', 'db'],
  /** Of the contract its types only: see the test below. */
  'server/services': ['server/adapters', 'server/contract', 'server/domain', 'db'],
  'server/adapters': ['server/domain', 'server/networks.ts'],
  'server/networks.ts': [],
  'server/contract': ['server/domain'],
  'server/domain': [],
  'server/standins': ['server/standins/kit', 'server/drawing', 'server/standins/seatsio/wire.ts'],
  'server/standins/kit': [],
  'server/drawing': [],
  'server/standins/seatsio/wire.ts': [],
  'server/cli': [
    'server',
    'server/services',
    'server/contract',
    'server/domain',
    'server/adapters',
    'db',
  ],
  'server/config': ['server/http', 'server/adapters', 'server/domain', 'server/networks.ts'],
  server: [
    'server/config',
    'server/routes',
    'server/http',
    'server/jobs',
    'server/services',
    'server/adapters',
    'server/contract',
    'server/domain',
    'server/networks.ts',
    'server/standins',
    'server/cli',
    'db',
  ],
  db: ['server/domain'],
  tests: ['*'],
};

/** Packages that live in one room (or two), because they are an outside thing. */
const homes: Record<string, readonly string[]> = {
  stripe: ['server/adapters'],
  seatsio: ['server/adapters'],
  nodemailer: ['server/adapters'],
  pdfkit: ['server/adapters'],
  'bidi-js': ['server/adapters'],
  '@simplewebauthn/server': ['server/adapters'],
  '@simplewebauthn/browser': ['apps/admin'],
  otpauth: ['server/adapters', 'tests'],
  'passkit-generator': ['server/adapters'],
  'ical-generator': ['server/adapters'],
  sharp: ['server/adapters'],
  'reflect-metadata': ['server/adapters'],
  '@peculiar/x509': ['server/adapters'],
  '@peculiar/asn1-x509': ['server/adapters'],
  '@peculiar/asn1-schema': ['server/adapters'],
  'sanitize-html': ['server/adapters'],
  'tar-stream': ['server/adapters'],
  'age-encryption': ['server/adapters'],
  'csv-parse': ['server/domain'],
  'pg-query-stream': ['db'],
  knex: ['db'],
  pg: ['db', 'server/standins/kit'],
  'better-sqlite3': ['db', 'server/adapters', 'server/standins/kit'],
  dexie: ['apps/scanner'],
  'html5-qrcode': ['apps/scanner'],
  'zxing-wasm': ['apps/scanner'],
  '@seatsio/seatsio-react': ['apps/booking', 'apps/admin'],
  koa: ['server/http', 'server/routes', 'server'],
  react: ['apps/booking', 'apps/admin', 'apps/scanner', 'apps/shared', 'apps/chart'],
  vite: ['apps/vite.ts', 'apps/library-cuts.ts', 'apps/build.ts', 'server/http', 'apps/scanner'],
};

const files = listSources();

function roomOf(path: string): string {
  // A new folder under server/ is no room until it is named here.
  const isIn = (room: string) =>
    path === room ||
    (path.startsWith(`${room}/`) && (room !== 'server' || !path.slice(7).includes('/')));
  return (
    Object.keys(rooms)
      .filter(isIn)
      .toSorted((a, b) => b.length - a.length)[0] ?? '?'
  );
}

const imports = files.flatMap(importsOf);

test('every import goes to a room that its room may enter', () => {
  const wrong = imports.filter(({ from, to, local }) => {
    if (!local) return false;
    const [here, there] = [roomOf(from), roomOf(to)];
    return here !== there && here !== 'tests' && !(rooms[here] ?? []).includes(there);
  });
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  expect(files.filter((path) => roomOf(path) === '?')).toEqual([]);
});

/** The first folder below the floor; a file beside the folders goes by its name. */
function stepOf(floor: string, path: string): string {
  const [first = ''] = path.slice(floor.length + 1).split('/');
  return first.replace(/\.\w+$/, '');
}

/** Configurations of the builder belong to no room. */
const isBuilt = (path: string) => !path.endsWith('vite.config.ts');

test('inside a floor the rooms stand in one order, and a room imports only rooms before it', () => {
  const upward = Object.entries(stairs).flatMap(([floor, rooms]) => {
    const isHere = (path: string) => path.startsWith(`${floor}/`) && isBuilt(path);
    const found = new Set(files.filter(isHere).map((path) => stepOf(floor, path)));
    expect([...found].toSorted(), floor).toEqual(rooms.toSorted());
    const stepsUp = ({ from, to }: { from: string; to: string }) =>
      rooms.indexOf(stepOf(floor, to)) > rooms.indexOf(stepOf(floor, from));
    return imports.filter((one) => isHere(one.from) && isHere(one.to) && stepsUp(one));
  });
  const found = new Set(upward.map(({ from, to }) => `${from} -> ${to}`));
  expect([...found].toSorted()).toEqual(stillUp.toSorted());
});

test('services take only types from the contract: schemas run at the wall', () => {
  const wrong = imports.filter(
    ({ from, to, typeOnly }) =>
      roomOf(from) === 'server/services' && roomOf(to) === 'server/contract' && !typeOnly,
  );
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test('inside a room by ./, across a wall by #, never by ../', () => {
  const upward = files.flatMap((path) =>
    /from '\.\.\//.test(readFileSync(join(root, path), 'utf8')) ? [path] : [],
  );
  expect(upward).toEqual([]);
});

test('there are no cycles, type imports counted', () => {
  const graph = Map.groupBy(
    imports.filter(({ local }) => local),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: string[]): void => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      return;
    }
    if (done.has(path)) return;
    for (const { to } of graph.get(path) ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const path of files) visit(path, []);
  expect(cycles).toEqual([]);
});

test('each outside thing has its one room', () => {
  const stray = imports.filter(({ from, to, local }) => {
    const home = local
      ? undefined
      : Object.entries(homes).find(([name]) => to === name || to.startsWith(`${name}/`))?.[1];
    return home !== undefined && roomOf(from) !== 'tests' && !home.includes(roomOf(from));
  });
  expect(stray.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  const environment = files.filter(
    (path) =>
      !path.startsWith('tests/') &&
      path !== 'server/config.ts' &&
      /process\.env(?!\.NODE_ENV = )/.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(environment).toEqual([]);
});

const happened = 'server/services/kit/happened.ts';
/** Who may call the parts of the funnel that is told what happened: all others call the funnel. */
const funnelCallers: Record<string, readonly string[]> = {
  addAudit: [happened],
  tellHappening: [happened],
  nextAtDoor: [happened],
  insertMail: ['server/services/kit/mail-queue.ts'],
  insertMails: ['server/services/kit/mail-queue.ts'],
  storeNewMails: [happened],
  // These letters are what was asked for, and nothing in the registry: they belong to no act.
  storeMail: [
    'server/services/event/reminders.ts',
    happened,
    'server/services/mail/messages.ts',
    'server/services/office/alerts.ts',
    'server/services/queue/pace.ts',
    'server/services/site/find-orders.ts',
    'server/services/user/passwords.ts',
  ],
  // A row of money marks the figures wherever it is written: a fee that Stripe tells later is no act.
  noteFigureChange: ['db/payment/payments.ts', 'db/payment/refunds.ts'],
};

test('what happened is said to one funnel, which tells all others', () => {
  const product = files.filter((path) => !path.startsWith('tests/'));
  for (const [name, callers] of Object.entries(funnelCallers)) {
    const named = new RegExp(`^import [^;]*\\b${name}\\b[^;]* from`, 'm');
    const found = product.filter((path) => named.test(readFileSync(join(root, path), 'utf8')));
    expect(found, name).toEqual(callers);
  }
});

test('rules and shapes have no clock and no chance', () => {
  const impure = files.filter(
    (path) =>
      /^server\/(domain|contract|drawing)\//.test(path) &&
      /Date\.now|new Date\(\)|Math\.random|crypto|node:/.test(
        readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
      ),
  );
  expect(impure).toEqual([]);
});

test('every file says in its first line what it is for', () => {
  const silent = files.filter(
    (path) =>
      !readFileSync(join(root, path), 'utf8')
        .replace(/^#!.*\n/, '')
        .startsWith('/**'),
  );
  expect(silent).toEqual([]);
});

/** Younger than Safari 16.4, for which the apps are built (Vite's baseline); the builder translates the language, not what the platform has. */
const tooYoung =
  /Map\.groupBy|Object\.groupBy|AbortSignal\.any|Promise\.withResolvers|Promise\.try|Array\.fromAsync|URL\.(parse|canParse)|\.isWellFormed\(|Iterator\.|RegExp\.escape/;

test('what runs on phones uses nothing that older ones lack; the office has a desktop', () => {
  const inBrowsers = files.filter(
    (path) =>
      /^(apps|server\/(domain|contract|drawing))\//.test(path) &&
      !/^apps\/(build|vite|admin)|vite\.config/.test(path),
  );
  const young = inBrowsers.filter((path) =>
    tooYoung.test(readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
  );
  expect(young).toEqual([]);
});

test('every citation of a rule names a heading of server/domain/RULES.md, and nothing is cited that lies elsewhere', () => {
  const rules = readFileSync(join(root, 'server/domain/RULES.md'), 'utf8');
  const known = new Set([...rules.matchAll(/^### ([A-Z]\d+) /gm)].map(([, number]) => number!));
  const self = 'tests/architecture.test.ts';
  const wrong = files
    .filter((path) => path !== self)
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const cited = [...text.matchAll(/RULES ((?:[A-Z]\d+(?:, | and )?)+)/g)]
        .flatMap(([, list]) => list!.match(/[A-Z]\d+/g)!)
        .filter((number) => !known.has(number));
      const elsewhere =
        text.match(
          /(?:specification|decisions|house) §|facts on (?:Stripe|reliab)|facts on lists/gi,
        ) ?? [];
      return [...cited, ...elsewhere].map((citation) => `${path}: ${citation}`);
    });
  expect(wrong).toEqual([]);
  expect(known.size).toBeGreaterThan(40);
});

test('the README of a floor names each of its rooms', () => {
  const unnamed: string[] = [];
  for (const [readme, floors] of [
    ['server/README.md', ['server', 'server/services', 'server/domain']],
    ['apps/README.md', ['apps', 'apps/admin', 'apps/booking', 'apps/scanner', 'apps/chart']],
    ['db/README.md', ['db']],
    ['tests/README.md', ['tests']],
  ] as const) {
    const words = new Set(readFileSync(join(root, readme), 'utf8').match(/[\w-]+/g));
    for (const floor of floors)
      for (const room of readdirSync(join(root, floor), { withFileTypes: true }))
        if (
          room.isDirectory() &&
          !/^node_modules$|^public$|^\./.test(room.name) &&
          !words.has(room.name)
        )
          unnamed.push(`${readme}: ${floor}/${room.name}`);
  }
  expect(unnamed).toEqual([]);
});

/** Each app and each stand-in is a floor of its own. */
function floorOf(path: string): string {
  const folders = dirname(path).split('/');
  const [top, below] = folders;
  if (top === 'db') return below === 'migrations' ? 'db/migrations' : 'db';
  return folders.slice(0, below === 'standins' ? 3 : 2).join('/');
}

test('two files of one floor export no function of the same name', () => {
  const made =
    /^export (?:async )?function\*? (\w+)|^export const (\w+) = (?:async )?(?:\([^=]*\)|\w+)(?:: [^=]+)? =>/gm;
  const homes = new Map<string, Set<string>>();
  for (const path of files.filter((path) => !path.startsWith('tests/')))
    for (const [, declared, arrow] of readFileSync(join(root, path), 'utf8').matchAll(made)) {
      const name = `${floorOf(path)} ${declared ?? arrow}`;
      homes.set(name, (homes.get(name) ?? new Set()).add(path));
    }
  const twice = [...homes].filter(([, paths]) => paths.size > 1).map(([name]) => name);
  // Each migration goes up and down.
  expect(twice.filter((name) => !/^db\/migrations (?:up|down)$/.test(name))).toEqual([]);
});
