/** `npm run test:long`: what takes too long for every change, in files named `*.long.ts`; `npm test` prints their names. */
import { defineConfig } from 'vitest/config';
import { prepareSurroundings } from './support/surroundings.ts';

prepareSurroundings();

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.long.ts'],
    testTimeout: 60 * 60_000,
    maxWorkers: 2,
    retry: 0,
    globalSetup: ['support/global-setup.ts'],
  },
});
