/** `npm run test:proof`: heavy proofs in files named `*.proof.ts`, each tried once. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { prepareSurroundings } from './support/surroundings.ts';

prepareSurroundings();

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.proof.ts'],
    exclude: ['.out/**'],
    // A proof kills processes and waits for others to notice.
    testTimeout: 5 * 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: availableParallelism(),
    retry: 0,
    isolate: false,
    env: { WORKER_STAYS: 'yes' },
    globalSetup: ['support/global-setup.ts'],
    setupFiles: process.env['COST_LOG'] ? ['cost/log.ts'] : [],
  },
});
