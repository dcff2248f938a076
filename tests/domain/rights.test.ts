/** Every sentence about a right, read on each day around a purchase, against the rule that decides. */
import { parseZonedDateTime } from '@internationalized/date';
import { expect, test } from 'vitest';
import { bareEvent } from '#server/domain/event/event.ts';
import { keptMinutes, minutesKept, minutesLeft } from '#server/domain/door/kept.ts';
import { holderStepOf } from '#server/domain/order/holder.ts';
import { exchangeUntil } from '#server/domain/order/exchange-terms.ts';
import { sayChange, sayExchange, sayNames, saleRights } from '#server/domain/order/right-words.ts';
import { refundEventOf } from '#server/domain/order/terms.ts';
import { isBackable } from '#server/domain/payment/give-back.ts';
import { sayMayAsk } from '#server/domain/payment/refund-words.ts';
import { refundQuote } from '#server/domain/payment/refund-quote.ts';
import type { RefundFacts } from '#server/domain/payment/refund.ts';
import { lastMomentIn } from '#tests/support/italian-dates.ts';

const rome = (text: string) => parseZonedDateTime(`${text}[Europe/Rome]`).toDate().getTime();
/** Summer time begins and ends within two weeks before; one evening begins at midnight. */
const starts = ['2027-03-30T21:00', '2026-10-27T00:00', '2026-12-24T17:30'].map(rome);
const hours = [
  [0, 0.5],
  [12, 0],
  [23, 59.9],
] as const;
const policies = [
  ...(['automatic', 'office'] as const).flatMap((refund_request, keeps) =>
    [
      [10, 15],
      [0, 0],
      [1, 1],
      [365, 0],
    ].map(([refund_days, refund_stop_days]) => ({
      refund_request,
      refund_days: refund_days!,
      refund_stop_days: refund_stop_days!,
      refund_keeps_fees: keeps as 0 | 1,
    })),
  ),
  { ...bareEvent, refund_request: 'never' as const },
];
const event = { ...bareEvent, status: 'published' as const };

/** Days −40 … +1 around the start, each just begun, at noon and almost over. */
function calendar(starts_at: number): number[] {
  const day = (n: number) => parseZonedDateTime(zoned(starts_at)).add({ days: n });
  return Array.from({ length: 42 }, (_, n) => day(n - 40)).flatMap((at) =>
    hours.map(([hour, minute]) =>
      at
        .set({ hour, minute: Math.floor(minute) })
        .toDate()
        .getTime(),
    ),
  );
}
function zoned(at: number): string {
  return `${new Date(at + 3_600_000 * 2).toISOString().slice(0, 10)}T12:00[Europe/Rome]`;
}

function factsAt(now: number, about: RefundFacts['event'], fee_cents = 150): RefundFacts {
  const live = { service_cents: 0, ticket_live: true, used: false };
  const line = { line_id: 'a', price_cents: 2800, fee_cents, ...live };
  const sums = {
    paid_cents: 2800 + fee_cents,
    counted_cents: 0,
    counted_fee_cents: 0,
    counted_service_cents: 0,
  };
  return {
    now,
    confirmed: true,
    event: about,
    disputed: false,
    ...sums,
    lines: [{ ...line, refund: null }],
  };
}
const asked = (facts: RefundFacts) => refundQuote(facts, { by: 'buyer', line_ids: 'all' });

test('what the cart, the order page and the mail say of a refund is what the rule then decides', () => {
  const wrong: unknown[] = [];
  const check = (is: boolean, ...about: unknown[]) => is || wrong.push(about);
  for (const [nth, policy] of policies.entries())
    for (const starts_at of [starts[nth % starts.length]!])
      for (const bought_at of calendar(starts_at)) {
        const sold = { ...event, ...policy, status: 'published' as const, starts_at };
        const about = refundEventOf(sold, bought_at);
        const [cart] = saleRights(sold, { now: bought_at, fees: true });
        const last = lastMomentIn(cart, bought_at);
        const at = (now: number) => asked(factsAt(now, about));
        const keeps = cart.includes('La prevendita non viene restituita');
        check((last === null) === (at(bought_at).obstacle !== null), cart, starts_at, bought_at);
        // The last instant of a day is said by the day alone.
        check(!cart.includes('00:00'), cart);
        if (last !== null) {
          const [still, over] = [at(last), at(last + 1)];
          check(still.obstacle === null && over.obstacle !== null, cart, starts_at, bought_at);
          check(keeps === (still.fee_cents === 0), cart, policy);
        }
        // The order page and the mail are read on later days, too.
        const end = last ?? starts_at;
        for (const now of [bought_at, bought_at + 864e5, end, end + 1]) {
          const facts = factsAt(now, about);
          const { obstacle } = asked(facts);
          const words = sayMayAsk({ facts, obstacle, answer_by: null })!;
          check(lastMomentIn(words, now) === (obstacle === null ? last : null), words, now);
        }
      }
  expect(wrong).toEqual([]);
});

test('a free place is kept until the later of two moments, and let go at the minute', () => {
  const event = { starts_at: 60 * 60_000, free_until_minutes: 15 };
  const at = 45 * 60_000;
  expect([keptMinutes(15, 30), keptMinutes(30, 15), keptMinutes(15, null)]).toEqual([15, 15, 0]);
  expect([minutesKept(event, at - 1), minutesKept(event, at)]).toEqual([15, null]);
  expect([minutesLeft(event, at - 1), minutesLeft(event, at)]).toEqual([null, 15]);
});

test('free tickets are given back until the start, before an entry, and never if they were gifts', () => {
  const starts_at = starts[0]!;
  const free = { channel: 'web', total_cents: 0, session_id: null };
  const facts = factsAt(starts_at - 1, refundEventOf({ ...event, starts_at }, starts_at - 864e5));
  const used = { ...facts, lines: facts.lines.map((line) => ({ ...line, used: true })) };
  expect([
    isBackable(free, facts, 'all'),
    isBackable(free, { ...facts, now: starts_at }, 'all'),
    isBackable(free, used, 'all'),
    isBackable({ ...free, channel: 'counter' }, facts, 'all'),
    isBackable({ ...free, session_id: 'cs_1' }, facts, 'all'),
  ]).toEqual([true, false, false, false, false]);
});

test('a moved event says until when everything may be asked back, a cancelled one what comes by itself', () => {
  const starts_at = starts[0]!;
  const answer_by = starts_at - 5 * 864e5;
  const about = refundEventOf({ ...event, starts_at }, starts_at - 30 * 864e5);
  const facts = factsAt(answer_by - 60_000, about);
  const { obstacle } = asked(facts);
  const words = sayMayAsk({ facts, obstacle, answer_by })!;
  expect([obstacle, lastMomentIn(words, facts.now)]).toEqual(['too_close', answer_by - 1]);
  expect(words).toContain('prevendita compresa');
  for (const cancel_keeps_fees of [0, 1] as const) {
    const ended = { ...event, starts_at, status: 'cancelled' as const, cancel_keeps_fees };
    const cancelled = factsAt(starts_at, refundEventOf(ended, starts_at - 864e5));
    const quote = refundQuote(cancelled, { by: 'event_cancelled', line_ids: 'all' });
    const said = sayMayAsk({ facts: cancelled, obstacle: null, answer_by: null });
    expect([said?.includes('senza la prevendita'), quote.fee_cents]).toEqual(
      cancel_keeps_fees === 1 ? [true, 0] : [false, 150],
    );
    expect(saleRights(ended, { now: starts_at, fees: true })[0]).toBe(said);
  }
});

test('until when a ticket may be passed on is said as the rule decides it, hour by hour', () => {
  const ticket = { state: 'valid' as const, holder: 'Ida Neri', holder_changes: 0, used: false };
  const wrong: unknown[] = [];
  for (const starts_at of starts)
    for (const [holder_change, holder_change_until_hours] of [
      [1, 0],
      [1, 24],
      [1, 720],
      [0, 24],
    ] as const)
      for (const now of calendar(starts_at)) {
        const known = { ...event, starts_at, holder_change, holder_change_until_hours };
        const may = (at: number, used = false) =>
          holderStepOf({ event: known, ticket, used }, at).step === 'change';
        const about = { tickets: [ticket], now };
        for (const words of [saleRights(known, { now, fees: true })[1]!, sayChange(known, about)]) {
          const last = lastMomentIn(words, now);
          const isRight = last === null ? !may(now) : may(now) && may(last) && !may(last + 60_000);
          if (!isRight) wrong.push([words, starts_at, now]);
        }
        const used = sayChange(known, { tickets: [{ ...ticket, used: true }], now });
        if (lastMomentIn(used, now) !== null) wrong.push([used, now]);
        const named = { ...known, names_due: now };
        if ([known, named].some((one) => (sayNames(one, about) === null) !== (holder_change === 0)))
          wrong.push(known);
        // A name that is missing may still be given, and then passed on.
        const unnamed = sayChange(known, { tickets: [{ ...ticket, holder: null }], now });
        if (unnamed !== sayChange(known, about)) wrong.push([unnamed, now]);
      }
  expect(wrong).toEqual([]);
});

test('until when the date may be changed is said as the rule decides it, and only while it may be', () => {
  const wrong: unknown[] = [];
  for (const starts_at of starts)
    for (const [exchange, exchange_until_hours] of [
      [1, 0],
      [1, 24],
      [1, 720],
      [0, 24],
    ] as const)
      for (const now of calendar(starts_at)) {
        const known = { ...event, starts_at, exchange, exchange_until_hours };
        const until = exchangeUntil(known);
        const words = sayExchange(known, now);
        const last = words === null ? null : lastMomentIn(words, now);
        const isRight = last === (until === null || now > until ? null : until);
        const inCart = saleRights(known, { now, fees: true }).length === (last === null ? 3 : 4);
        if (!isRight || !inCart) wrong.push([words, starts_at, now]);
        if (exchangeUntil({ ...known, status: 'cancelled' }) !== null) wrong.push(known);
      }
  expect(wrong).toEqual([]);
  const at = { ...event, starts_at: starts[2]!, exchange: 1 as const };
  const said = (exchange_fee_cents: number) => sayExchange({ ...at, exchange_fee_cents }, 0);
  expect([said(0), said(200)]).toEqual([
    'Puoi cambiare data fino al 23/12/2026 alle 17:30, dalla pagina dell’ordine. Il cambio è gratuito: paghi solo la differenza, se i posti nuovi costano di più.',
    expect.stringContaining('Il cambio costa 2,00\u00a0€ a biglietto, più la differenza'),
  ]);
});
