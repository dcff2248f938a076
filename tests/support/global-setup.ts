/**
 * Builds the apps and starts PostgreSQL before the first test, and stops PostgreSQL after the
 * last.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // With BUILT the apps stay as they are.
  if (!process.env['BUILT'])
    execFileSync(process.execPath, ['apps/build.ts', '--if-changed'], {
      cwd: join(import.meta.dirname, '../..'),
      stdio: 'ignore',
      env: { ...process.env, NODE_ENV: 'production' },
    });
  const postgres = await startPostgres();
  project.provide('postgresUrl', postgres.url);
  return postgres.stop;
}
