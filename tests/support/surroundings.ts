/** What every process of a test run finds around it: temporary files in memory where there is room, and the programs that were compiled before. */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** All servers, databases and browser profiles that are open at once take a small part of this. */
const enoughBytes = 2 * 1024 ** 3;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enoughBytes;
  } catch {
    return false;
  }
}

/** Set before the first worker starts: workers and what they start inherit it. */
export function prepareSurroundings(): void {
  // A start of the product reads several hundred files: what was compiled once need not be again.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'botteghino-compiled');
  // Thousands of small commits wait for no disk there.
  if (process.env['TMPDIR'] === undefined && hasRoom()) process.env['TMPDIR'] = memory;
}
