/** `npm run test:proof`: heavy proofs in files named `*.proof.ts`. */
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
    // A proof kills processes, and waits until others notice.
    testTimeout: 5 * 60_000,
    hookTimeout: 3 * 60_000,
    expect: { poll: { timeout: 60_000 } },
    // What a proof starts runs beside its worker: more workers would only wait for each other.
    maxWorkers: availableParallelism(),
    // The runner tells each second try; by hand there is none, so that what is rare is seen.
    retry: process.env['CI'] ? 1 : 0,
    globalSetup: ['support/global-setup.ts'],
    setupFiles: process.env['COST_LOG'] ? ['suite/log.ts'] : [],
    sequence: { sequencer: LongestFirst },
    projects: projectsOf('proof'),
  },
});
