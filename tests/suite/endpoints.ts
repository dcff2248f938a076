/** Endpoints by name: the files that serve them and the files that use them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, type Import } from './imports.ts';

/** The contract file of an endpoint constant, and its name there. */
const endpointName = (file: string, name: string) => `${file}#${name}`;

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** What a file's text calls a name of another file: itself, or behind the name of its module. */
function usesOf(imports: readonly Import[], text: string): { to: string; name: string }[] {
  return imports.flatMap(({ names, to }) => {
    const whole = /\*\s+as\s+(\w+)/.exec(names)?.[1];
    if (whole !== undefined)
      return [...text.matchAll(new RegExp(`\\b${whole}\\.(\\w+)`, 'g'))].map(([, name]) => ({
        to,
        name: name!,
      }));
    const inBraces = /\{([^}]*)\}/.exec(names)?.[1] ?? '';
    return inBraces
      .split(',')
      .map((part) => part.replace(/^\s*type\s+/, '').trim())
      .filter(Boolean)
      .flatMap((part) => {
        const [name, local = name] = part.split(/\s+as\s+/);
        return new RegExp(`\\b${local}\\b`).test(text) ? [{ to, name: name! }] : [];
      });
  });
}

/** Endpoints of a file of routes that a function from one of these files serves. */
export function servedFrom(
  imports: readonly Import[],
  routes: string,
  files: ReadonlySet<string>,
): string[] {
  const text = read(routes);
  return text
    .slice(text.indexOf('export function'))
    .split(/\bserve\(/)
    .slice(1)
    .flatMap((block) => {
      const uses = usesOf(imports, block);
      const isServed = files.has(routes) || uses.some(({ to }) => files.has(to));
      const endpoint = uses.find(
        ({ to, name }) =>
          to.startsWith('server/contract/') && new RegExp(`^\\s*(\\w+\\.)?${name}\\b`).test(block),
      );
      return isServed && endpoint ? [endpointName(endpoint.to, endpoint.name)] : [];
    });
}

export function namedEndpoints(imports: readonly Import[], path: string): string[] {
  const text = read(path).replace(/^import[^;]*;/gm, '');
  return usesOf(
    imports.filter(({ to }) => to.startsWith('server/contract/')),
    text,
  ).map(({ to, name }) => endpointName(to, name));
}

export function declaredIn(contract: string): string[] {
  return [...read(contract).matchAll(/^export const (\w+) = endpoint\(/gm)].map(([, name]) =>
    endpointName(contract, name!),
  );
}
