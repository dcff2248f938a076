/**
 * The summary for the accountant: for each event and day in Rome what came in, what was given
 * back, and the VAT in the difference (RULES L7).
 */
import {
  feesByHour,
  paymentsByHour,
  refundsByHour,
  taxedEvents,
  type MoneySpan,
  type TaxedEvent,
} from '#db/papers/summaries.ts';
import {
  noMoney,
  sumDays,
  sumRates,
  wayOf,
  type ByWay,
  type Moved,
  type RateLine,
  type Rates,
  type Summed,
} from '#server/domain/papers/summary.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { dayOf, dayText, romeDay, startOfDay } from '#server/domain/time/rome-clock.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';

export interface SummaryAsk {
  /** The first and last day, in Rome. */
  from: string;
  to: string;
  event_id?: string;
}

export interface Sums extends Summed {
  taken: ByWay;
  given: ByWay;
}
export interface EventSums extends Sums {
  event: TaxedEvent;
}
interface SummaryRow extends EventSums, MovedOnDay {}

export interface Summary {
  from: string;
  to: string;
  rows: SummaryRow[];
  events: EventSums[];
  rates: RateLine[];
  total: Sums;
}

/** Longer than a season, and few enough for a readable file. */
const mostDays = 800;

/**
 * @throws Refusal summary_span for days that are invalid, too far apart or in the wrong order;
 * event_not_found
 */
export async function readSummary(ctx: Ctx, { from, to, event_id }: SummaryAsk): Promise<Summary> {
  const times = timesOf({ from, to });
  if (event_id !== undefined) await knownEvent(ctx, event_id);
  const span = { event_ids: event_id === undefined ? null : [event_id], ...times };
  const moved = await movedByDay(ctx, span);
  const events = await taxedEvents(ctx.db, [...new Set(moved.map((one) => one.event_id))]);
  const byRates = Map.groupBy([...(await earlierDays(ctx, moved, span)), ...moved], ratedEvent);
  const rows = [...byRates.values()]
    .flatMap((days) => {
      const { event_id, ...day } = requireValue(days[0], 'day');
      const rates = ratesOf(day);
      const event = { ...requireValue(events.get(event_id), 'event'), ...rates };
      return sumDays(days, rates).map((row) => ({ ...row, event }));
    })
    .filter(({ day }) => day >= from)
    .toSorted(
      (one, other) =>
        one.day.localeCompare(other.day) || one.event.starts_at - other.event.starts_at,
    );
  return {
    from,
    to,
    rows,
    events: [...events.values()]
      .toSorted((one, other) => one.starts_at - other.starts_at)
      .map((event) => ({ event, ...addUp(rows.filter((row) => row.event.id === event.id)) })),
    rates: sumRates(rows.map((row) => ({ ...row, ...row.event }))),
    total: addUp(rows),
  };
}

/**
 * From the first moment of the first day until the last one has ended.
 * @throws Refusal summary_span
 */
export function timesOf({ from, to }: Pick<SummaryAsk, 'from' | 'to'>) {
  const days = dayOf(to) - dayOf(from) + 1;
  if (!(days > 0 && days <= mostDays)) throw new Refusal('summary_span');
  return { from: startOfDay(dayOf(from)), to: startOfDay(dayOf(to) + 1) };
}

interface MovedOnDay extends Moved, Rates {
  event_id: string;
}

/** The orders of an event that were sold with the same rates are summed together. */
function ratedEvent({ event_id, ...rates }: Rates & { event_id: string }) {
  return JSON.stringify([event_id, ratesOf(rates)]);
}

function ratesOf({ vat_percent, fee_vat_percent, service_vat_percent }: Rates): Rates {
  return { vat_percent, fee_vat_percent, service_vat_percent };
}

/** What events with refunds took in before the span, to find the VAT in those refunds. */
async function earlierDays(
  ctx: Ctx,
  moved: readonly MovedOnDay[],
  { from }: MoneySpan,
): Promise<MovedOnDay[]> {
  const gave = moved.filter(({ given }) => Object.values(given).some((cents) => cents > 0));
  const event_ids = [...new Set(gave.map(({ event_id }) => event_id))];
  const rated = new Set(gave.map(ratedEvent));
  const earlier = await movedByDay(ctx, { event_ids, from: 0, to: from });
  return earlier.filter((one) => rated.has(ratedEvent(one)));
}

const hourMs = 3_600_000;

async function movedByDay(ctx: Ctx, span: MoneySpan): Promise<MovedOnDay[]> {
  const found = new Map<string, MovedOnDay>();
  const at = ({ hour, ...of }: Rates & { event_id: string; hour: number }) => {
    const day = dayText(romeDay(hour * hourMs));
    const key = `${day} ${ratedEvent(of)}`;
    const known = found.get(key) ?? {
      event_id: of.event_id,
      ...ratesOf(of),
      day,
      taken: noMoney(),
      given: noMoney(),
      fee_taken_cents: 0,
      fee_given_cents: 0,
      service_taken_cents: 0,
      service_given_cents: 0,
    };
    found.set(key, known);
    return known;
  };
  for (const row of await paymentsByHour(ctx.db, span))
    at(row).taken[wayOf(row)] += row.amount_cents;
  for (const row of await feesByHour(ctx.db, span)) {
    at(row).fee_taken_cents += row.fee_cents;
    at(row).service_taken_cents += row.service_cents;
  }
  for (const row of await refundsByHour(ctx.db, span)) {
    at(row).given[wayOf(row)] += row.amount_cents;
    at(row).fee_given_cents += row.fee_cents;
    at(row).service_given_cents += row.service_cents;
  }
  return [...found.values()];
}

/** Adds lines whose VAT is computed already, so that nothing is rounded twice. */
function addUp(rows: readonly SummaryRow[]): Sums {
  const total = {
    gross_cents: 0,
    refunded_cents: 0,
    net_cents: 0,
    tickets_cents: 0,
    tickets_net_cents: 0,
    tickets_vat_cents: 0,
    fees_cents: 0,
    fees_net_cents: 0,
    fees_vat_cents: 0,
    service_cents: 0,
    service_net_cents: 0,
    service_vat_cents: 0,
  } satisfies Summed;
  const taken = noMoney();
  const given = noMoney();
  for (const row of rows) {
    for (const name of Object.keys(total) as (keyof Summed)[]) total[name] += row[name];
    for (const way of Object.keys(taken) as (keyof ByWay)[]) {
      taken[way] += row.taken[way];
      given[way] += row.given[way];
    }
  }
  return { ...total, taken, given };
}
