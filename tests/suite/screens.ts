/** The screens of an app, read from its `routes.tsx`: the address and the file of each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, root } from './imports.ts';

export interface Screen {
  /** The file that draws it. */
  file: string;
  /** The address as a test opens it, without the app's prefix. */
  address: RegExp;
}

/** Attributes hold elements in braces, which may contain braces again. */
const tag = /<Route\b((?:[^<>{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*?)(\/?)>|<\/Route>/g;

/** The address of each route and the names of the components that it draws. */
function readRoutes(source: string): { path: string; components: string[] }[] {
  const routes: { path: string; components: string[] }[] = [];
  const above: string[] = [];
  for (const [text, attributes = '', closed] of source.matchAll(tag)) {
    if (text === '</Route>') {
      above.pop();
      continue;
    }
    const own = /\bpath="([^"]*)"/.exec(attributes)?.[1] ?? '';
    const path = own.startsWith('/') ? own : join(above.at(-1) ?? '/', own);
    const components = [...attributes.matchAll(/<(\w+)/g)].map(([, name]) => name!);
    routes.push({ path, components });
    if (closed === '') above.push(path);
  }
  return routes;
}

function toAddress(path: string): RegExp {
  const pattern = path
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll('*', '.*')))
    .join('/');
  return new RegExp(`^${pattern}/?$`);
}

/** A component is imported, or loaded lazily under its name as a string. */
function fileOfComponents(routesFile: string, source: string): Map<string, string> {
  const files = new Map<string, string>();
  const lazy = /late\(\s*'(\w+)',\s*\(\) => import\('([^']+)'\)/g;
  const imported = importsOf(routesFile).filter(({ local }) => local);
  const targets = imported.map(({ to }) => to);
  for (const [, name, specifier] of source.matchAll(lazy)) {
    const end = specifier!.replace(/^\.\/|^#/, '');
    files.set(name!, targets.find((path) => path.endsWith(end)) ?? end);
  }
  for (const { names, to } of imported)
    for (const [name] of names.matchAll(/\w+/g)) files.set(name, to);
  return files;
}

/** The addresses of an app, as its routes write them. */
export function listAddresses(app: string): string[] {
  const source = readFileSync(join(root, `apps/${app}/routes.tsx`), 'utf8');
  const drawn = readRoutes(source).filter(({ path }) => path !== '/');
  return ['/', ...new Set(drawn.map(({ path }) => path))];
}

export function listScreens(app: string): Screen[] {
  const routesFile = `apps/${app}/routes.tsx`;
  const source = readFileSync(join(root, routesFile), 'utf8');
  const files = fileOfComponents(routesFile, source);
  return readRoutes(source).flatMap(({ path, components }) =>
    components.flatMap((name) => {
      const file = files.get(name);
      return file === undefined ? [] : [{ file, address: toAddress(path) }];
    }),
  );
}

/** Behind these a test names the address that it opens; elsewhere it names where a link leads. */
const opened =
  /(?:\b(?:open|goTo|goto|visit)\((?:\w+, )?|\bpath: |^const \w+ = )['"`]([^'"`\s]*)/gm;

/** Where some tests wait until they begin. */
const anteroom = '/account';

/** The back-office address that a test file is about: the first one that it opens. */
export function addressOf(source: string): string | undefined {
  return [...source.matchAll(opened)]
    .map(([, address]) =>
      address!
        .replace(/^\$\{[^}]*url\}/, '')
        .replace(/\$\{[^}]*\}/g, 'x')
        .replace(/^\/admin(?=\/|$)/, '')
        .replace(/[?#].*$/, ''),
    )
    .find((address) => address.startsWith('/') && address.length > 1 && address !== anteroom);
}
