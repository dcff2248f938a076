/**
 * What Stripe stores about an order besides its sum, so that the order can be restored after the
 * database is lost (RULES B2).
 */
import { requireValue } from '#server/domain/require-value.ts';
import type { Fees } from '#server/domain/price/fees.ts';
import { saleTerms, type SaleTerms } from './terms.ts';

/** All that the database has of one line. */
interface RecordedLine extends Fees {
  object_label: string;
  place: string;
  category: string;
  ticket_type: string;
  type_label: string;
  price_id: string;
  price_cents: number;
  whole_size: number;
  list_cents: number | null;
  price_reasons: string | null;
  entry_kind: string | null;
}

/** The tickets of another date that the order replaces, and what they give. */
export interface RecordedExchange {
  from_order_id: string;
  ticket_ids: readonly string[];
  credit_cents: number;
  back_cents: number;
  fee_cents: number;
}

export interface OrderRecord {
  event_id: string;
  number: string;
  created_at: number;
  lines: RecordedLine[];
  /** An older record may lack some; what a newer one has beyond is left out. */
  terms: Partial<SaleTerms>;
  /** The rules that made its prices; null: none, or they found no room. */
  priced_by: string | null;
  /** The name of the phase of list prices; null: none. */
  sold_in_phase: string | null;
  /** Left out: it replaces none. */
  replaces?: RecordedExchange | undefined;
}

/** What stands for the hold of an order that only Stripe had after a restore. */
export function recoveredToken(order_id: string): string {
  return `recovered:${order_id}`;
}

/** Stripe's limits: characters of one value, and how many values we use. */
const mostCharacters = 500;
const mostParts = 40;
const partName = (n: number) => `order_${n}`;

/**
 * The metadata of a session; empty if the record does not fit. Without room it says less of what
 * made the prices: first the rules are left out, then list prices and reasons.
 */
export function spellRecord(record: OrderRecord): Record<string, string> {
  const unruled = { ...record, priced_by: null };
  const nothing = { list_cents: null, price_reasons: null, entry_kind: null };
  const bare = unruled.lines.map((line) => ({ ...line, ...nothing }));
  for (const spoken of [record, unruled, { ...unruled, lines: bare }]) {
    const parts = textOf(spoken).match(new RegExp(`.{1,${mostCharacters}}`, 'gsu')) ?? [];
    if (parts.length <= mostParts)
      return Object.fromEntries(parts.map((part, at) => [partName(at), part]));
  }
  return {};
}

function textOf(record: OrderRecord): string {
  const { event_id, number, created_at, lines, terms, priced_by } = record;
  const kinds = [...new Set(lines.map(kindOf))];
  const rules = priced_by === null ? [] : [JSON.parse(priced_by) as unknown];
  return JSON.stringify([
    1,
    event_id,
    number,
    created_at,
    kinds.map((kind) => JSON.parse(kind) as unknown),
    lines.map((line) => [
      kinds.indexOf(kindOf(line)),
      line.place,
      ...(line.object_label === line.place ? [] : [line.object_label]),
    ]),
    // Behind the terms, where a program of before 1.5.0 leaves it out.
    [...saleTerms.map((name) => terms[name] ?? null), ...moreOf(record)],
    ...rules,
  ]);
}

function moreOf({ sold_in_phase, replaces }: OrderRecord): [More?] {
  if (sold_in_phase === null && replaces === undefined) return [];
  return [
    { ...(sold_in_phase !== null && { phase: sold_in_phase }), ...(replaces && { replaces }) },
  ];
}

/** Lines of one kind differ only by their place. */
function kindOf(line: RecordedLine): string {
  const { category, ticket_type, type_label, price_id, price_cents, fee_cents, whole_size } = line;
  const kind: Kind = [category, ticket_type, type_label, price_id, price_cents, fee_cents];
  const reasons: unknown = line.price_reasons === null ? null : JSON.parse(line.price_reasons);
  const more = [whole_size, line.list_cents, reasons, line.entry_kind, line.service_cents];
  const said = more.findLastIndex((value) => value !== null && value !== 0) + 1;
  return JSON.stringify([...kind, ...more.slice(0, said)]);
}

/**
 * What a line was sold for; at the end, as far as it is known, how many places it has, its list
 * price, its reasons, its kind of entry, and the service commission in its fees.
 */
type Kind = [
  ...[string, string, string, string, number, number],
  ...[number?, (number | null)?, unknown?, (string | null)?, number?],
];

function soldFor(kind: Kind): Omit<RecordedLine, 'object_label' | 'place'> {
  const [
    category,
    ticket_type,
    type_label,
    price_id,
    price_cents,
    fee_cents,
    whole_size = 0,
    list_cents = null,
    reasons = null,
    entry_kind = null,
    service_cents = 0,
  ] = kind;
  return {
    category,
    ticket_type,
    type_label,
    price_id,
    price_cents,
    fee_cents,
    service_cents,
    whole_size,
    list_cents,
    price_reasons: reasons === null ? null : JSON.stringify(reasons),
    entry_kind,
  };
}

interface More {
  phase?: string;
  replaces?: RecordedExchange;
}

function isMore(value: unknown): value is More {
  return typeof value === 'object' && value !== null;
}

/** Null: not a record of ours, or of another version. */
export function readRecord(metadata: Readonly<Record<string, string>>): OrderRecord | null {
  let text = '';
  for (let at = 0; metadata[partName(at)] !== undefined; at += 1) text += metadata[partName(at)];
  try {
    const [version, event_id, number, created_at, kinds, lines, terms = [], rules] = JSON.parse(
      text,
    ) as [
      number,
      string,
      string,
      number,
      Kind[],
      [number, string, string?][],
      (SaleTerms[keyof SaleTerms] | More)[]?,
      unknown?,
    ];
    if (version !== 1) return null;
    const more = terms.find(isMore);
    return {
      event_id,
      number,
      created_at,
      lines: lines.map(([at, place, object_label = place]) => ({
        object_label,
        place,
        ...soldFor(requireValue(kinds[at], 'kind of this line')),
      })),
      terms: Object.fromEntries(
        terms
          .slice(0, saleTerms.length)
          .filter((value) => !isMore(value))
          .map((value, at) => [saleTerms[at], value]),
      ),
      priced_by: rules === undefined ? null : JSON.stringify(rules),
      sold_in_phase: more?.phase ?? null,
      ...(more?.replaces && { replaces: more.replaces }),
    };
  } catch {
    return null;
  }
}
