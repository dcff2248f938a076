/**
 * `npm run asvs`: for each proven row of asvs.tsv its break is made in a copy of the sources, its
 * test must turn red there, and the break is taken back. `-- 1.2.1 6.` does the rows whose number
 * begins so, `--sample 3 --seed 7` three of them. What was red before and has not changed is left
 * out, unless `--anew`.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeChance } from '#tests/fuzz/chance.ts';
import { breakOne, isOf, makeCopy, runTests } from './copy.ts';
import { readRows, root, type Proven } from './rows.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    anew: { type: 'boolean', default: false },
    sample: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

const cache = join(root, 'node_modules/.cache/asvs.json');
const redBefore = new Set(readCache());

function readCache(): string[] {
  try {
    return JSON.parse(readFileSync(cache, 'utf8')) as string[];
  } catch {
    return [];
  }
}

function keepRed(row: Proven): void {
  redBefore.add(keyOf(row));
  mkdirSync(dirname(cache), { recursive: true });
  writeFileSync(cache, JSON.stringify([...redBefore]));
}

/** The row with the two files that it is about. */
function keyOf(row: Proven): string {
  const texts = [`tests/${row.file}`, row.place].map((file) => readFileSync(join(root, file)));
  return hash('sha256', Buffer.concat([Buffer.from(JSON.stringify(row)), ...texts]));
}

/** A test that starts the product or a browser sees of the apps what was built. */
function isBuilt({ place, file }: Proven): boolean {
  const text = readFileSync(join(root, 'tests', file), 'utf8');
  return place.startsWith('apps/') && /playwright|support\/(?:both|product|server)/.test(text);
}

/** A sample leaves out what needs a build of the apps. */
function chooseRows(): Proven[] {
  const all = readRows().filter((row): row is Proven => row.kind === 'proven');
  const asked = all.filter(
    ({ number }) =>
      positionals.length === 0 || positionals.some((start) => number.startsWith(start)),
  );
  if (flags.sample === undefined)
    return asked.toSorted((one, two) => Number(isBuilt(one)) - Number(isBuilt(two)));
  console.log(`seed ${flags.seed}`);
  const chance = makeChance(Number(flags.seed));
  const left = asked.filter((row) => !isBuilt(row) && row.file.endsWith('.test.ts'));
  return Array.from({ length: Number(flags.sample) }, () =>
    left.splice(chance.below(left.length), 1),
  ).flat();
}

const rows = chooseRows();
const open = flags.anew ? rows : rows.filter((row) => !redBefore.has(keyOf(row)));
console.log(`${rows.length} rows, ${rows.length - open.length} red before and unchanged`);
let faults = 0;
if (open.length > 0) breakAll(makeCopy());
console.log(`${rows.length - faults} rows red as they must be, ${faults} not`);
process.exitCode = faults === 0 ? 0 : 1;

function breakAll(copy: string): void {
  const whole = runTests(copy, open, { built: true });
  for (const row of open) {
    const began = performance.now();
    const fault = whole.some((result) => isOf(row, result) && result.passed)
      ? breakOne(copy, row, { built: !isBuilt(row) })
      : { red: false, why: 'its test is not green without the break' };
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (fault.red) keepRed(row);
    else faults += 1;
    console.log(
      `${row.number} ${fault.red ? 'red' : 'NOT RED'} (${seconds} s) ${row.file}: ${fault.why}`,
    );
  }
}
