/**
 * What Stripe stores about an order besides its sum, so that the order can be restored after the
 * database is lost (RULES B2).
 */
import { requireValue } from '#server/domain/require-value.ts';
import { saleTerms, type SaleTerms } from './terms.ts';

/** All that the database has of one line. */
interface RecordedLine {
  object_label: string;
  place: string;
  category: string;
  ticket_type: string;
  type_label: string;
  price_id: string;
  price_cents: number;
  fee_cents: number;
  whole_size: number;
}

export interface OrderRecord {
  event_id: string;
  number: string;
  created_at: number;
  lines: RecordedLine[];
  /** An older record may lack some; what a newer one has beyond is left out. */
  terms: Partial<SaleTerms>;
}

/** What stands for the hold of an order that only Stripe had after a restore. */
export function recoveredToken(order_id: string): string {
  return `recovered:${order_id}`;
}

/** Stripe's limits: characters of one value, and how many values we use. */
const mostCharacters = 500;
const mostParts = 40;
const partName = (n: number) => `order_${n}`;

/** The metadata of a session; empty if the record does not fit. */
export function spellRecord({
  event_id,
  number,
  created_at,
  lines,
  terms,
}: OrderRecord): Record<string, string> {
  const kinds = [...new Set(lines.map(kindOf))];
  const text = JSON.stringify([
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
    saleTerms.map((name) => terms[name] ?? null),
  ]);
  const parts = text.match(new RegExp(`.{1,${mostCharacters}}`, 'gsu')) ?? [];
  if (parts.length > mostParts) return {};
  return Object.fromEntries(parts.map((part, at) => [partName(at), part]));
}

/** Lines of one kind differ only by their place. */
function kindOf(line: RecordedLine): string {
  const { category, ticket_type, type_label, price_id, price_cents, fee_cents, whole_size } = line;
  const kind: Kind = [category, ticket_type, type_label, price_id, price_cents, fee_cents];
  if (whole_size > 0) kind.push(whole_size);
  return JSON.stringify(kind);
}

type Kind = [string, string, string, string, number, number, number?];

/** Null: not a record of ours, or of another version. */
export function readRecord(metadata: Readonly<Record<string, string>>): OrderRecord | null {
  let text = '';
  for (let at = 0; metadata[partName(at)] !== undefined; at += 1) text += metadata[partName(at)];
  try {
    const [version, event_id, number, created_at, kinds, lines, terms = []] = JSON.parse(text) as [
      number,
      string,
      string,
      number,
      Kind[],
      [number, string, string?][],
      SaleTerms[keyof SaleTerms][]?,
    ];
    if (version !== 1) return null;
    return {
      event_id,
      number,
      created_at,
      lines: lines.map(([at, place, object_label = place]) => {
        const kind = requireValue(kinds[at], 'kind of this line');
        const [
          category,
          ticket_type,
          type_label,
          price_id,
          price_cents,
          fee_cents,
          whole_size = 0,
        ] = kind;
        return {
          object_label,
          place,
          category,
          ticket_type,
          type_label,
          price_id,
          price_cents,
          fee_cents,
          whole_size,
        };
      }),
      terms: Object.fromEntries(
        terms.slice(0, saleTerms.length).map((value, at) => [saleTerms[at], value]),
      ),
    };
  } catch {
    return null;
  }
}
