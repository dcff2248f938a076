/**
 * The environment of every process of a test run: temporary files in memory where there is room,
 * and a shared compile cache.
 */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** All servers, databases and browser profiles of a run need less than this. */
const enoughBytes = 2 * 1024 ** 3;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enoughBytes;
  } catch {
    return false;
  }
}

/** Set before the first worker starts, so that workers and their children inherit it. */
export function prepareSurroundings(): void {
  // A start of the product reads several hundred files, which this cache keeps compiled.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'botteghino-compiled');
  // In memory, thousands of small commits do not wait for a disk.
  if (process.env['TMPDIR'] === undefined && hasRoom()) process.env['TMPDIR'] = memory;
}
