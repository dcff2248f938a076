/** The rule of giving back: sums, fees, days as people count them in Rome, and news in any order. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addFees } from '#server/domain/price/fees.ts';
import {
  feesBackByTurn,
  namedInPart,
  type SharedRefund,
} from '#server/domain/payment/presale-part.ts';
import { refundLimits } from '#server/domain/payment/refund-days.ts';
import { refundQuote } from '#server/domain/payment/refund-quote.ts';
import {
  type RefundAsk,
  countedRefunds,
  mayBecome,
  refundStates,
  statesBefore,
  type RefundFacts,
  type RefundLineFacts,
  type RefundState,
} from '#server/domain/payment/refund.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const at = (text: string) => Date.parse(text);

const day = { starts_at: at('2027-12-01T19:00:00Z'), refund_stop_days: 0 };

test.each([
  ['2026-11-21T09:00:00Z', 10, '2026-12-01T22:59:59.999Z'],
  ['2026-11-21T22:59:59Z', 10, '2026-12-01T22:59:59.999Z'],
  // Half past midnight in Rome is the next day, though it is still the 21st in Greenwich.
  ['2026-11-21T23:30:00Z', 10, '2026-12-02T22:59:59.999Z'],
  // The nights in which the clocks change are days like any other.
  ['2027-03-27T12:00:00Z', 1, '2027-03-28T21:59:59.999Z'],
  ['2027-10-30T12:00:00Z', 1, '2027-10-31T22:59:59.999Z'],
])(
  'what was bought at %s may be given back for %i days in Rome: until %s',
  (bought, refund_days, until) => {
    expect(iso(refundLimits({ ...day, bought_at: at(bought), refund_days }).asked_until)).toBe(
      until,
    );
  },
);

test.each([
  [15, '2026-11-15T22:59:59.999Z'],
  [0, '2026-11-30T19:59:59.999Z'],
])(
  'the day %i days before the event still counts, and nothing after the curtain',
  (refund_stop_days, stops) => {
    const limits = { bought_at: 0, starts_at: at('2026-11-30T20:00:00Z'), refund_days: 10 };
    expect(iso(refundLimits({ ...limits, refund_stop_days }).stops_at)).toBe(stops);
  },
);

const line = (line_id: string, changes: Partial<RefundLineFacts> = {}): RefundLineFacts => ({
  line_id,
  price_cents: 3000,
  fee_cents: 150,
  service_cents: 50,
  ticket_live: true,
  used: false,
  refund: null,
  ...changes,
});

function facts(
  changes: Partial<Omit<RefundFacts, 'event'>> & { event?: Partial<RefundFacts['event']> } = {},
): RefundFacts {
  const { event, ...rest } = changes;
  return {
    now: 1_000,
    confirmed: true,
    paid_cents: 6300,
    counted_cents: 0,
    counted_fee_cents: 0,
    counted_service_cents: 0,
    disputed: false,
    lines: [line('a'), line('b')],
    ...rest,
    event: {
      cancelled: false,
      starts_at: 10_000,
      request: 'office',
      keeps_fees: true,
      asked_until: 5_000,
      stops_at: 4_000,
      ...event,
    },
  };
}

test('the buyer gets the tickets without the fees where the policy keeps them, and with them where it does not', () => {
  expect(refundQuote(facts(), { by: 'buyer', line_ids: ['a'] })).toMatchObject({
    tickets_cents: 3000,
    fee_cents: 0,
    amount_cents: 3000,
    kept_fee_cents: 150,
    obstacle: null,
  });
  expect(refundQuote(facts(), { by: 'buyer', line_ids: ['a'], with_fees: true })).toMatchObject({
    amount_cents: 3000,
  });
  expect(
    refundQuote(facts({ event: { keeps_fees: false } }), { by: 'buyer', line_ids: ['a', 'b'] }),
  ).toMatchObject({ tickets_cents: 6000, fee_cents: 300, amount_cents: 6300, kept_fee_cents: 0 });
  expect(refundQuote(facts(), { by: 'office', line_ids: 'all', with_fees: true })).toMatchObject({
    amount_cents: 6300,
  });
});

test('each limit has its name, to the millisecond', () => {
  const of = (now: number, event: Partial<RefundFacts['event']> = {}) =>
    refundQuote(facts({ now, event }), { by: 'buyer', line_ids: ['a'] }).obstacle;
  expect([
    of(4_000),
    of(4_001),
    of(4_001, { stops_at: 9_999 }),
    of(5_001, { stops_at: 9_999 }),
    of(10_000),
    of(1, { request: 'never' }),
  ]).toEqual([null, 'too_close', null, 'too_late', 'event_past', 'never']);
  expect(of(50_000, { cancelled: true, request: 'never' })).toBeNull();
  expect(
    refundQuote(facts({ now: 50_000 }), { by: 'office', line_ids: ['a'] }).obstacle,
  ).toBeNull();
});

test('a used ticket is not the buyer’s to give back, an asked one waits, a refunded one is gone', () => {
  const of = (changes: Partial<RefundLineFacts>, by: RefundAsk['by']) =>
    refundQuote(facts({ lines: [line('a', changes)] }), { by, line_ids: ['a'] }).obstacle;
  expect([of({ used: true }, 'buyer'), of({ used: true }, 'office')]).toEqual([
    'ticket_used',
    null,
  ]);
  expect([
    of({ refund: 'asked' }, 'buyer'),
    of({ refund: 'asked' }, 'office'),
    of({ refund: 'asked' }, 'event_cancelled'),
  ]).toEqual(['already_asked', 'already_asked', null]);
  expect([
    of({ refund: 'pending' }, 'office'),
    of({ ticket_live: false }, 'buyer'),
    of({ ticket_live: false }, 'office'),
  ]).toEqual(['ticket_gone', 'ticket_gone', null]);
  expect([
    of({ price_cents: 0, fee_cents: 0 }, 'buyer'),
    of({ price_cents: 0, fee_cents: 0 }, 'office'),
  ]).toEqual(['nothing_paid', null]);
});

test('what was given back freely is not given back twice: prices first, then fees, as far as the money goes', () => {
  const quote = refundQuote(facts({ counted_cents: 3200 }), {
    by: 'office',
    line_ids: 'all',
    with_fees: true,
  });
  expect(quote).toMatchObject({
    left_cents: 3100,
    amount_cents: 3100,
    // The tickets have brought 60,00 €, of which 32,00 € went back before.
    tickets_cents: 2800,
    fee_cents: 300,
  });
  expect(quote.lines.map((share) => share.price_cents)).toEqual([3000, 100]);
  expect(
    refundQuote(facts({ counted_cents: 6300 }), { by: 'event_cancelled', line_ids: 'all' }),
  ).toMatchObject({ amount_cents: 0, obstacle: null });
  expect(
    refundQuote(facts({ counted_cents: 6300 }), { by: 'buyer', line_ids: 'all' }),
  ).toMatchObject({ obstacle: 'nothing_left' });
  expect(
    refundQuote(facts({ counted_cents: 6000 }), { by: 'office', line_ids: [], amount_cents: 301 })
      .obstacle,
  ).toBe('too_much');
});

const anyLine = fc.record({
  price_cents: fc.nat(20_000),
  fee_cents: fc.nat(1_000),
  service_share: fc.nat(4),
  ticket_live: fc.boolean(),
  used: fc.boolean(),
  refund: fc.option(fc.constantFrom(...refundStates), { nil: null }),
});
const anyFacts = fc
  .record({
    now: fc.nat(20_000),
    confirmed: fc.boolean(),
    paid_cents: fc.nat(100_000),
    counted_cents: fc.nat(100_000),
    counted_fee_cents: fc.nat(2_000),
    counted_service_cents: fc.constant(0),
    disputed: fc.boolean(),
    lines: fc.array(anyLine, { maxLength: 8 }),
    event: fc.record({
      cancelled: fc.boolean(),
      starts_at: fc.nat(20_000),
      request: fc.constantFrom('automatic' as const, 'office' as const, 'never' as const),
      keeps_fees: fc.boolean(),
      asked_until: fc.nat(20_000),
      stops_at: fc.nat(20_000),
    }),
  })
  .map(({ lines, ...rest }): RefundFacts => ({
    ...rest,
    lines: lines.map(({ service_share, ...one }, index) => ({
      ...one,
      service_cents: Math.floor((one.fee_cents * service_share) / 4),
      line_id: String(index),
    })),
  }));
const anyAsk = fc.record({
  by: fc.constantFrom('buyer' as const, 'office' as const, 'event_cancelled' as const),
  line_ids: fc.oneof(
    fc.constant('all' as const),
    fc.subarray(['0', '1', '2', '3', '4', '5', '6', '7', 'x']),
  ),
  with_fees: fc.option(fc.boolean(), { nil: undefined }),
  with_money: fc.option(fc.boolean(), { nil: undefined }),
  amount_cents: fc.option(fc.nat(100_000), { nil: undefined }),
});

test('whatever is asked: never more than what is left, the parts make the sum, and no line brings more than it cost', () => {
  fc.assert(
    fc.property(anyFacts, anyAsk, (known, ask) => {
      const quote = refundQuote(known, ask);
      const possible = quote.obstacle === null;
      expect(quote.left_cents).toBe(Math.max(0, known.paid_cents - known.counted_cents));
      if (possible) expect(quote.amount_cents).toBeLessThanOrEqual(quote.left_cents);
      expect(quote.amount_cents).toBe(quote.tickets_cents + quote.fee_cents);
      expect(
        [quote.tickets_cents, quote.kept_fee_cents, quote.fee_cents].every(
          (cents) => Number.isInteger(cents) && cents >= 0,
        ),
      ).toBe(true);
      if (ask.amount_cents === undefined) {
        expect(
          quote.lines.reduce((sum, share) => sum + share.price_cents + share.fee_cents, 0),
        ).toBe(quote.amount_cents);
        for (const [index, share] of quote.lines.entries()) {
          const cost = known.lines[index]!;
          expect(share.price_cents <= cost.price_cents && share.fee_cents <= cost.fee_cents).toBe(
            true,
          );
          expect(share.service_cents).toBeLessThanOrEqual(
            Math.min(share.fee_cents, cost.service_cents),
          );
          if (!share.chosen) expect([share.price_cents, share.fee_cents]).toEqual([0, 0]);
          if (possible && share.chosen) expect(share.obstacle).toBeNull();
        }
        if (ask.by === 'buyer' && known.event.keeps_fees)
          expect(quote.lines.every((share) => share.fee_cents === 0)).toBe(true);
        if (ask.with_money === false) expect(quote.amount_cents).toBe(0);
      }
    }),
    { numRuns: 2_000 },
  );
});

/** A refund of a part of what is left, of which a part is fees of its tickets; or the nth fails. */
const anyGiving = fc.oneof(
  fc.record({ part: fc.double({ min: 0, max: 1, noNaN: true }), fees: fc.nat(500) }),
  fc.record({ fails: fc.nat(9) }),
);

test('in whatever parts and ways it is given back, tickets, presale fee and commission each end at nothing, and on the way none gives more than it brought', () => {
  const anyOrder = fc
    .record({ tickets_cents: fc.nat(20_000), presale: fc.nat(2_000), service_cents: fc.nat(900) })
    .map(({ presale, ...rest }) => ({ ...rest, fee_cents: presale + rest.service_cents }));
  fc.assert(
    fc.property(anyOrder, fc.array(anyGiving, { maxLength: 20 }), (paid, steps) => {
      let given: SharedRefund[] = [];
      const back = () => {
        const fees = feesBackByTurn(paid, given);
        const { fee_cents, service_cents } = addFees(fees);
        const all = given.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
        for (const [nth, { amount_cents }] of given.entries()) {
          const own = fees[nth]!;
          expect(own.service_cents >= 0 && own.service_cents <= own.fee_cents).toBe(true);
          expect(own.fee_cents).toBeLessThanOrEqual(amount_cents);
        }
        return { tickets_cents: all - fee_cents, fee_cents, service_cents, all };
      };
      const whole = paid.tickets_cents + paid.fee_cents;
      const give = (amount_cents: number, fees: number) =>
        given.push({
          amount_cents,
          named_fee_cents: Math.min(fees, amount_cents),
          named_service_cents: Math.floor(Math.min(fees, amount_cents) / 2),
        });
      for (const step of steps) {
        if ('fails' in step) given = given.filter((_, nth) => nth !== step.fails);
        else give(Math.ceil((whole - back().all) * step.part), step.fees);
        const { tickets_cents, fee_cents, service_cents } = back();
        expect([tickets_cents, fee_cents].every((cents) => cents >= 0)).toBe(true);
        expect(tickets_cents <= paid.tickets_cents && fee_cents <= paid.fee_cents).toBe(true);
        const presale = {
          back: fee_cents - service_cents,
          paid: paid.fee_cents - paid.service_cents,
        };
        expect(service_cents <= paid.service_cents && presale.back <= presale.paid).toBe(true);
      }
      give(whole - back().all, 0);
      expect(back()).toEqual({ ...paid, all: whole });
    }),
    { numRuns: 2_000 },
  );
});

/** What Stripe may tell of one refund, in the order of its life. */
const lives: RefundState[][] = [
  ['succeeded'],
  ['pending', 'succeeded'],
  ['pending', 'requires_action', 'pending', 'failed'],
  ['succeeded', 'failed'],
  ['pending', 'succeeded', 'failed'],
  ['requires_action', 'canceled'],
];

test('the news of a refund, in any order and any number, end in the same state', () => {
  for (const life of lives) {
    const news = fc
      .shuffledSubarray([...life, ...life, ...life], { minLength: 1 })
      .filter((told) => told.includes(life.at(-1)!));
    fc.assert(
      fc.property(news, (told) => {
        const end = told.reduce<RefundState>(
          (state, next) => (mayBecome(state, next) ? next : state),
          'requested',
        );
        expect(end).toBe(life.at(-1));
      }),
    );
  }
});

test('a decided end is final, and a buyer’s wish is not Stripe’s to move', () => {
  for (const end of ['failed', 'canceled', 'refused', 'asked'] as const)
    expect(refundStates.filter((to) => mayBecome(end, to))).toEqual([]);
  expect(statesBefore('failed')).toEqual(['requested', 'pending', 'requires_action', 'succeeded']);
  expect(statesBefore('pending')).toEqual(['requested', 'requires_action']);
  expect(countedRefunds.every((state) => !mayBecome(state, 'asked'))).toBe(true);
});

test('refunds of the same tickets pay prices first, one after the other, and name each fee once', () => {
  const named = { price_cents: 900, fee_cents: 300, service_cents: 200 };
  const parts = [700, 400, 100];
  let before = 0;
  const shares = parts.map((amount_cents) => {
    const share = namedInPart(named, { before, amount_cents });
    before += amount_cents;
    return [share.named_fee_cents, share.named_service_cents];
  });
  expect(shares).toEqual([
    [0, 0],
    [200, 133],
    [100, 67],
  ]);
  expect(namedInPart(named, { before: 0, amount_cents: 1_200 })).toEqual({
    named_fee_cents: 300,
    named_service_cents: 200,
  });
});
