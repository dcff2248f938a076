/**
 * The list of restores in the backup folder. What a house sold after a restore is missing in its
 * backup, and so in the next house that is restored from the same backup (RULES B3).
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const restoresFile = 'ripristini.json';

/** How many restores these folders know that are younger than a copy made at this time, in ms. */
export async function restoresSince(folders: readonly string[], made_at: number): Promise<number> {
  const times = await Promise.all([...new Set(folders)].map(readTimes));
  return new Set(times.flat().filter((at) => at > made_at)).size;
}

/** Adds a restore; a folder that cannot be written does not stop it. */
export async function noteRestore(folders: readonly string[], restored_at: number): Promise<void> {
  for (const folder of new Set(folders)) {
    const times = [...(await readTimes(folder)), restored_at].slice(-mostTimes);
    await writeFile(join(folder, restoresFile), JSON.stringify(times), { mode: 0o600 }).catch(
      () => undefined,
    );
  }
}

/** A house that was rehearsed every night keeps a list of a few kilobytes. */
const mostTimes = 500;

async function readTimes(folder: string): Promise<number[]> {
  try {
    const times: unknown = JSON.parse(await readFile(join(folder, restoresFile), 'utf8'));
    return Array.isArray(times) ? times.filter((at) => typeof at === 'number') : [];
  } catch {
    return [];
  }
}
