/** Unit and API tests in Node; PostgreSQL is started once for the whole run. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    exclude: ['bench/**', '.out/**'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Real browsers on a busy shared machine: CI tries a failed test once more and says so in its line; at home it fails at once.
    retry: process.env['CI'] ? 1 : 0,
    globalSetup: ['support/global-setup.ts'],
  },
});
