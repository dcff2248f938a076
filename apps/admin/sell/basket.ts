/** The basket: the seats chosen on the map, each with its ticket type. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readTill } from '#server/contract/counter.ts';
import { fullPrice, priceOf } from '#server/domain/price/pricing.ts';
import { seatName, type PlaceKind } from '#server/domain/seat/seat-name.ts';

export type Till = ReplyOf<typeof readTill>;
type Pricing = Till['pricing'];

/** The used part of the chart's objects. */
export interface ChosenObject {
  label: string;
  labels: { own: string; parent?: string; section?: string };
  objectType: string;
  category?: { key: string | number; label: string };
  numSelected?: number;
}

export interface BasketLine {
  object_id: string;
  isArea: boolean;
  name: string;
  quantity: number;
  ticket_type: string;
  type_label: string;
  /** Cents, with the fee; null: this place has no price. */
  unit_cents: number | null;
  types: { ticketType: string; label: string; cents: number }[];
}

const kinds: Record<string, PlaceKind> = {
  Seat: 'seat',
  Table: 'table',
  Booth: 'booth',
  GeneralAdmissionArea: 'area',
};

/** `given` maps objects to the seller's ticket types; default: the category's first. */
export function basketOf(
  objects: readonly ChosenObject[],
  pricing: Pricing,
  given: Readonly<Record<string, string>>,
): BasketLine[] {
  return objects.flatMap((object) => {
    const kind = kinds[object.objectType];
    if (kind === undefined) return [];
    const { own, parent, section } = object.labels;
    const category = {
      key: String(object.category?.key ?? ''),
      label: object.category?.label ?? '',
    };
    const offered =
      pricing.find((entry) => entry.category === category.key || entry.category === category.label)
        ?.ticketTypes ?? [];
    const ticket_type = given[object.label] ?? offered[0]?.ticketType ?? '';
    const price = priceOf(pricing, category, ticket_type);
    return {
      object_id: object.label,
      isArea: kind === 'area',
      name: seatName({ kind, section: section ?? null, row: parent ?? null, seat: own }),
      quantity: kind === 'area' ? (object.numSelected ?? 1) : 1,
      ticket_type,
      type_label: price?.label ?? 'Senza prezzo',
      unit_cents: price && fullPrice(price),
      types: offered.map((type) => ({
        ticketType: type.ticketType,
        label: type.label,
        cents: fullPrice(type),
      })),
    };
  });
}

/** Cents. */
export function totalOf(lines: readonly BasketLine[]): number {
  return lines.reduce((sum, line) => sum + (line.unit_cents ?? 0) * line.quantity, 0);
}
