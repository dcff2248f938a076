/** A database in a folder of its own, gone at the end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function newFile(): Disposable & { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'standins-'));
  return {
    folder,
    file: join(folder, 'standins.sqlite'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
