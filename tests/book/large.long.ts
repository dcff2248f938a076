/** A book of fifty thousand tickets in each engine, and a thousand random evenings: what takes too long for every change. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inventFacts, makeSigner, writeLines } from './make-book.ts';
import { bookFolder, engines } from './open-page.ts';

const name = 'bordero-grande.json.gz';
const mostMs = 3_000;

for (const [engine, launch] of Object.entries(engines))
  test(`fifty thousand tickets open and are checked in three seconds (${engine})`, async () => {
    const lines = writeLines(inventFacts(50_000), makeSigner(), [60_000, 120_000]);
    await using folder = await bookFolder({ [name]: lines });
    await using opened = await launch();
    const { said, ms } = await opened.open(folder.at(name));
    console.log(`${opened.name}: ${lines.length} lines in ${Math.round(ms)} ms`);
    expect(said).toBe('Il libro è integro');
    expect(ms).toBeLessThan(mostMs);
  });

test('a thousand evenings: both verifiers and our own tables say the same', () => {
  const program = join(import.meta.dirname, 'evenings.ts');
  const said = execFileSync(process.execPath, [program, '--evenings', '1000'], {
    encoding: 'utf8',
  });
  expect(said).toContain('1000 evenings');
});
