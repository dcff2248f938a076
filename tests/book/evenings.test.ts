/** Thirty random evenings of the simulation, each with its book. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('of thirty evenings with faults at every step both verifiers and our own tables say the same', () => {
  const program = join(import.meta.dirname, 'evenings.ts');
  const said = execFileSync(process.execPath, [program, '--evenings', '30'], { encoding: 'utf8' });
  expect(said).toContain('30 evenings');
});
