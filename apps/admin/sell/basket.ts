/** The basket: the seats chosen on the map, each with its ticket type. */
import { chosenName, placeKindOf, type ChosenObject } from '#apps/shared/chosen-place.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readTill } from '#server/contract/counter.ts';
import { priceLines, type LineAsked } from '#server/domain/price/page-cart.ts';
import type { SaleRule } from '#server/domain/price/sale-rule.ts';
import type { Fees } from '#server/domain/price/fees.ts';
import { fullPrice, fullPriceOf, placesCents, priceOf } from '#server/domain/price/pricing.ts';
import { wholeWords } from '#server/domain/seat/seat-name.ts';
import { placesPaid, type WholeOffer } from '#server/domain/seat/whole.ts';

export type Till = ReplyOf<typeof readTill>;

export interface BasketLine {
  object_id: string;
  /** True for a standing area, whose places can be chosen again after a sale. */
  isArea: boolean;
  /** Of a table sold whole with its places. */ name: string;
  /** How many places of a standing area, or how many guests come to a table sold whole. */
  quantity: number;
  /** How the table is sold whole; null: it is not. */
  whole: WholeOffer | null;
  /** How many tickets are paid and printed. */
  tickets: number;
  ticket_type: string;
  type_label: string;
  /** Cents, with the fee; null: this place has no price. */
  unit_cents: number | null;
  /** Cents of all its tickets. */
  cents: number | null;
  /** What they cost without price rules, and why they cost less; null: no rule lowers them. */
  list_cents: number | null;
  reason: string | null;
  /** As price rules see them. */
  sold: LineAsked | null;
  types: { ticketType: string; label: string; cents: number }[];
}

/** What the seller said about objects: a ticket type, and how many come to a table. */
export interface Said {
  types: Readonly<Record<string, string>>;
  coming: Readonly<Record<string, number>>;
}

/** Without a ticket type the category's first is sold, without a number the whole table. */
export function basketOf(
  objects: readonly ChosenObject[],
  till: Pick<Till, 'pricing' | 'whole_objects' | 'per_order'> & {
    price_rules: readonly SaleRule[];
  },
  said: Said,
): BasketLine[] {
  const lines = listedOf(objects, till, said);
  const asked = lines.flatMap(({ sold }) => sold ?? []);
  const sale = { channel: 'till', per_order: till.per_order } as const;
  const priced = priceLines(asked, till.price_rules, sale).values();
  return lines.map((line) => {
    const lowered = line.sold === null ? undefined : priced.next().value;
    if (lowered === undefined || lowered.reason === null) return line;
    const { cents, reason } = lowered;
    return { ...line, cents, reason, list_cents: line.cents };
  });
}

/** At list prices. */
function listedOf(
  objects: readonly ChosenObject[],
  { pricing, whole_objects }: Pick<Till, 'pricing' | 'whole_objects'>,
  { types, coming }: Said,
): BasketLine[] {
  return objects.flatMap((object) => {
    const kind = placeKindOf(object);
    if (kind === undefined) return [];
    const category = {
      key: String(object.category?.key ?? ''),
      label: object.category?.label ?? '',
    };
    const offered =
      pricing.find((entry) => entry.category === category.key || entry.category === category.label)
        ?.ticketTypes ?? [];
    const ticket_type = types[object.label] ?? offered[0]?.ticketType ?? '';
    const price = priceOf(pricing, category, ticket_type);
    const whole = whole_objects.find(({ labels }) => labels.includes(object.label)) ?? null;
    const quantity = whole
      ? (coming[object.label] ?? whole.places)
      : kind === 'area'
        ? (object.numSelected ?? 1)
        : 1;
    const tickets = whole ? placesPaid(whole, quantity) : quantity;
    return {
      object_id: object.label,
      isArea: kind === 'area' && whole === null,
      name:
        whole === null
          ? chosenName(object)
          : wholeWords(kind, { name: chosenName(object), paid: tickets, places: whole.places }),
      quantity,
      whole,
      tickets,
      ticket_type,
      type_label: price?.label ?? 'Senza prezzo',
      unit_cents: price && fullPrice(price),
      cents: price && fullPriceOf(price, { places: tickets, per: whole?.price_per }),
      list_cents: null,
      reason: null,
      sold: price && {
        category: category.label,
        ticket_type,
        places_cents: placesCents(price.unit_amount, { places: tickets, per: whole?.price_per }),
        bears: price.bears,
        whole: whole && object.label,
      },
      types: offered.map((type) => ({
        ticketType: type.ticketType,
        label: type.label,
        cents: fullPrice(type),
      })),
    };
  });
}

/** Cents, with what the order bears once if any of it is paid. */
export function totalOf(lines: readonly BasketLine[], per_order: Fees): number {
  const sum = lines.reduce((all, { cents }) => all + (cents ?? 0), 0);
  return sum === 0 ? 0 : sum + per_order.fee_cents;
}
