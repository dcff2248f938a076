/**
 * Seals over the audit log. Each seal is a hash over a batch of entries and the seal before it,
 * so that no entry can be changed unseen (RULES I4).
 */
import { readFirst, selectRows } from '#db/engine/statements.ts';
import { hash, randomBytes } from 'node:crypto';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { Knex } from 'knex';
import { partsOfDetail, type AuditDetail, type SealFault } from '#server/domain/audit/audit.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { AuditRow, AuditSealRow, SealedAuditRow } from '#db/rows.ts';
import { putSetting, readSetting } from '#db/settings.ts';

/**
 * How much older than the newest sealed entry another one may be that is sealed after it: an entry
 * becomes visible when its transaction ends.
 */
const latestMs = 10 * 60_000;
const mostEntries = 500;
/** The newest seal is stored a second time, so that its removal from the table is noticed. */
const headKey = 'audit_head';

export async function lastSeal(db: Db): Promise<AuditSealRow | undefined> {
  return db<AuditSealRow>('audit_seals').orderBy('n', 'desc').first();
}

/**
 * Up to when the entries are sealed; no row: none is. An entry after its own seal is of a clock
 * that was set back.
 */
const sealedUpTo = `SELECT COALESCE(
    (SELECT MAX(at) FROM audit WHERE seal = s.n AND at <= s.sealed_at), s.sealed_at) AS at
  FROM audit_seals s WHERE s.n = (SELECT MAX(n) FROM audit_seals)`;

/**
 * Entries from this time on may still be without a seal. An entry that lies ahead of `now` is of a
 * clock that was set back since.
 */
export async function unsealedSince(db: Db, now = Number.POSITIVE_INFINITY): Promise<number> {
  const [newest] = await selectRows<{ at: number }>(db, sealedUpTo, []);
  return newest === undefined ? 0 : Math.min(newest.at, now) - latestMs;
}

/**
 * The entries about any of these subjects. Sealed entries are found by an index that costs a sale
 * nothing; the few entries without a seal are read one by one.
 */
export function whereAbout(
  query: Knex.QueryBuilder,
  db: Db,
  subjects: readonly string[],
): Knex.QueryBuilder {
  const about = (entries: Knex.QueryBuilder) =>
    entries.whereIn('audit.subject', subjects as string[]);
  return query.where((either) =>
    either
      .where((sealed) => about(sealed.whereNotNull('audit.seal')))
      .orWhere((fresh) =>
        about(
          fresh
            .whereNull('audit.seal')
            .where('audit.at', '>=', db.raw(`COALESCE((${sealedUpTo}), 0) - ${latestMs}`)),
        ),
      ),
  );
}

/**
 * Puts the oldest entries without a seal under the next seal and returns their number. If two
 * processes make a seal with the same number, the key refuses the second. `late`: also entries that
 * are far older than those sealed before, for which the whole table is read.
 */
export async function sealNext(
  trx: Trx,
  { now, late }: { now: number; late: boolean },
): Promise<number> {
  const last = await lastSeal(trx);
  const rows: SealedAuditRow[] = await trx<SealedAuditRow>('audit')
    .whereNull('seal')
    .where('at', '>=', late ? 0 : await unsealedSince(trx, now))
    .orderBy(['at', 'id'])
    .limit(mostEntries)
    .forUpdate();
  const [first] = rows;
  const newest = rows.at(-1);
  if (first === undefined || newest === undefined) return 0;
  const n = (last?.n ?? 0) + 1;
  const sealed = rows.map((row) => ({ ...row, ...personalSealOf(row) }));
  const seal = { n, sealed_at: now, entries: rows.length, before: last?.hash ?? '' };
  const row: AuditSealRow = { ...seal, hash: hashOf(seal, sealed) };
  await trx<AuditSealRow>('audit_seals').insert(row);
  await trx<SealedAuditRow>('audit')
    .whereBetween('at', [first.at, newest.at])
    .whereIn(
      'id',
      rows.map(({ id }) => id),
    )
    .update({ seal: n });
  for (const { at, id, personal_hash, personal_salt } of sealed)
    if (personal_hash !== null)
      await trx<SealedAuditRow>('audit').where({ at, id }).update({ personal_hash, personal_salt });
  await putSetting(trx, headKey, headOf(row));
  return rows.length;
}

function headOf({ n, hash: last }: AuditSealRow): string {
  return `${n} ${last}`;
}

function personalSealOf(row: AuditRow): Pick<SealedAuditRow, 'personal_hash' | 'personal_salt'> {
  const { personal } = partsOf(row);
  if (personal === null) return { personal_hash: null, personal_salt: null };
  const salt = randomBytes(16).toString('base64url');
  return { personal_hash: personalHash(salt, personal), personal_salt: salt };
}

function personalHash(salt: string, personal: AuditDetail): string {
  return hash('sha256', `${salt}|${JSON.stringify(personal)}`);
}

function partsOf({ action, detail }: AuditRow) {
  const read = JSON.parse(detail ?? 'null') as unknown;
  return typeof read === 'object' && read !== null && !Array.isArray(read)
    ? partsOfDetail(action, read as AuditDetail)
    : { plain: read, personal: null };
}

/** The hash covers the entries in their order, without the data that an erasure removes. */
function hashOf(
  { n, sealed_at, entries, before }: Omit<AuditSealRow, 'hash'>,
  rows: readonly SealedAuditRow[],
): string {
  const lines = rows.map((row) =>
    JSON.stringify([
      row.id,
      row.at,
      row.actor,
      row.action,
      row.subject,
      partsOf(row).plain,
      row.personal_hash,
    ]),
  );
  return hash('sha256', [JSON.stringify([n, sealed_at, entries, before]), ...lines].join('\n'));
}

interface BrokenSeal {
  /** The seal's number, a space, and the fault. */
  subject: string;
}

/** Seals that are read together; a seal has 500 entries at most, and usually few. */
const sealsAtOnce = 20;

/** Computes every seal again from its entries, with pauses for other work. */
export async function findBrokenSeals(db: Db): Promise<BrokenSeal[]> {
  const broken: BrokenSeal[] = [];
  const tell = (n: number, fault: SealFault) => broken.push({ subject: `${n} ${fault}` });
  let before: Pick<AuditSealRow, 'n' | 'hash'> = { n: 0, hash: '' };
  for (;;) {
    const seals: AuditSealRow[] = await db<AuditSealRow>('audit_seals')
      .where('n', '>', before.n)
      .orderBy('n')
      .limit(sealsAtOnce);
    const [first] = seals;
    const last = seals.at(-1);
    if (first === undefined || last === undefined) break;
    const rows = await entriesUnder(db, { from: first.n, to: last.n });
    for (const seal of seals) {
      for (let n = before.n + 1; n < seal.n; n += 1) tell(n, 'gone');
      const fault = faultOf(seal, { before, rows: rows.get(seal.n) ?? [] });
      if (fault !== null) tell(seal.n, fault);
      before = seal;
    }
    await yieldToLoop();
  }
  await findMissingEnd(db, before.n, tell);
  return broken;
}

async function entriesUnder(
  db: Db,
  { from, to }: { from: number; to: number },
): Promise<Map<number | null, SealedAuditRow[]>> {
  const rows: SealedAuditRow[] = await db<SealedAuditRow>('audit')
    .whereNotNull('seal')
    .whereBetween('seal', [from, to])
    .orderBy(['at', 'id']);
  return Map.groupBy(rows, (row) => row.seal);
}

function faultOf(
  seal: AuditSealRow,
  { before, rows }: { before: Pick<AuditSealRow, 'n' | 'hash'>; rows: readonly SealedAuditRow[] },
): SealFault | null {
  if (rows.length < seal.entries) return 'missing';
  if (rows.length > seal.entries) return 'added';
  if (hashOf(seal, rows) !== seal.hash || !rows.every(isPersonalWhole)) return 'changed';
  // A missing seal was reported already.
  return before.n === seal.n - 1 && before.hash !== seal.before ? 'cut' : null;
}

/** True if the personal part is as it was sealed, or was erased together with its salt. */
function isPersonalWhole(row: SealedAuditRow): boolean {
  const { personal } = partsOf(row);
  if (row.personal_salt === null) return personal === null;
  return personal !== null && personalHash(row.personal_salt, personal) === row.personal_hash;
}

/** Finds that the newest seals were removed. */
async function findMissingEnd(
  db: Db,
  n: number,
  tell: (n: number, fault: SealFault) => unknown,
): Promise<void> {
  // The setting is read first: a seal that another process makes meanwhile is checked the next
  // time.
  const head = await readSetting(db, headKey);
  const last = await lastSeal(db);
  if ((last?.n ?? 0) !== n) return;
  if ((head ?? '') !== (last === undefined ? '' : headOf(last)))
    tell(Number(head?.split(' ')[0] ?? n), 'gone');
}

/** How long a seal with late entries is told. */
const lateToldMs = 7 * 24 * 3_600_000;

interface SealedTimes {
  n: number;
  sealed_at: number;
  oldest: number;
  sealed_to: number | null;
}

/** The seals of the last days with entries far older than those that were sealed before. */
export async function findLateSeals(db: Db, now: number): Promise<BrokenSeal[]> {
  const recent = db('audit_seals')
    .where('sealed_at', '>=', now - lateToldMs)
    .min('n');
  const seals: SealedTimes[] = await db('audit_seals')
    .join('audit', 'audit.seal', 'audit_seals.n')
    .where('audit_seals.n', '>=', db.raw('? - 1', [recent]))
    .groupBy('audit_seals.n', 'audit_seals.sealed_at')
    .orderBy('audit_seals.n')
    .select('audit_seals.n', 'audit_seals.sealed_at')
    .min({ oldest: 'audit.at' })
    // An entry after its own seal is of a clock that was set back.
    .select(
      db.raw('MAX(CASE WHEN audit.at <= audit_seals.sealed_at THEN audit.at END) AS sealed_to'),
    );
  return seals.flatMap(({ n, sealed_at, oldest }, nth) => {
    const before = Math.min(seals[nth - 1]?.sealed_to ?? 0, sealed_at);
    return oldest < before - latestMs ? [{ subject: `${n} late` }] : [];
  });
}

/** Counts the entries without a seal and finds the oldest of them. */
export async function countUnsealed(
  db: Db,
): Promise<{ waiting: number; oldest_at: number | null }> {
  const row = await readFirst<{ waiting: number; oldest_at: number | null }>(
    db('audit')
      .whereNull('seal')
      .where('at', '>=', await unsealedSince(db))
      .count({ waiting: '*' })
      .min({ oldest_at: 'at' }),
  );
  return { waiting: Number(row.waiting), oldest_at: row.oldest_at };
}

/** The newest seal that was made by this time. */
export async function sealAt(db: Db, time: number): Promise<AuditSealRow | undefined> {
  return db<AuditSealRow>('audit_seals')
    .where('sealed_at', '<=', time)
    .orderBy('n', 'desc')
    .first();
}

export async function findSeal(db: Db, n: number): Promise<AuditSealRow | undefined> {
  return db<AuditSealRow>('audit_seals').where({ n }).first();
}
