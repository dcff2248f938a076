/** The time that each folder of tests took in a run, beside the stored time of an earlier run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const tests = join(import.meta.dirname, '..');
const kept = join(tests, 'seconds.json');

/** Seconds by folder of `tests`; those of all its files added up, however many ran at once. */
type Seconds = Record<string, number>;
export type Tier = 'test' | 'proof';

export interface TimedFile {
  name: string;
  startTime: number;
  endTime: number;
}

function folderOf(path: string): string {
  const parts = relative(tests, path).split('/');
  return parts.length === 1 ? '.' : parts.slice(0, parts[0] === 'server' ? 2 : 1).join('/');
}

export function addUp(files: readonly TimedFile[]): Seconds {
  const seconds: Seconds = {};
  for (const { name, startTime, endTime } of files) {
    const folder = folderOf(name);
    seconds[folder] = (seconds[folder] ?? 0) + Math.max(0, endTime - startTime) / 1000;
  }
  const rounded = Object.entries(seconds).map(
    ([folder, sum]) => [folder, Math.round(sum)] as const,
  );
  return Object.fromEntries(rounded.toSorted(([, a], [, b]) => b - a));
}

function readKept(): Partial<Record<Tier, Seconds>> {
  try {
    return JSON.parse(readFileSync(kept, 'utf8')) as Partial<Record<Tier, Seconds>>;
  } catch {
    return {};
  }
}

/** One line with the slowest folders first, and in brackets the stored time of each. */
export function describe(tier: Tier, now: Seconds): string {
  const before = readKept()[tier] ?? {};
  const parts = Object.entries(now).map(
    ([folder, sum]) => `${folder} ${sum} (${before[folder] ?? 0})`,
  );
  const all = Object.values(now).reduce((sum, one) => sum + one, 0);
  const allBefore = Object.values(before).reduce((sum, one) => sum + one, 0);
  return `seconds by folder, and as kept in tests/seconds.json: ${parts.join(', ')}; all ${all} (${allBefore})`;
}

export function keep(tier: Tier, now: Seconds): void {
  writeFileSync(kept, `${JSON.stringify({ ...readKept(), [tier]: now }, null, 2)}\n`);
}
