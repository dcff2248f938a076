/** Finds objects by conditions on their fields. */
import type { Reader, Value } from '#server/standins/kit/store.ts';

export interface FieldTest {
  /** Of the field in the object's JSON, as SQLite writes it. */
  path: string;
  kind: 'text' | 'token' | 'number' | 'flag';
  operator: ':' | '~' | '>' | '<' | '>=' | '<=';
  value: string | null;
  not: boolean;
}

/** Newest first; `before`: the place of the last one of the page before. */
export async function searchObjects<T>(
  reader: Reader,
  kind: string,
  ask: {
    tests: FieldTest[];
    glue: ' AND ' | ' OR ';
    createdUntil: number;
    before: number;
    limit: number;
  },
): Promise<{ seq: number; body: T }[]> {
  const conditions = ask.tests.map(conditionOf);
  const wanted = conditions.map(({ sql }) => sql).join(ask.glue);
  const rows = await reader.all<{ seq: number; body: string }>(
    `SELECT seq, body FROM stripe_objects WHERE kind = ? AND created <= ? AND seq < ? AND (${wanted}) ORDER BY seq DESC LIMIT ?`,
    kind,
    ask.createdUntil,
    ask.before,
    ...conditions.flatMap(({ values }) => values),
    ask.limit,
  );
  return rows.map(({ seq, body }) => ({ seq, body: JSON.parse(body) as T }));
}

/** Everything that was sent is bound as a value. */
function conditionOf({ path, kind, operator, value, not }: FieldTest): {
  sql: string;
  values: Value[];
} {
  const field = 'body ->> ?';
  if (value === null) return { sql: `(${field} IS ${not ? 'NOT ' : ''}NULL)`, values: [path] };
  const isText = kind === 'text' || kind === 'token';
  const left = isText ? `lower(${field})` : field;
  const sign = operator === ':' ? '=' : operator;
  const test = operator === '~' ? `instr(${left}, ?) > 0` : `${left} ${sign} ?`;
  const number = kind === 'flag' ? Number(value === 'true') : Number(value);
  return {
    sql: `(coalesce(${test}, 0) = ${not ? 0 : 1})`,
    values: [path, isText ? value.toLowerCase() : number],
  };
}
