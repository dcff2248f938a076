/** Tells which tables a request has changed, and of which orders: triggers of the test's own, so that what is rolled back leaves no trace. */
import { isPostgres, type Pool } from '#db/engine/dialect.ts';

export interface Change {
  table_name: string;
  /** Null: the row is no order's. */
  order_id: string | null;
}

/** Of the database itself: the list of migrations, and the index of words beside `orders`. */
const notOurs = /^(?:knex_|sqlite_|order_words)/;

export class Watch {
  readonly #db: Pool;

  private constructor(db: Pool) {
    this.#db = db;
  }

  static async open(db: Pool): Promise<Watch> {
    const tables = await tablesOf(db);
    await db.schema.createTable('noted_changes', (table) => {
      table.text('table_name').notNullable();
      table.text('order_id');
    });
    const note = isPostgres(db) ? await noteOnPostgres(db) : noteOnSqlite;
    for (const name of tables) {
      const columns = Object.keys(await db(name).columnInfo());
      const keyOfOther = columns.includes('order_id') ? 'order_id' : null;
      const key = name === 'orders' ? 'id' : keyOfOther;
      // Whoever looks at a row may take it for a moment and give it back, or take a number of the door's feed to hold an event; and when a caller was last here is written of the refused too.
      const kept = columns.filter(
        (column) => !/^lease|^last_(?:seen|used)_at$|^feed_seq$/.test(column),
      );
      for (const event of ['INSERT', 'UPDATE', 'DELETE'] as const)
        await db.raw(note({ name, key, kept, event }));
    }
    return new Watch(db);
  }

  /** Since it was asked before. */
  async changes(): Promise<Change[]> {
    const found: Change[] = await this.#db('noted_changes').distinct('table_name', 'order_id');
    if (found.length > 0) await this.#db('noted_changes').delete();
    return found;
  }
}

async function tablesOf(db: Pool): Promise<string[]> {
  const names: string[] = isPostgres(db)
    ? await db('information_schema.tables')
        .where({ table_schema: 'public', table_type: 'BASE TABLE' })
        .pluck('table_name')
    : await db('sqlite_master').where({ type: 'table' }).pluck('name');
  return names.filter((name) => !notOurs.test(name));
}

interface Watched {
  name: string;
  /** The column that names the order; null: none. */
  key: string | null;
  /** The columns in which a change counts. */
  kept: readonly string[];
  event: 'INSERT' | 'UPDATE' | 'DELETE';
}
type Note = (table: Watched) => string;

function valuesOf(row: 'OLD' | 'NEW', kept: readonly string[]): string {
  return `(${kept.map((column) => `${row}."${column}"`).join(', ')})`;
}

const noteOnSqlite: Note = ({ name, key, kept, event }) => {
  const order = key === null ? 'NULL' : `${event === 'DELETE' ? 'OLD' : 'NEW'}.${key}`;
  const when =
    event === 'UPDATE' ? `WHEN ${valuesOf('OLD', kept)} IS NOT ${valuesOf('NEW', kept)}` : '';
  return `CREATE TRIGGER noted_${name}_${event} AFTER ${event} ON ${name} ${when} BEGIN INSERT INTO noted_changes VALUES ('${name}', ${order}); END`;
};

async function noteOnPostgres(db: Pool): Promise<Note> {
  await db.raw(`CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO noted_changes VALUES (TG_TABLE_NAME, to_jsonb(COALESCE(NEW, OLD)) ->> TG_ARGV[0]);
    RETURN NULL; END $$`);
  return ({ name, key, kept, event }) => {
    const when =
      event === 'UPDATE'
        ? `WHEN (${valuesOf('OLD', kept)} IS DISTINCT FROM ${valuesOf('NEW', kept)})`
        : '';
    return `CREATE TRIGGER noted_${event} AFTER ${event} ON ${name} FOR EACH ROW ${when} EXECUTE FUNCTION note_change('${key ?? ''}')`;
  };
}
