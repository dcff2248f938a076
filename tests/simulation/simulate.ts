/**
 * Runs one of the simulations in its own process, because mutants are applied while the product is
 * loaded.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const mostOutput = 64 * 1024 * 1024;

/**
 * `run.ts` plays sales, `door-run.ts` evenings at the door, `crowd/run.ts` a crowd. Returns the
 * exit code and the output.
 */
export function simulate(
  program: 'run.ts' | 'door-run.ts' | '../crowd/run.ts',
  options: readonly string[],
): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [`tests/simulation/${program}`, ...options],
      { cwd: root, maxBuffer: mostOutput },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, said: stdout + stderr });
      },
    );
  });
}
