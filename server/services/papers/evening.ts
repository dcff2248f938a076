/**
 * The summary of an event, laid out like a borderò: for each ordine di posti and type of ticket,
 * how many were sold at each price, and the VAT in it (RULES L7).
 */
import { countSeals } from '#db/papers/papers.ts';
import { placesByCategory, ticketsByPrice, type SoldTickets } from '#db/papers/summaries.ts';
import type { EventRow } from '#db/rows.ts';
import {
  entryKindOf,
  entryKinds,
  sumRates,
  taxed,
  type EntryKind,
} from '#server/domain/papers/summary.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { compareNames } from '#server/domain/seat/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { pricingOf } from '#server/domain/price/pricing.ts';

type SoldKind = Omit<SoldTickets, 'entry_kind' | 'list_cents'> & { kind: EntryKind };
/** `service_of_one`: the commission in the fee of one ticket; `service_cents` is their sum. */
export type EveningLine = SoldKind & ReturnType<typeof taxed> & { service_of_one: number };

export type Evening = Awaited<ReturnType<typeof readEvening>>;

/** @throws Refusal event_not_found */
export async function readEvening(ctx: Ctx, event_id: string) {
  const event = await knownEvent(ctx, event_id);
  const halls = await placesByCategory(ctx.db, event_id);
  const lines = linesOf(event, halls, await ticketsByPrice(ctx.db, event_id));
  const sold = lines.filter(({ state }) => state === 'valid');
  const annulled = lines.filter(({ state }) => state === 'void' || state === 'refunded');
  const names = [...new Set([...halls, ...sold].map(({ category }) => category))];
  const { tickets, sealed } = await countSeals(ctx.db, event_id);
  return {
    event,
    made_at: ctx.now(),
    categories: names.map((category) => ({
      category,
      places: halls
        .filter((hall) => hall.category === category)
        .reduce((sum, { places }) => sum + places, 0),
      lines: sold.filter((line) => line.category === category),
    })),
    places: halls.reduce((sum, { places }) => sum + places, 0),
    total: addUp(sold),
    annulled,
    annulled_total: addUp(annulled),
    rates: sumRates(sold),
    seals: { tickets, sealed },
  };
}

/** The lines, sorted by ordine di posti, then full, reduced and free, the dearest first. */
function linesOf(
  event: EventRow,
  halls: readonly { category: string; category_key: string }[],
  tickets: readonly SoldTickets[],
): EveningLine[] {
  const pricing = pricingOf(event);
  const kinds = tickets.map(({ entry_kind, list_cents, ...row }) => {
    const category_key = halls.find(({ category }) => category === row.category)?.category_key;
    // What the price list says today decides only about what was sold before 1.4.0.
    const kind = entry_kind ?? entryKindOf({ ...row, list_cents, category_key }, pricing);
    return { ...row, kind };
  });
  return addAlike(kinds)
    .map((row) => {
      const { price_cents, fee_cents, service_cents, tickets: count } = row;
      const sums = {
        tickets_cents: price_cents * count,
        fee_cents: fee_cents * count,
        service_cents: service_cents * count,
      };
      return { ...row, ...taxed(sums, row), service_of_one: service_cents };
    })
    .toSorted(
      (one, other) =>
        compareNames(one.category, other.category) ||
        entryKinds.indexOf(one.kind) - entryKinds.indexOf(other.kind) ||
        other.price_cents - one.price_cents ||
        compareNames(one.type_label, other.type_label),
    );
}

/** Tickets that read alike stand in one line, whatever their list prices were. */
function addAlike(rows: readonly SoldKind[]): SoldKind[] {
  const alike = Map.groupBy(rows, (row) => JSON.stringify({ ...row, tickets: 0 }));
  return [...alike.values()].map((same) => ({
    ...requireValue(same[0], 'line'),
    tickets: same.reduce((sum, { tickets }) => sum + tickets, 0),
  }));
}

function addUp(lines: readonly EveningLine[]) {
  const sum = (name: 'tickets' | keyof ReturnType<typeof taxed>) =>
    lines.reduce((total, line) => total + line[name], 0);
  return {
    tickets: sum('tickets'),
    tickets_cents: sum('tickets_cents'),
    tickets_net_cents: sum('tickets_net_cents'),
    tickets_vat_cents: sum('tickets_vat_cents'),
    fees_cents: sum('fees_cents'),
    fees_net_cents: sum('fees_net_cents'),
    fees_vat_cents: sum('fees_vat_cents'),
    service_cents: sum('service_cents'),
    service_net_cents: sum('service_net_cents'),
    service_vat_cents: sum('service_vat_cents'),
  };
}
