/** Unit and API tests in Node; PostgreSQL is started once for the whole run. */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './support/file-order.ts';
import { prepareSurroundings } from './support/surroundings.ts';

prepareSurroundings();

const root = import.meta.dirname;
/** What runs of the apps in Node keeps what it knows in the module, as a page does: every file begins with fresh ones. A browser has fresh ones anyhow. */
const pages = globSync(
  ['{booking,scanner,shared}/*.test.ts', 'chart/{choice-rules,words}.test.ts'],
  { cwd: root },
).filter((path) => !isOfBrowser(readFileSync(join(root, path), 'utf8')));

function isOfBrowser(text: string): boolean {
  return text.includes('/browsers/') && !text.includes('/node-phone.ts');
}

const tests = '**/*.test.ts';
const not = ['bench/**', '.out/**'];

export default defineConfig({
  test: {
    root,
    environment: 'node',
    // A busy machine is not a fault; what hangs is told all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // One more than there are processors: a test that waits for a browser or a clock leaves its own to another.
    maxWorkers: availableParallelism() + 1,
    // A test that needs a second try is a defect; CI says which one did, and goes on.
    retry: process.env['CI'] ? 1 : 0,
    globalSetup: ['support/global-setup.ts'],
    setupFiles: process.env['COST_LOG'] ? ['cost/log.ts'] : [],
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'pages', include: pages, exclude: not } },
      {
        // The server keeps nothing in a module that belongs to one product: a worker loads it once for all its files.
        test: {
          name: 'house',
          include: [tests],
          exclude: [...not, ...pages],
          isolate: false,
          env: { WORKER_STAYS: 'yes' },
        },
      },
    ],
  },
});
