/** In a test worker: notes which file it is busy with, for `npm run cost`. */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

const path = process.env['COST_LOG'];
const root = process.cwd();

function note(what: 'begin' | 'end'): void {
  const file = relative(root, expect.getState().testPath ?? '');
  const row = { what, file, at: Date.now(), pid: process.pid, pool: process.env['VITEST_POOL_ID'] };
  appendFileSync(path!, `${JSON.stringify(row)}\n`);
}

if (path !== undefined) {
  note('begin');
  beforeAll(() => {});
  afterAll(() => note('end'));
}
