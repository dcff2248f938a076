/** `npm test`: every file named `*.test.ts`; PostgreSQL is started once for the whole run. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './support/file-order.ts';
import { projectsOf } from './support/projects.ts';
import { prepareSurroundings } from './support/surroundings.ts';

prepareSurroundings();

export default defineConfig({
  test: {
    root: import.meta.dirname,
    environment: 'node',
    // A busy machine is not a fault; what hangs is told all the same.
    testTimeout: 3 * 60_000,
    hookTimeout: 3 * 60_000,
    expect: { poll: { timeout: 60_000 } },
    // One more than there are processors: who waits for a browser leaves its own to another.
    maxWorkers: availableParallelism() + 1,
    // A test that needs another try is a defect; CI says which one did and why, and goes on.
    retry: process.env['CI'] ? 2 : 0,
    globalSetup: ['support/global-setup.ts'],
    setupFiles: process.env['COST_LOG'] ? ['suite/log.ts'] : [],
    sequence: { sequencer: LongestFirst },
    projects: projectsOf('test'),
  },
});
