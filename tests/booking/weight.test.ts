/** What a phone fetches before the chart: a figure of the build, not of a clock, so it may fail a test (goal: performance figures G12). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../dist/booking');
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
  string,
  { file: string; imports?: string[]; dynamicImports?: string[] }
>;

/** The first script, what it asks for, and what each visitor of an event loads before the chart. */
function firstFiles(): string[] {
  const names = new Set<string>();
  const gather = (name: string) => {
    if (names.has(name)) return;
    names.add(name);
    for (const next of manifest[name]!.imports ?? []) gather(next);
  };
  const asked = manifest['index.html']!.dynamicImports ?? [];
  const late = ['event/seats/seat-chart.tsx', '../shared/monitoring.ts'];
  for (const name of ['index.html', ...asked, ...late]) gather(name);
  return [...names].map((name) => manifest[name]!.file);
}

test('the script of the event page before its chart weighs at most 105 KiB, gzip, in at most nine files', () => {
  const files = firstFiles();
  const bytes = files.reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length,
    0,
  );
  expect(bytes).toBeGreaterThan(60 * 1024);
  expect(bytes, files.join(' ')).toBeLessThanOrEqual(105 * 1024);
  expect(files.length).toBeLessThanOrEqual(9);
});

test('the style of every public page stands in the page and weighs at most 8 KiB, gzip', () => {
  const style =
    /<style>([\s\S]*?)<\/style>/.exec(readFileSync(join(folder, 'index.html'), 'utf8'))?.[1] ?? '';
  expect(style.length).toBeGreaterThan(10_000);
  expect(gzipSync(style, { level: 9 }).length).toBeLessThanOrEqual(8 * 1024);
});
