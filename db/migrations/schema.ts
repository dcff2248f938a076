/**
 * Reads from a database which tables, columns, keys, indexes and triggers it has, each as one
 * line of text, so that two schemas can be compared.
 */
import { isPostgres, type Db } from '#db/engine/dialect.ts';
import { selectRows } from '#db/engine/statements.ts';

export type Dialect = 'sqlite' | 'postgres';

/** From a thing's kind and name, `column orders.number`, to all that matters of it. */
export type Schema = Record<string, string>;

/** Runs a query without parameters. */
type Ask = <R>(sql: string) => Promise<R[]> | R[];

/** Tables of the schema tool, of the database itself, and those that FTS5 makes. */
const notOurs = String.raw`ESCAPE '\' AND name NOT LIKE 'knex\_%' ESCAPE '\' AND name NOT LIKE 'order\_words\_%' ESCAPE '\'`;

const inSqlite = String.raw`
  WITH tables AS (
    SELECT name, sql FROM sqlite_master
    WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ${notOurs})
  SELECT 'table ' || name AS thing,
    CASE WHEN sql LIKE 'CREATE VIRTUAL%' THEN sql ELSE 'rows' END AS text FROM tables
  UNION ALL SELECT 'column ' || t.name || '.' || c.name,
    c.type || CASE WHEN c."notnull" THEN ' NOT NULL' ELSE '' END
    || coalesce(' DEFAULT ' || c.dflt_value, '')
    || CASE WHEN c.pk THEN ' PRIMARY KEY ' || c.pk ELSE '' END
    FROM tables t, pragma_table_info(t.name) c
  UNION ALL SELECT 'key ' || t.name || '.' || f."from",
    f."table" || coalesce('.' || f."to", '') || ' ON DELETE ' || f.on_delete
    FROM tables t, pragma_foreign_key_list(t.name) f
  UNION ALL SELECT 'key ' || t.name || ' (' ||
    (SELECT group_concat(name, ', ') FROM pragma_index_info(i.name)) || ')', 'UNIQUE'
    FROM tables t, pragma_index_list(t.name) i WHERE i.origin = 'u'
  UNION ALL SELECT m.type || ' ' || m.name, m.sql
    FROM sqlite_master m JOIN tables t ON t.name = m.tbl_name
    WHERE m.type IN ('index', 'trigger') AND m.sql IS NOT NULL`;

/** Names of the schema itself are removed, because it may have another name elsewhere. */
function inPostgres(schema: string): string {
  const bare = (text: string) => `replace(${text}, quote_ident(${schema}) || '.', '')`;
  return `
  WITH tables AS (
    SELECT oid, relname AS name FROM pg_class
    WHERE relnamespace = to_regnamespace(quote_ident(${schema})) AND relkind IN ('r', 'p')
      AND relname NOT LIKE 'knex\\_%')
  SELECT 'table ' || name AS thing, 'rows' AS text FROM tables
  UNION ALL SELECT 'column ' || t.name || '.' || a.attname,
    format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
    || coalesce(' COLLATE ' || nullif(l.collname, 'default'), '')
    || coalesce(' DEFAULT ' || ${bare('pg_get_expr(d.adbin, d.adrelid)')}, '')
    || CASE WHEN a.attidentity <> '' THEN ' IDENTITY' ELSE '' END
    FROM tables t
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
    LEFT JOIN pg_collation l ON l.oid = a.attcollation
  UNION ALL SELECT 'key ' || t.name || '.' || k.conname, ${bare('pg_get_constraintdef(k.oid)')}
    FROM tables t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype IN ('p', 'u', 'f', 'c')
  UNION ALL SELECT 'index ' || i.relname, ${bare('pg_get_indexdef(i.oid)')}
    FROM tables t JOIN pg_index x ON x.indrelid = t.oid AND x.indisvalid
    JOIN pg_class i ON i.oid = x.indexrelid
    WHERE NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.oid AND k.contype IN ('p', 'u'))`;
}

/** `schema`: of PostgreSQL; without it the connection's own. */
export async function readSchema(db: Db, schema?: string): Promise<Schema> {
  return schemaFrom(
    (sql) => selectRows(db, sql, []),
    isPostgres(db)
      ? inPostgres(schema === undefined ? 'current_schema()::text' : `'${schema}'`)
      : inSqlite,
  );
}

/** `ask` queries a SQLite file that is open elsewhere. */
export async function readSqliteSchema(ask: Ask): Promise<Schema> {
  return schemaFrom(ask, inSqlite);
}

async function schemaFrom(ask: Ask, sql: string): Promise<Schema> {
  const rows = await ask<{ thing: string; text: string }>(sql);
  return Object.fromEntries(rows.map(({ thing, text }) => [thing, plain(text)]));
}

/** After a copy by `pg_dump` PostgreSQL writes the casts and brackets of a condition elsewhere. */
export function isSameText(one: string, other: string): boolean {
  const core = (text: string) => text.replaceAll(/::[a-z ]+(?:\[\])?|[()\s]/g, '');
  return core(one) === core(other);
}

/** Quotes and white space of a statement say nothing. */
function plain(text: string): string {
  return text.replaceAll(/["`]/g, '').replaceAll(/\s+/g, ' ').trim();
}
