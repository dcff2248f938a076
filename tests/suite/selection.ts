/**
 * Which test files a change asks for, by room: those of the changed rooms, those that ask endpoints
 * of what the change touches in its room or in a room that imports it directly, those of the screens
 * that call these, and the first story.
 * Imports are followed one step only, because every server test imports the whole server.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredIn, namedEndpoints, servedFrom } from './endpoints.ts';
import { importsOf, listSources, root, type Import } from './imports.ts';
import { addressOf, listScreens, type Screen } from './screens.ts';

/** Quick tests about the whole repository. */
const always = ['tests/architecture.test.ts', 'tests/contract.test.ts', 'tests/e2e/story.test.ts'];

/** Tests of code without endpoint or screen, by the beginning of its path. */
const folders: [path: RegExp, tests: string][] = [
  [/^server\/services\/([\w-]+)\//, 'tests/server/$1/'],
  [/^server\/(?:http|config|jobs)\/|^server\/[\w-]+\.ts$/, 'tests/server/running/'],
  [/^server\/cli\//, 'tests/server/cli/'],
  [/^server\/domain\/(?:[\w-]+\/)*([\w-]+)\.ts$/, 'tests/domain/$1'],
  [/^server\/adapters\//, 'tests/adapters/'],
  [/^server\/drawing\//, 'tests/drawing/'],
  [/^server\/standins\/(\w+)/, 'tests/standins/$1'],
  [/^db\/migrations\//, 'tests/migrations'],
  [/^apps\/chart\/designer\//, 'tests/designer/'],
  [/^apps\/(chart|verify|scanner|booking|shared)\//, 'tests/$1/'],
  [/^apps\/booking\//, 'tests/e2e/'],
  [/^\.deploy\//, 'tests/deploy/'],
  [/^(tests\/.*\.test\.ts)$/, '$1'],
];

/** Each folder of services or of an app is one room; elsewhere each file is a room. */
function roomOf(path: string): string {
  return /^(?:server\/services|apps\/\w+)\/[\w-]+(?=\/)/.exec(path)?.[0] ?? path;
}

export interface Selection {
  rooms: string[];
  tests: string[];
  leftOut: string[];
}

interface Sources {
  all: string[];
  imports: Map<string, Import[]>;
}

function readSources(): Sources {
  const all = listSources();
  const local = all.map((path) => [path, importsOf(path).filter((one) => one.local)] as const);
  return { all, imports: new Map(local) };
}

const isTest = (path: string) => path.startsWith('tests/');

/**
 * Files of the product that import one of these; imports of types are ignored, because the
 * compiler checks them.
 */
function importersOf({ all, imports }: Sources, files: ReadonlySet<string>): Set<string> {
  const takes = (path: string) =>
    imports.get(path)!.some(({ to, typeOnly }) => !typeOnly && files.has(to));
  return new Set(all.filter((path) => !isTest(path) && !files.has(path) && takes(path)));
}

/** These files and the files of their rooms that use them. */
function touchedBy({ all, imports }: Sources, files: readonly string[]): Set<string> {
  const touched = new Set(files);
  const rooms = new Set(files.map(roomOf));
  const here = all.filter((path) => rooms.has(roomOf(path)));
  const isNew = (path: string) =>
    !touched.has(path) && imports.get(path)!.some(({ to }) => touched.has(to));
  for (let more = here.filter(isNew); more.length > 0; more = here.filter(isNew))
    for (const path of more) touched.add(path);
  return touched;
}

/** All endpoints that a function of these files serves. */
function endpointsOf({ all, imports }: Sources, files: ReadonlySet<string>): Set<string> {
  const found = all
    .filter((path) => path.startsWith('server/routes/'))
    .flatMap((path) => servedFrom(imports.get(path)!, path, files));
  const declared = [...files].filter((path) => path.startsWith('server/contract/'));
  return new Set([...found, ...declared.flatMap(declaredIn)]);
}

/** Whether a file uses one of the files, directly or through its own room. */
function reaches({ imports }: Sources, from: string, files: ReadonlySet<string>): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (files.has(path)) return true;
    seen.add(path);
    const own = imports.get(path) ?? [];
    open.push(
      ...own.map(({ to }) => to).filter((to) => !seen.has(to) && roomOf(to) === roomOf(from)),
    );
  }
  return false;
}

/** Test files of the office that are about one of the screens. */
function openersOf({ all }: Sources, screens: readonly Screen[]): Set<string> {
  const isMeant = (path: string) => {
    const address = addressOf(readFileSync(join(root, path), 'utf8'));
    return address !== undefined && screens.some((screen) => screen.address.test(address));
  };
  return new Set(all.filter((path) => path.startsWith('tests/admin/') && isMeant(path)));
}

/** The screens of the office that call one of the endpoints or draw with one of the files. */
function screensOf(sources: Sources, files: ReadonlySet<string>, endpoints: ReadonlySet<string>) {
  const uses = (path: string) => files.has(path) || names(sources, path, endpoints);
  const inApps = sources.all.filter((path) => path.startsWith('apps/') && uses(path));
  // The frame is on every screen, so a change to it does not select all screens.
  const screens = listScreens('admin').filter(({ file }) => !file.includes('/shell/'));
  return screens.filter(({ file }) => reaches(sources, file, new Set(inApps)));
}

function names({ imports }: Sources, path: string, endpoints: ReadonlySet<string>): boolean {
  return namedEndpoints(imports.get(path)!, path).some((name) => endpoints.has(name));
}

/** The path prefixes of the tests that belong to a file of the product. */
function mirrorsOf(path: string): string[] {
  return folders.flatMap(([pattern, tests]) => {
    const match = pattern.exec(path);
    return match ? [tests.replace('$1', match[1] ?? '')] : [];
  });
}

const isIn = (path: string, beginnings: readonly string[]) =>
  beginnings.some((beginning) => path.startsWith(beginning));

/**
 * Whether a test is about what an importing file does with the change: it stands in the folder of
 * its room, and asks one of the endpoints of this file, if it serves any.
 */
function nextTests(sources: Sources, importers: ReadonlySet<string>): (path: string) => boolean {
  const next = [...importers].map((file) => ({
    mirrors: mirrorsOf(file),
    endpoints: endpointsOf(sources, new Set([file])),
    isService: file.startsWith('server/services/'),
  }));
  return (path) =>
    next.some(
      ({ mirrors, endpoints, isService }) =>
        isIn(path, mirrors) && (endpoints.size > 0 ? names(sources, path, endpoints) : isService),
    );
}

export function selectTests(changed: readonly string[]): Selection {
  const sources = readSources();
  const rooms = new Set(changed.map(roomOf));
  const own = touchedBy(sources, changed);
  const importers = importersOf(sources, own);
  const ownEndpoints = endpointsOf(sources, own);
  const ownMirrors = changed.flatMap(mirrorsOf);
  const isNext = nextTests(sources, importers);
  const openers = openersOf(sources, screensOf(sources, own, ownEndpoints));
  const isMeant = (path: string) =>
    always.includes(path) ||
    isIn(path, ownMirrors) ||
    openers.has(path) ||
    sources.imports.get(path)!.some(({ to }) => own.has(to)) ||
    (path.startsWith('tests/server/') && names(sources, path, ownEndpoints)) ||
    isNext(path);
  const tests = sources.all.filter((path) => path.endsWith('.test.ts'));
  return {
    rooms: [...rooms].toSorted(),
    tests: tests.filter(isMeant),
    leftOut: tests.filter((path) => !isMeant(path)),
  };
}
