/** Tokens of other programs that read here; only their hashes are stored. */
import type { Db } from '#db/engine/dialect.ts';
import type { ProgramTokenRow } from '#db/rows.ts';
import { selectRows } from '#db/engine/statements.ts';

export async function insertToken(db: Db, row: ProgramTokenRow): Promise<void> {
  await db<ProgramTokenRow>('program_tokens').insert(row);
}

export async function tokenByHash(db: Db, hash: string): Promise<ProgramTokenRow | undefined> {
  const [row] = await selectRows<ProgramTokenRow>(
    db,
    'SELECT * FROM program_tokens WHERE token_hash = ?',
    [hash],
  );
  return row;
}

/** Lists the newest first. */
export async function listTokens(db: Db): Promise<ProgramTokenRow[]> {
  return db<ProgramTokenRow>('program_tokens').orderBy([
    { column: 'created_at', order: 'desc' },
    { column: 'id', order: 'desc' },
  ]);
}

/** Returns undefined if there is no such token, or if it was revoked before. */
export async function revokeToken(
  db: Db,
  id: string,
  now: number,
): Promise<ProgramTokenRow | undefined> {
  const changed = await db<ProgramTokenRow>('program_tokens')
    .where({ id })
    .whereNull('revoked_at')
    .update({ revoked_at: now });
  return changed === 1 ? db<ProgramTokenRow>('program_tokens').where({ id }).first() : undefined;
}

export async function noteTokenUse(db: Db, id: string, now: number): Promise<void> {
  await db<ProgramTokenRow>('program_tokens').where({ id }).update({ last_used_at: now });
}
