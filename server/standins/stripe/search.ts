/** Stripe's search language over charges, payment intents, prices, products and customers: `status:'succeeded' AND metadata['order']:'7'`. */
import { ok, seconds, type ReadCall, type Reply } from './call.ts';
import { refuse } from './transport/errors.ts';
import { integer, listOf, need, readParams, text } from './transport/rules.ts';
import { replyWith } from './expand.ts';
import type { StoredObject } from './statements/objects.ts';
import { searchObjects, type FieldTest } from './statements/search.ts';

type FieldKind = FieldTest['kind'];

/** New objects are not found for so many seconds: in Stripe they take up to a minute, so nobody may read what he has just written this way. */
const INDEXED_AFTER = 10;

/** Per kind, the fields that can be asked for. `text` may be searched in part, a `token` only as a whole. */
const FIELDS: Record<string, Record<string, FieldKind>> = {
  charge: {
    amount: 'number',
    created: 'number',
    currency: 'token',
    customer: 'token',
    disputed: 'flag',
    refunded: 'flag',
    status: 'token',
    'billing_details.address.postal_code': 'token',
    'payment_method_details.card.last4': 'token',
    'payment_method_details.card.brand': 'token',
    'payment_method_details.card.exp_month': 'number',
    'payment_method_details.card.exp_year': 'number',
    'payment_method_details.card.fingerprint': 'token',
  },
  payment_intent: {
    amount: 'number',
    created: 'number',
    currency: 'token',
    customer: 'token',
    status: 'token',
  },
  price: {
    active: 'flag',
    created: 'number',
    currency: 'token',
    lookup_key: 'token',
    product: 'token',
    type: 'token',
  },
  product: {
    active: 'flag',
    created: 'number',
    description: 'text',
    name: 'text',
    shippable: 'flag',
    url: 'text',
  },
  customer: { created: 'number', email: 'text', name: 'text', phone: 'text' },
};

const CLAUSE =
  /^(-?)([a-z0-9_.]+|metadata\[(?:"[^"]{1,40}"|'[^']{1,40}')\])\s*(:|~|>=|<=|>|<)\s*("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|-?\d{1,15}|null)/i;

/** GET /v1/<kind>s/search?query&limit&page → `{object: 'search_result', data, has_more, next_page, url}`, newest first; 400 on what is no query. */
export function searching(kind: string, url: string): (call: ReadCall) => Promise<Reply> {
  return async (call) => {
    const {
      query,
      limit = 10,
      page,
      expand,
    } = readParams(call.form, {
      query: need(text()),
      limit: integer({ min: 1, max: 100 }),
      page: text({ max: 40 }),
      expand: listOf(text(), 20),
    });
    const { clauses, glue } = parseQuery(kind, query);
    const rows = await searchObjects<StoredObject>(call.store, kind, {
      tests: clauses,
      glue,
      createdUntil: seconds(call) - INDEXED_AFTER,
      before: page === undefined ? Number.MAX_SAFE_INTEGER : cursorOf(page),
      limit: limit + 1,
    });
    const shown = rows.slice(0, limit);
    const has_more = rows.length > limit;
    const found = {
      object: 'search_result',
      data: shown.map(({ body }) => body),
      has_more,
      next_page: has_more ? String(shown.at(-1)!.seq) : null,
      url,
    };
    return expand === undefined ? ok(found) : replyWith(call, found, expand);
  };
}

function cursorOf(page: string): number {
  if (!/^\d{1,15}$/.test(page))
    throw refuse('This is no page of a search result.', { param: 'page' });
  return Number(page);
}

function parseQuery(kind: string, query: string): { clauses: FieldTest[]; glue: ' AND ' | ' OR ' } {
  const clauses: FieldTest[] = [];
  const glues = new Set<string>();
  let rest = query.trim();
  while (rest !== '') {
    const match = CLAUSE.exec(rest);
    if (!match)
      throw refuse(`The query cannot be read at: ${rest.slice(0, 60)}`, { param: 'query' });
    clauses.push(clauseOf(kind, match));
    rest = rest.slice(match[0].length).trim();
    if (rest === '') break;
    const glue = /^(AND|OR)\s+/i.exec(rest);
    // Without a word between them, all must hold.
    glues.add(glue?.[1]!.toUpperCase() ?? 'AND');
    rest = glue ? rest.slice(glue[0].length) : rest;
    if (rest === '') throw refuse('The query ends in the middle.', { param: 'query' });
  }
  if (clauses.length === 0)
    throw refuse('The query is empty.', { code: 'parameter_invalid_empty', param: 'query' });
  if (clauses.length > 10) throw refuse('A query can have at most 10 clauses.', { param: 'query' });
  if (glues.size > 1) throw refuse('A query cannot mix AND and OR.', { param: 'query' });
  return { clauses, glue: glues.has('OR') ? ' OR ' : ' AND ' };
}

function clauseOf(kind: string, match: RegExpExecArray): FieldTest {
  const [, minus, field = '', operator = '', literal = ''] = match;
  const key = /^metadata\[["'](.+)["']\]$/.exec(field)?.[1];
  const type: FieldKind | undefined = key === undefined ? FIELDS[kind]![field] : 'text';
  if (type === undefined)
    throw refuse(`Field \`${field}\` is not searchable on this kind of object.`, {
      param: 'query',
    });
  const isText = /^["']/.test(literal);
  const written = isText ? literal.slice(1, -1).replaceAll(/\\(.)/g, '$1') : literal;
  const value = literal === 'null' ? null : written;
  const fits =
    operator === ':' ||
    (operator === '~' && type === 'text' && value !== null && value.length >= 3) ||
    (/[<>]/.test(operator) && type === 'number' && value !== null);
  if (!fits)
    throw refuse(`Operator \`${operator}\` cannot be used with \`${field}\` here.`, {
      param: 'query',
    });
  if (value !== null && type === 'number' && !/^-?\d{1,15}$/.test(value))
    throw refuse(`\`${field}\` is compared with a number.`, { param: 'query' });
  if (value !== null && type === 'flag' && value !== 'true' && value !== 'false')
    throw refuse(`\`${field}\` is compared with 'true' or 'false'.`, { param: 'query' });
  if (value !== null && (type === 'text' || type === 'token') && !isText)
    throw refuse(`\`${field}\` is compared with text in quotation marks.`, { param: 'query' });
  return {
    path: key === undefined ? `$.${field}` : `$.metadata."${key}"`,
    kind: type,
    operator: operator as FieldTest['operator'],
    value,
    not: minus === '-',
  };
}
