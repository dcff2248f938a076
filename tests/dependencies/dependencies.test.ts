/** Nothing comes in with a dependency that nobody agreed to. */
import { expect, test } from 'vitest';
import { faultsOf, readPackages } from './packages.ts';
import { makeSbom } from './sbom.ts';

test('every package of the lock file has a licence that is on the list, and runs a script at its installation only if it is named', () => {
  const packages = readPackages();
  expect(packages.length).toBeGreaterThan(300);
  expect(faultsOf(packages)).toEqual([]);
});

test('a licence or an install script that nobody agreed to is told by its package’s name', () => {
  const plain = { version: '1.0.0', licence: 'MIT', dev: false, runsScript: false };
  const told = (changed: object) => faultsOf([{ ...plain, name: 'thing', ...changed }]).length;
  expect(told({})).toBe(0);
  expect(told({ licence: 'GPL-3.0-only' })).toBe(1);
  expect(told({ licence: 'MIT AND GPL-3.0-only' })).toBe(1);
  expect(told({ licence: '(MIT OR GPL-3.0-only)' })).toBe(0);
  expect(told({ licence: null })).toBe(1);
  expect(told({ runsScript: true })).toBe(1);
  // Another package under an exception that was made for one.
  expect(told({ licence: 'LGPL-3.0-or-later' })).toBe(1);
});

test('the bill of materials names every package with its version and the hash of its file', () => {
  const { bomFormat, specVersion, metadata, components } = makeSbom();
  expect([bomFormat, specVersion, metadata.component.name]).toEqual([
    'CycloneDX',
    '1.6',
    'botteghino',
  ]);
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const missing = readPackages().filter(({ name, version }) => !listed.has(`${name}@${version}`));
  expect(missing).toEqual([]);
  expect(components.filter(({ purl, hashes }) => !purl || !hashes?.length)).toEqual([]);
}, 60_000);
