/** Unit and API tests in Node; PostgreSQL is started once for the whole run. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './support/file-order.ts';
import { prepareSurroundings } from './support/surroundings.ts';

prepareSurroundings();

/** Their programs keep what they know in the module, as a page does: every file begins with fresh ones. */
const pages = [
  'booking/*.test.ts',
  'chart/choice-rules.test.ts',
  'chart/words.test.ts',
  'scanner/*.test.ts',
  'shared/*.test.ts',
];
const tests = '**/*.test.ts';
const not = ['bench/**', '.out/**'];

export default defineConfig({
  test: {
    root: import.meta.dirname,
    environment: 'node',
    // A busy machine is not a fault; what hangs is told all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One more than there are processors: a test that waits for a browser or a clock leaves its own to another.
    maxWorkers: availableParallelism() + 1,
    // At home a test is tried once. On CI's busy shared machine a failed one is tried again and says so in its line, until whole runs there have shown that none needs it.
    retry: process.env['CI'] ? 1 : 0,
    globalSetup: ['support/global-setup.ts'],
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
