/** Every package of the lock file, and what of it may not be. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exceptions, installScripts, licences, readByHand } from './allowed.ts';

export const root = join(import.meta.dirname, '../..');

interface Package {
  name: string;
  version: string;
  /** As its author writes it; null: nothing. */
  licence: string | null;
  /** Only who develops has it. */
  dev: boolean;
  runsScript: boolean;
}

interface Locked {
  version: string;
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}

export function readPackages(): Package[] {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, license, dev = false, hasInstallScript = false }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const licence = license ?? readByHand[name] ?? null;
      return { name, version, licence, dev, runsScript: hasInstallScript };
    });
}

/** In a sentence each; none: all is as agreed. */
export function faultsOf(packages: readonly Package[]): string[] {
  return packages.flatMap(({ name, version, licence, runsScript }) => [
    ...(isAllowed(name, licence)
      ? []
      : [`${name} ${version}: the licence ${licence ?? '(none)'} is not on the list`]),
    ...(runsScript && entryFor(name, installScripts) === undefined
      ? [`${name} ${version} runs a script when it is installed, and is not on the list`]
      : []),
  ]);
}

function isAllowed(name: string, licence: string | null): boolean {
  if (licence === null) return false;
  const other = entryFor(name, exceptions)?.licence;
  const isKnown = (one: string) =>
    licence === other || one === other || (licences as readonly string[]).includes(one);
  // Whoever may choose takes what fits; what is joined must fit as a whole.
  return licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every(isKnown));
}

/** By its own name, or by that of its family. */
function entryFor<T>(name: string, entries: Record<string, T>): T | undefined {
  const family = Object.keys(entries).find(
    (key) => key.endsWith('*') && name.startsWith(key.slice(0, -1)),
  );
  return entries[name] ?? (family === undefined ? undefined : entries[family]);
}
