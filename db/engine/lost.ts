/**
 * A connection to PostgreSQL that is lost during a write: the database is asked what became of
 * the write, and it runs again if nothing of it was kept.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseAway, type Db, type Pool, type Trx } from './dialect.ts';
import { asWork } from './group-commit.ts';
import { insertFromJson, selectRows, type NewRows } from './statements.ts';

/** A row with an id made for it: if it exists, the transaction that wrote it was committed. */
const marks = new WeakMap<Db, NewRows>();

/** Tables whose rows are marks, with the columns of their key. */
const keys: Record<string, string> = { audit: 'at, id', orders: 'id' };

/** The row that only this transaction can have written; it has no bytes. */
export function leaveMark(trx: Db, table: string, row: object): void {
  marks.set(trx, { table, rows: [row] });
}

export interface TransactOptions {
  /**
   * All ids come from outside, so when the work runs after its own commit, it finds itself done
   * and answers the same.
   */
  repeatable?: boolean;
}

const mostTries = 3;

/**
 * Runs `work` in a transaction. When the connection is lost before the COMMIT, nothing was kept
 * and it runs again. When it is lost later, the mark tells; without one only repeatable work runs
 * again.
 * @throws the loss, if it is unknown whether the write was kept
 */
export async function commitOnce<T>(
  db: Pool,
  work: (trx: Trx) => Promise<T>,
  { repeatable = false }: TransactOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const run: { trx?: Trx; done?: { value: T } } = {};
    try {
      return await db.transaction(async (trx) => {
        run.trx = trx;
        const value = await asWork(() => work(trx));
        run.done = { value };
        return value;
      });
    } catch (error) {
      const { trx, done } = run;
      if (trx === undefined || !(done ? isDatabaseAway(error) : isLoss(error))) throw error;
      const mark = marks.get(trx);
      if (done && mark && (await isKept(db, mark))) return done.value;
      if (attempt === mostTries || (done && !mark && !repeatable)) throw error;
    }
  }
}

/** A statement that waited too long once would wait as long again. */
function isLoss(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return isDatabaseAway(error) && code !== 'DATABASE_SILENT' && code !== '57014';
}

/** How long a database that restarts or moves to another machine is asked. */
const askedForMs = 10_000;
const askAgainMs = 200;

async function isKept(db: Pool, mark: NewRows): Promise<boolean> {
  for (const since = performance.now(); ; await pause(askAgainMs)) {
    try {
      return !(await mayBeWritten(db, mark));
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() - since > askedForMs) throw error;
    }
  }
}

/**
 * Written once more and rolled back: unlike a read, this waits for a commit that is still
 * running.
 */
async function mayBeWritten(db: Pool, mark: NewRows): Promise<boolean> {
  const { sql, bindings } = insertFromJson(
    mark,
    ` ON CONFLICT (${keys[mark.table]}) DO NOTHING RETURNING 1`,
  );
  const trx = await db.transaction();
  try {
    return (await selectRows(trx, sql, bindings)).length > 0;
  } finally {
    await trx.rollback();
  }
}

/**
 * Runs a single statement that writes all or nothing and answers whether it did. After a loss it
 * runs again: its `mark`, the same each time, is written only once.
 */
export async function writeOnce(
  db: Pool,
  mark: NewRows | undefined,
  run: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await run();
  } catch (error) {
    if (!isLoss(error)) throw error;
  }
  try {
    return (await run()) || (mark !== undefined && (await isKept(db, mark)));
  } catch (error) {
    if (isDatabaseAway(error) || mark === undefined || !(await isKept(db, mark))) throw error;
    return true;
  }
}
