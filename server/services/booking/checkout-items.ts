/** What Stripe's page lists: tickets and surcharges, equal ones grouped. */
import type { SurchargeKind } from '#server/domain/price/price-bounds.ts';
import type { EventRow } from '#db/rows.ts';
import type { CheckoutItem } from '#server/adapters/stripe.ts';
import type { PlannedLine } from '#server/domain/order/order.ts';
import { differenceName } from '#server/domain/order/exchange-words.ts';
import { surchargeNames } from '#server/domain/price/surcharge-words.ts';
import { requireValue } from '#server/domain/require-value.ts';

/** Surcharges stand apart, so that a refund can leave them out; what is free is left out. */
export function itemsOf(event: EventRow, lines: readonly PlannedLine[]): CheckoutItem[] {
  const fees = event.surcharges === null ? flatFees(event, lines) : surchargeItems(lines);
  return [...ticketItems(lines), ...fees].filter(({ quantity }) => quantity > 0);
}

/** What an exchange still costs is one item: its tickets are paid for in part by others. */
export function differenceItems(unit_amount: number): CheckoutItem[] {
  return [{ surcharge: { name: differenceName, unit_amount }, quantity: 1 }];
}

function ticketItems(lines: readonly PlannedLine[]): CheckoutItem[] {
  const items = new Map<string, CheckoutItem>();
  const count = (item: Ticket, times: number) => {
    const key = JSON.stringify(item);
    items.set(key, { ...item, quantity: (items.get(key)?.quantity ?? 0) + times });
  };
  for (const line of lines) {
    const { price_id, price_cents: unit_amount } = line;
    if (!isLowered(line, lines)) count({ price_id }, line.buys);
    else if (unit_amount > 0) {
      const product_id = requireValue(line.product_id, 'product');
      count({ price_id, lowered: { product_id, unit_amount } }, 1);
    }
  }
  return [...items.values()];
}

interface Ticket {
  price_id: string;
  lowered?: { product_id: string; unit_amount: number };
}

/** Whether rules lowered the line's price, or that of another place of an object sold whole. */
function isLowered(line: PlannedLine, lines: readonly PlannedLine[]): boolean {
  const bought =
    line.whole_size === 0
      ? [line]
      : lines.filter(({ object_label }) => object_label === line.object_label);
  return bought.some(({ list_cents, price_cents }) => (list_cents ?? price_cents) !== price_cents);
}

/** The presale fee with a price of its own. */
function flatFees({ fee_price_id }: EventRow, lines: readonly PlannedLine[]): CheckoutItem[] {
  const quantity = lines.filter(({ fee_cents }) => fee_cents > 0).length;
  return quantity === 0 ? [] : [{ price_id: requireValue(fee_price_id, 'fee'), quantity }];
}

/** One item for each kind: so many times an amount where tickets bear the same, or the sum. */
function surchargeItems(lines: readonly PlannedLine[]): CheckoutItem[] {
  const itemOf = (kind: SurchargeKind, all: readonly number[]): CheckoutItem[] => {
    const cents = all.filter((one) => one > 0);
    const [first] = cents;
    if (first === undefined) return [];
    const name = surchargeNames[kind];
    if (cents.every((one) => one === first))
      return [{ surcharge: { name, unit_amount: first }, quantity: cents.length }];
    const sum = cents.reduce((total, one) => total + one, 0);
    return [{ surcharge: { name, unit_amount: sum }, quantity: 1 }];
  };
  return [
    ...itemOf(
      'presale',
      lines.map(({ fee_cents, service_cents }) => fee_cents - service_cents),
    ),
    ...itemOf(
      'service',
      lines.map(({ service_cents }) => service_cents),
    ),
  ];
}
