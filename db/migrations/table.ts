/**
 * Describes a table for a migration: each column once, with the type of its values, so that
 * db/rows.ts need not repeat it.
 */
import type { Knex } from 'knex';
import { isPostgres } from '#db/engine/dialect.ts';

/** SQLite has no booleans. */
export type Truth = 0 | 1;

interface Traits {
  nullable?: true;
  primary?: true;
  unique?: true;
  index?: true;
  references?: string;
  onDelete?: 'CASCADE';
  defaultTo?: string | number;
}

type Kind = (t: Knex.CreateTableBuilder, name: string) => Knex.ColumnBuilder;

/** A column of values of type `T`; null is refused unless orNull() was called. */
class Column<T> {
  /** Never set; it carries the type of the values. */
  declare readonly holds: T;
  private readonly kind: Kind;
  private readonly traits: Traits;

  constructor(kind: Kind, traits: Traits = {}) {
    this.kind = kind;
    this.traits = traits;
  }

  orNull(): Column<T | null> {
    return new Column(this.kind, { ...this.traits, nullable: true });
  }
  primary(): Column<T> {
    return new Column(this.kind, { ...this.traits, primary: true });
  }
  unique(): Column<T> {
    return new Column(this.kind, { ...this.traits, unique: true });
  }
  index(): Column<T> {
    return new Column(this.kind, { ...this.traits, index: true });
  }
  references(column: string, onDelete?: 'CASCADE'): Column<T> {
    return new Column(this.kind, { ...this.traits, references: column, onDelete });
  }
  defaultTo(value: T & (string | number)): Column<T> {
    return new Column(this.kind, { ...this.traits, defaultTo: value });
  }

  addTo(t: Knex.CreateTableBuilder, name: string): void {
    const { nullable, primary, unique, index, references, onDelete, defaultTo } = this.traits;
    const column = this.kind(t, name);
    if (primary) column.primary();
    else if (!nullable) column.notNullable();
    if (defaultTo !== undefined) column.defaultTo(defaultTo);
    if (unique) column.unique();
    if (references) {
      const reference = column.references(references);
      if (onDelete) reference.onDelete(onDelete);
    }
    if (index) column.index();
  }
}

/** A VARCHAR with a length, otherwise a TEXT. */
export function text<T extends string = string>(length?: number): Column<T> {
  return new Column((t, name) => (length ? t.string(name, length) : t.text(name)));
}
export function integer<T extends number = number>(): Column<T> {
  return new Column((t, name) => t.integer(name));
}
export function bigInteger(): Column<number> {
  return new Column((t, name) => t.bigInteger(name));
}
export function float(): Column<number> {
  return new Column((t, name) => t.float(name));
}
export function truth(): Column<Truth> {
  return new Column((t, name) => t.smallint(name));
}
export function binary(): Column<Buffer> {
  return new Column((t, name) => t.binary(name));
}

type Columns = Record<string, Column<unknown>>;

interface Table<C extends Columns> {
  columns: C;
  /** Keys and indexes over more than one column. */
  keys: (t: Knex.CreateTableBuilder) => void;
  /**
   * SQLite stores the rows in the primary key's index, which saves one page per written row. This
   * suits short keys and small rows.
   */
  inKey?: true;
}

export function table<C extends Columns>(columns: C, keys: Table<C>['keys'] = () => {}): Table<C> {
  return { columns, keys };
}

export function tableInKey<C extends Columns>(columns: C, keys?: Table<C>['keys']): Table<C> {
  return { ...table(columns, keys), inKey: true };
}

/** The type of a table's rows. */
export type Row<T extends Table<Columns>> = {
  [K in keyof T['columns']]: T['columns'][K]['holds'];
};

export async function createTable(
  knex: Knex,
  name: string,
  { columns, keys, inKey }: Table<Columns>,
): Promise<void> {
  const made = knex.schema.createTable(name, (t) => {
    for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    keys(t);
  });
  if (!inKey || isPostgres(knex)) return made;
  for (const { sql } of made.toSQL())
    await knex.raw(sql.startsWith('create table') ? `${sql} WITHOUT ROWID` : sql);
}
