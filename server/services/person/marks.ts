/**
 * The list of erasures in the folder of the backups: a house that is restored from an older
 * backup reads there whom it must erase again.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addErasures, everyErasure } from '#db/person/personal.ts';
import { claimSetting, readSetting } from '#db/settings.ts';
import type { Db } from '#db/engine/dialect.ts';
import type { ErasureRow } from '#db/rows.ts';
import type { Ctx } from '#server/services/context.ts';
import { erasureSalt, saltKey } from './address.ts';

export const marksFile = 'cancellazioni.json';

/** The list has only keyed hashes: to recognise a person one must know the address. */
interface Marks {
  salt: string;
  erasures: Pick<ErasureRow, 'id' | 'address_hash' | 'asked_at'>[];
}

/** False: the folder cannot be written, so a restored house would not learn of the erasures. */
export async function writeMarks(ctx: Ctx): Promise<boolean> {
  const { folder } = ctx.backups;
  const marks: Marks = {
    salt: await erasureSalt(ctx.db),
    erasures: await everyErasure(ctx.db),
  };
  const path = join(folder, marksFile);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Two processes write two files; the later rename wins, and either file is complete.
    const part = `${path}.${ctx.newId()}`;
    await writeFile(part, JSON.stringify(marks), { mode: 0o600, flush: true });
    await rename(part, path);
    return true;
  } catch (error) {
    ctx.log.error({ err: error }, 'the list of erasures could not be written beside the backups');
    return false;
  }
}

/**
 * Adds erasures that a restored house does not have. Returns how many, or null if no list of this
 * house was found.
 */
export async function readMarks(db: Db, folders: readonly string[]): Promise<number | null> {
  const found = new Map<string, Marks['erasures'][number]>();
  let isThere = false;
  for (const folder of new Set(folders)) {
    const marks = await readOne(join(folder, marksFile));
    if (marks === null || !(await isOfHouse(db, marks.salt))) continue;
    isThere = true;
    for (const erasure of marks.erasures) found.set(erasure.id, erasure);
  }
  if (!isThere) return null;
  const known = new Set((await everyErasure(db)).map(({ id }) => id));
  const fresh = [...found.values()].filter(({ id }) => !known.has(id));
  await addErasures(db, fresh);
  return fresh.length;
}

async function readOne(path: string): Promise<Marks | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return JSON.parse(text) as Marks;
  } catch {
    return null;
  }
}

/**
 * True if the list belongs to this house, by its salt. A backup from before the first erasure has
 * no salt and takes over that of the list.
 */
async function isOfHouse(db: Db, salt: string): Promise<boolean> {
  await claimSetting(db, saltKey, { from: null, to: salt });
  return (await readSetting(db, saltKey)) === salt;
}
