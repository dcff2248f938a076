/**
 * Prices that the present Stripe account does not know, after the keys have changed: lists them,
 * and makes them anew with the names and amounts that they had.
 */
import { listEvents, lockEvent, saveEvent } from '#db/event/events.ts';
import { allShows, lockShow, updateShow } from '#db/event/shows.ts';
import { knownAmounts } from '#db/payment/made-prices.ts';
import type { EventRow, ShowRow } from '#db/rows.ts';
import { oneAtATime, type Trx } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import { productNames } from '#server/domain/price/price-matrix.ts';
import { pricedOf, type PricePhase } from '#server/domain/price/phase.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { pricesIn } from './chart.ts';
import { makePricesAgain } from './made-prices.ts';
import { doubtPrices, forgetPrices, pricesForOffice } from './prices.ts';

type Priced = Pick<EventRow, 'id' | 'title' | 'seat_pricing' | 'price_phases' | 'fee_price_id'>;

interface LostPrice {
  price_id: string;
  /** What a buyer reads at the checkout. */
  name: string;
  /** Null: the house has neither typed nor sold it, so that a person must say it. */
  cents: number | null;
}

interface LostShow {
  id: string;
  title: string;
  /** Coming dates that name one of the prices. */
  dates: number;
  prices: LostPrice[];
}

/** The shows with a price that Stripe lacks; each price is listed once, with its first show. */
export async function lostPrices(ctx: Ctx): Promise<LostShow[]> {
  const naming = await whoSells(ctx);
  const named = naming.flatMap(({ show, dates }) => [show, ...dates]);
  const { unknown } = await pricesForOffice(ctx, [...new Set(named.flatMap(idsOf))]);
  const amounts = await knownAmounts(ctx.db, unknown);
  const left = new Set(unknown);
  return naming.flatMap(({ show, dates }) => {
    const names = new Map(
      [...dates, show].flatMap((one) => [
        ...productNames({ ...pricedOf(one), title: one.title || one.id }),
      ]),
    );
    const prices = [...names].flatMap(([price_id, name]) =>
      left.delete(price_id) ? [{ price_id, name, cents: amounts.get(price_id) ?? null }] : [],
    );
    const affected = dates.filter((date) => idsOf(date).some((id) => unknown.includes(id)));
    return prices.length === 0
      ? []
      : [{ id: show.id, title: show.title || show.id, dates: affected.length, prices }];
  });
}

function idsOf(priced: Priced): string[] {
  return pricesIn(pricedOf(priced));
}

/** Shows that may still sell, with their coming dates; in a live house without the demo. */
async function whoSells(ctx: Ctx): Promise<{ show: ShowRow; dates: EventRow[] }[]> {
  const events = (await listEvents(ctx.db)).filter(
    ({ status, demo }) => status !== 'cancelled' && !(demo === 1 && ctx.payments.live),
  );
  const over = new Set(events.flatMap(({ show_id }) => show_id ?? []));
  const coming = Map.groupBy(
    events.filter(({ starts_at }) => starts_at > ctx.now()),
    ({ show_id }) => show_id ?? '',
  );
  return (await allShows(ctx.db)).flatMap((show) => {
    const dates = coming.get(show.id) ?? [];
    return dates.length > 0 || !over.has(show.id) ? [{ show, dates }] : [];
  });
}

/**
 * Makes the lost prices at the present account and puts them in the place of the old ids.
 * `amounts`: in cents by price id, for prices whose amount is not known here.
 * @throws Refusal price_amount_missing, provider_silent
 */
export async function renewPrices(
  ctx: Ctx,
  { amounts, actor }: { amounts: Readonly<Record<string, number>>; actor: Actor },
): Promise<void> {
  await oneAtATime(ctx.db, async () => {
    const lost = await lostPrices(ctx);
    const wishes = lost.flatMap(({ prices }) =>
      prices.map(({ price_id, name, cents }) => {
        const unit_amount = cents ?? amounts[price_id];
        if (unit_amount === undefined) throw new Refusal('price_amount_missing', { name });
        return { name, unit_amount, instead_of: price_id };
      }),
    );
    const made = await makePricesAgain(ctx, wishes, { subject: 'prices', actor });
    ctx.fault('prices_made_again');
    const fresh = new Map(wishes.map(({ instead_of }, nth) => [instead_of, made[nth] ?? '']));
    if (fresh.size > 0) await putInPlace(ctx, fresh, actor);
  });
}

async function putInPlace(
  ctx: Ctx,
  fresh: ReadonlyMap<string, string>,
  actor: Actor,
): Promise<void> {
  const naming = (await whoSells(ctx)).map(({ show, dates }) => ({
    show,
    dates: dates.filter((date) => idsOf(date).some((id) => fresh.has(id))),
  }));
  await transact(ctx.db, async (trx) => {
    for (const { show, dates } of naming) {
      const isNamed = idsOf(show).some((id) => fresh.has(id));
      if (!isNamed && dates.length === 0) continue;
      if (isNamed) await renewShow(ctx, trx, { id: show.id, fresh });
      for (const { id } of dates) await renewDate(ctx, trx, { id, fresh });
      await happened(ctx, trx, {
        actor,
        action: 'prices_renewed',
        subject: show.id,
        detail: { prices: Object.fromEntries(fresh), dates: dates.map(({ id }) => id) },
      });
    }
  });
  forgetPrices(ctx, [...fresh.keys(), ...fresh.values()]);
  await doubtPrices(ctx);
}

interface Renewal {
  id: string;
  fresh: ReadonlyMap<string, string>;
}

async function renewShow(ctx: Ctx, trx: Trx, { id, fresh }: Renewal): Promise<void> {
  const show = await lockShow(trx, id);
  if (show) await updateShow(trx, id, { ...renewed(show, fresh), updated_at: ctx.now() });
}

async function renewDate(ctx: Ctx, trx: Trx, { id, fresh }: Renewal): Promise<void> {
  const event = await lockEvent(trx, id);
  if (!event) return;
  await saveEvent(trx, event, { ...renewed(event, fresh), updated_at: ctx.now() });
  // Closes the differences that named the old prices.
  await queueTask(ctx, trx, { task: 'watch_prices', subject: id });
}

function renewed(priced: Priced, fresh: ReadonlyMap<string, string>) {
  const { seat_pricing, price_phases, fee_price_id } = pricedOf(priced);
  const renew = (id: string) => fresh.get(id) ?? id;
  return {
    seat_pricing: JSON.stringify(
      seat_pricing.map((entry) => ({
        ...entry,
        ticketTypes: entry.ticketTypes.map((type) => ({
          ...type,
          price_id: renew(type.price_id),
        })),
      })),
    ),
    price_phases:
      priced.price_phases && JSON.stringify(price_phases.map((one) => renewedPhase(one, renew))),
    fee_price_id: fee_price_id === null ? null : renew(fee_price_id),
  };
}

function renewedPhase(phase: PricePhase, renew: (id: string) => string): PricePhase {
  const prices = Object.entries(phase.prices).map(([last, early]) => [renew(last), renew(early)]);
  return { ...phase, prices: Object.fromEntries(prices) };
}
