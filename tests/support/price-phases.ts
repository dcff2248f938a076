/** Phases of list prices in tests: prices made at Stripe, phases written into a date's row. */
import type { PhaseEnd, PricePhase } from '#server/domain/price/phase.ts';
import { pricingOf } from '#server/domain/price/pricing.ts';
import { demoEvent } from './make.ts';
import type { TestServer } from './server.ts';

interface Phase {
  name: string;
  until: PhaseEnd;
  /** The price of a full ticket of the stalls in this phase, in cents. */
  cents: number;
}

/** Gives a date phases in which a full ticket of the stalls costs something else. */
export async function setPhases(
  server: TestServer,
  phases: readonly Phase[],
  id: string = demoEvent,
): Promise<PricePhase[]> {
  const { db, payments } = server.house.ctx;
  const event = await db('events').where({ id }).first();
  const last = priceOfStalls(event);
  const made: PricePhase[] = [];
  for (const [nth, { name, until, cents }] of phases.entries()) {
    const lookup_key = `${id}-phase-${nth}`;
    const price = await payments.ensurePrice({ lookup_key, product: name, unit_amount: cents });
    made.push({ id: `phase-${nth}`, name, until, prices: { [last]: price } });
  }
  await db('events')
    .where({ id })
    .update({ price_phases: JSON.stringify(made), phase_turns: null });
  return made;
}

/** The price id of a full ticket of the stalls after all phases. */
export function priceOfStalls(event: { seat_pricing: string }): string {
  const stalls = pricingOf(event).find(({ category }) => category === 'Platea');
  return stalls!.ticketTypes.find(({ ticketType }) => ticketType === 'intero')!.price_id;
}
