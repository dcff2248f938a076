/**
 * What Stripe keeps of an order beside its sum, so that the order can be written again after the
 * database is lost (RULES B2).
 */
import { requireValue } from '#server/domain/require-value.ts';

/** All that the database holds of one line. */
interface RecordedLine {
  object_label: string;
  place: string;
  category: string;
  ticket_type: string;
  type_label: string;
  price_id: string;
  price_cents: number;
  fee_cents: number;
}

export interface OrderRecord {
  event_id: string;
  number: string;
  created_at: number;
  lines: RecordedLine[];
}

/**
 * Stripe's bounds: the characters of one value, and the number of values, most of which we leave
 * to others.
 */
const mostCharacters = 500;
const mostParts = 40;
const partName = (n: number) => `order_${n}`;

/** As metadata of a session; empty where it does not fit. */
export function spellRecord({
  event_id,
  number,
  created_at,
  lines,
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
  ]);
  const parts = text.match(new RegExp(`.{1,${mostCharacters}}`, 'gsu')) ?? [];
  if (parts.length > mostParts) return {};
  return Object.fromEntries(parts.map((part, at) => [partName(at), part]));
}

/** Lines of one price differ by their place only. */
function kindOf(line: RecordedLine): string {
  const { category, ticket_type, type_label, price_id, price_cents, fee_cents } = line;
  return JSON.stringify([category, ticket_type, type_label, price_id, price_cents, fee_cents]);
}

type Kind = [string, string, string, string, number, number];

/** Null: it is none of ours, or another version's. */
export function readRecord(metadata: Readonly<Record<string, string>>): OrderRecord | null {
  let text = '';
  for (let at = 0; metadata[partName(at)] !== undefined; at += 1) text += metadata[partName(at)];
  try {
    const [version, event_id, number, created_at, kinds, lines] = JSON.parse(text) as [
      number,
      string,
      string,
      number,
      Kind[],
      [number, string, string?][],
    ];
    if (version !== 1) return null;
    return {
      event_id,
      number,
      created_at,
      lines: lines.map(([at, place, object_label = place]) => {
        const kind = requireValue(kinds[at], 'kind of this line');
        const [category, ticket_type, type_label, price_id, price_cents, fee_cents] = kind;
        return {
          object_label,
          place,
          category,
          ticket_type,
          type_label,
          price_id,
          price_cents,
          fee_cents,
        };
      }),
    };
  } catch {
    return null;
  }
}
