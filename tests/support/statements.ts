/**
 * The statements that the product sends to its database, each by its kind and tables, such as
 * `insert orders`.
 */
import { isPostgres, type Pool } from '#db/engine/dialect.ts';

interface Asked {
  sql: string;
}
type Run = (asked: Asked, ...rest: unknown[]) => unknown;

/**
 * The statements of `work` in order. On PostgreSQL each is a round trip, also BEGIN and COMMIT; on
 * SQLite these two come once per group of transactions.
 */
export async function statementsOf(db: Pool, work: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  const note = ({ sql }: Asked) => void names.push(nameOf(sql));
  if (isPostgres(db)) {
    db.on('query', note);
    await work();
    db.off('query', note);
    return names;
  }
  const { store } = db.client as { store: Record<'run' | 'runInside', Run> };
  const { run, runInside } = store;
  const noted =
    (original: Run): Run =>
    (asked, ...rest) => {
      note(asked);
      return original(asked, ...rest);
    };
  Object.assign(store, { run: noted(run), runInside: noted(runInside) });
  await work();
  Object.assign(store, { run, runInside });
  return names;
}

const parts =
  /\b(insert into|update|delete from|from|join)\s+["`]?(?!set\b|found\b|excluded\b|json_)(\w+)/gi;
const verbs: Record<string, string> = {
  'insert into': 'insert',
  'delete from': 'delete',
  update: 'update',
};

function nameOf(sql: string): string {
  const told = [...sql.matchAll(parts)].map(
    ([, verb, table]) => `${verbs[verb!.toLowerCase()] ?? 'read'} ${table}`,
  );
  return told.length === 0 ? sql.replace(';', '').toUpperCase() : [...new Set(told)].join(', ');
}
