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
      // Whoever looks at a row may take it for a moment and give it back; and when a caller was last here is written of the refused too.
      const kept = columns
        .filter((column) => !/^lease|^last_(?:seen|used)_at$/.test(column))
        .map((column) => `"${column}"`);
      const events = ['INSERT', `UPDATE OF ${kept.join(', ')}`, 'DELETE'];
      for (const sql of note({ name, key, events })) await db.raw(sql);
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

interface Table {
  name: string;
  /** The column that names the order; null: none. */
  key: string | null;
  events: readonly string[];
}
type Note = (table: Table) => string[];

const noteOnSqlite: Note = ({ name, key, events }) =>
  events.map((event, nth) => {
    const order = key === null ? 'NULL' : `${event === 'DELETE' ? 'OLD' : 'NEW'}.${key}`;
    return `CREATE TRIGGER noted_${name}_${nth} AFTER ${event} ON ${name} BEGIN INSERT INTO noted_changes VALUES ('${name}', ${order}); END`;
  });

async function noteOnPostgres(db: Pool): Promise<Note> {
  await db.raw(`CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO noted_changes VALUES (TG_TABLE_NAME, to_jsonb(COALESCE(NEW, OLD)) ->> TG_ARGV[0]);
    RETURN NULL; END $$`);
  return ({ name, key, events }) => [
    `CREATE TRIGGER noted AFTER ${events.join(' OR ')} ON ${name} FOR EACH ROW EXECUTE FUNCTION note_change('${key ?? ''}')`,
  ];
}
