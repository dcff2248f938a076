/**
 * A connection to PostgreSQL that is lost in the middle of a write: what became of the write is
 * read, and it runs again if nothing of it was kept.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isAway, type Db, type Pool, type Trx } from './dialect.ts';
import { asWork } from './group-commit.ts';
import { insertFromJson, selectRows, type NewRows } from './statements.ts';

/**
 * A row with an id that was made for it: where it is, the transaction that wrote it was committed.
 */
const marks = new WeakMap<Db, NewRows>();

/** Tables whose rows are marks, with the columns of their key. */
const keys: Record<string, string> = { audit: 'at, id', orders: 'id' };

/**
 * The row that this transaction has just written and nobody else can have written; it has no bytes.
 */
export function leaveMark(trx: Db, table: string, row: object): void {
  marks.set(trx, { table, rows: [row] });
}

export interface TransactOptions {
  /**
   * All that is written is known by ids from outside: run after its own commit, the work finds it
   * done and answers the same.
   */
  repeatable?: boolean;
}

const mostTries = 3;

/**
 * Runs `work` in a transaction. A connection that is lost before the COMMIT has kept nothing: it
 * runs again. Lost later, the
 * mark tells; without one only a repeatable work is run again.
 * @throws the loss, if nobody can say what became of it
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
      if (trx === undefined || !(done ? isAway(error) : isLoss(error))) throw error;
      const mark = marks.get(trx);
      if (done && mark && (await isKept(db, mark))) return done.value;
      if (attempt === mostTries || (done && !mark && !repeatable)) throw error;
    }
  }
}

/** Who waited too long once would wait as long again. */
function isLoss(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return isAway(error) && code !== 'DATABASE_SILENT' && code !== '57014';
}

/** A database that starts again or changes its machine is asked for so long. */
const askedForMs = 10_000;
const askAgainMs = 200;

async function isKept(db: Pool, mark: NewRows): Promise<boolean> {
  for (const since = performance.now(); ; await pause(askAgainMs)) {
    try {
      return !(await mayBeWritten(db, mark));
    } catch (error) {
      if (!isAway(error) || performance.now() - since > askedForMs) throw error;
    }
  }
}

/**
 * Written once more and taken back: unlike a reading this waits for a commit that is still under
 * way.
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
 * Runs a single statement that writes all or nothing and answers whether it did. After a loss it is
 * run again: its `mark`, which is
 * the same each time, is written once however often it runs.
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
    if (isAway(error) || mark === undefined || !(await isKept(db, mark))) throw error;
    return true;
  }
}
