/**
 * Handles a PostgreSQL connection that is lost during a write: asks the database whether the
 * write was kept, and if not, repeats it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseAway, type Db, type Pool, type Trx } from './dialect.ts';
import { asWork } from './group-commit.ts';
import { insertFromJson, selectRows, type NewRows } from './statements.ts';

/**
 * A row with a unique id for each transaction; if the row exists, the transaction was committed.
 */
const marks = new WeakMap<Db, NewRows>();

/** Tables that can hold a mark, with their key columns. */
const keys: Record<string, string> = { audit: 'at, id', orders: 'id' };

/** Names a row that only this transaction can have written, without a column of bytes. */
export function leaveMark(trx: Db, table: string, row: object): void {
  marks.set(trx, { table, rows: [row] });
}

export interface TransactOptions {
  /**
   * True if a second run notices that the first one was committed and returns the same; all ids
   * must come from outside `work`.
   */
  repeatable?: boolean;
}

const mostTries = 3;

/**
 * Runs `work` in a transaction. If the connection is lost before the COMMIT, nothing was kept and
 * `work` runs again. If it is lost later, the mark shows whether it was kept; without a mark only
 * repeatable work runs again.
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

/** A timeout does not count: the same statement would take as long again. */
function isLoss(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return isDatabaseAway(error) && code !== 'DATABASE_SILENT' && code !== '57014';
}

/** How long the question is repeated while the database restarts or moves elsewhere. */
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
 * Writes the mark again and rolls back: unlike a read, the insert waits for a commit that is
 * still running.
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
 * Runs one statement that writes all or nothing and returns whether it did. After a lost
 * connection it runs again; its `mark` makes sure that it is written once.
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
