/** The source files of the repository and what each of them imports, read from their text. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export function listSources(): string[] {
  return ['apps', 'server', 'db', 'tests']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, path),
      ),
    )
    .filter(
      (path) =>
        ['.ts', '.tsx'].includes(extname(path)) &&
        !path.includes('node_modules') &&
        !path.includes('.out'),
    );
}

export interface Import {
  from: string;
  /** A path of the repository, or the name of a package. */
  to: string;
  local: boolean;
  typeOnly: boolean;
  /** The text between `import` and `from`. */
  names: string;
}

const statement =
  /^(?:import|export)\b([^;'"`]*?)from\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

export function importsOf(path: string): Import[] {
  // Comments and templates may mention imports, so only lines that are statements count.
  const source = readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  return [...source.matchAll(statement)].map((match) => {
    const [text, names = '', ...specifiers] = match;
    const specifier = specifiers.find((one) => one !== undefined)!;
    const typeOnly = /^(?:import|export) type\b/.test(text);
    const told = { from: path, local: true, typeOnly, names };
    if (specifier.startsWith('#')) return { ...told, to: specifier.slice(1).replace(/\?.*$/, '') };
    if (specifier.startsWith('.'))
      return { ...told, to: normalize(join(dirname(path), specifier)).replace(/\?.*$/, '') };
    return { ...told, to: specifier, local: false };
  });
}
