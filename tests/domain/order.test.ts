/** Orders: what a selection becomes, what a session means, which overlay is shown, who may move where. */
import { expect, test } from 'vitest';
import {
  judgeSession,
  mayMove,
  orderStates,
  overlayOf,
  planOrder,
  type ObjectFacts,
} from '#server/domain/order/order.ts';
import { readRecord, spellRecord } from '#server/domain/order/order-record.ts';
import { saleTerms, underTerms } from '#server/domain/order/terms.ts';
import { chartPricing } from '#server/domain/seat/chart-pricing.ts';
import {
  feeWords,
  lowestPrice,
  priceOf,
  priceWords,
  sellable,
} from '#server/domain/price/pricing.ts';
import { flatPresale } from '#server/domain/price/surcharge.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { lineName, seatName } from '#server/domain/seat/seat-name.ts';
import { placesPaid, wholeOfferOf } from '#server/domain/seat/whole.ts';
import { isPasswordWeak } from '#server/domain/user/user.ts';

const seatPricing = [
  {
    category: 'Platea',
    ticketTypes: [
      { price_id: 'p1', ticketType: 'intero', label: 'Intero' },
      { price_id: 'p2', ticketType: 'ridotto', label: 'Ridotto' },
    ],
  },
  {
    category: '3',
    ticketTypes: [
      { price_id: 'p3', ticketType: 'unico', label: 'Unico' },
      { price_id: 'gone', ticketType: 'ridotto', label: 'Ridotto' },
    ],
  },
  {
    category: 'Palchi',
    ticketTypes: [{ price_id: 'gone', ticketType: 'intero', label: 'Intero' }],
  },
];
const prices = [
  { id: 'p1', unit_amount: 3200 },
  { id: 'p2', unit_amount: 2500 },
  { id: 'p3', unit_amount: 1200 },
];
const pricing = sellable(seatPricing, prices, []);
const object = (label: string, kind: 'seat' | 'area', key: string, category: string) =>
  [label, { label, kind, category: { key, label: category }, whole: null }] as const;
const objects = new Map<string, ObjectFacts>([
  object('Platea-A-1', 'seat', '1', 'Platea'),
  object('Palchi-1-1', 'seat', '2', 'Palchi'),
  object('Loggione', 'area', '3', 'Galleria'),
]);

function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
  }
  return 'none';
}

test('ticket types without a price are dropped, and so are categories left without any', () => {
  expect(
    pricing.map(({ category, ticketTypes }) => [
      category,
      ticketTypes.map((type) => type.ticketType),
    ]),
  ).toEqual([
    ['Platea', ['intero', 'ridotto']],
    ['3', ['unico']],
  ]);
  expect(lowestPrice(pricing)).toBe(1200);
  expect(lowestPrice([])).toBeNull();
  // Of an event with free tickets, too, the lowest price that is paid leads.
  const [first] = pricing;
  const free = { ...first!.ticketTypes[0]!, unit_amount: 0, fee_cents: 0, service_cents: 0 };
  const lowestOf = (...ticketTypes: (typeof free)[]) => lowestPrice([{ ...first!, ticketTypes }]);
  expect(lowestOf(free, first!.ticketTypes[0]!)).toBe(lowestOf(first!.ticketTypes[0]!));
  expect(lowestOf(free)).toBe(0);
});

test('one ticket type gives the chart a single price, several a list', () => {
  expect(chartPricing(pricing)).toEqual([
    {
      category: 'Platea',
      ticketTypes: [
        { ticketType: 'intero', label: 'Intero', price: 32 },
        { ticketType: 'ridotto', label: 'Ridotto', price: 25 },
      ],
    },
    { category: '3', price: 12 },
  ]);
  // An object sold whole has the price of all its places, or its own.
  const whole = { places: 4, minimum: 2, category: 'Loggione', category_key: '3', labels: ['S1'] };
  const withFee = sellable(seatPricing, prices, [flatPresale(100)]);
  for (const [price_per, price] of [
    ['place', 52],
    ['object', 16],
  ] as const)
    expect(chartPricing(withFee, [{ ...whole, price_per }])[0]).toEqual({ objects: ['S1'], price });
});

test('the price that is shown has the fee in it; a free ticket has none, and without a fee nothing is added', () => {
  const free = [...prices.slice(0, 2), { id: 'p3', unit_amount: 0 }];
  const withFee = sellable(seatPricing, free, [flatPresale(150)]);
  expect(chartPricing(withFee)).toEqual([
    {
      category: 'Platea',
      ticketTypes: [
        { ticketType: 'intero', label: 'Intero', price: 33.5 },
        { ticketType: 'ridotto', label: 'Ridotto', price: 26.5 },
      ],
    },
    { category: '3', price: 0 },
  ]);
  expect(lowestPrice(withFee.slice(0, 1))).toBe(2650);
  const planned = planOrder(objects, { pricing: withFee, max_seats: 10 }, [
    { object_id: 'Platea-A-1', ticket_type: 'intero' },
    { object_id: 'Loggione', quantity: 2 },
  ]);
  expect([planned.total_cents, planned.fee_cents]).toEqual([3350, 150]);
  const fees = (fee_cents: number, service_cents = 0) => ({ fee_cents, service_cents });
  expect([
    feeWords(fees(150)),
    feeWords(fees(230, 80)),
    feeWords(fees(80, 80)),
    feeWords(fees(0)),
    priceWords(2950, fees(150)),
    priceWords(2800, fees(0)),
  ]).toEqual([
    'di cui 1,50\u00a0€ di prevendita',
    'di cui 1,50\u00a0€ di prevendita e 0,80\u00a0€ di commissione',
    'di cui 0,80\u00a0€ di commissione',
    null,
    '29,50\u00a0€ (di cui 1,50\u00a0€ di prevendita)',
    '28,00\u00a0€',
  ]);
});

test('a category is found by key or label, and a ticket type may be left out only where there is one', () => {
  expect(priceOf(pricing, { key: '3', label: 'Galleria' }, undefined)?.unit_amount).toBe(1200);
  expect(priceOf(pricing, { key: '1', label: 'Platea' }, undefined)).toBeNull();
  expect(priceOf(pricing, { key: '1', label: 'Platea' }, 'omaggio')).toBeNull();
});

test('a selection becomes one line per place, at the server’s own price', () => {
  const plan = planOrder(objects, { pricing, max_seats: 10 }, [
    { object_id: 'Platea-A-1', ticket_type: 'ridotto' },
    { object_id: 'Loggione', quantity: 2 },
  ]);
  expect(plan.total_cents).toBe(2500 + 2 * 1200);
  expect(plan.lines.map((line) => [line.object_label, line.type_label, line.price_cents])).toEqual([
    ['Platea-A-1', 'Ridotto', 2500],
    ['Loggione', 'Unico', 1200],
    ['Loggione', 'Unico', 1200],
  ]);
});

const tables = new Map<string, ObjectFacts>(
  ['T1', 'S1'].map((label) => [
    label,
    {
      label,
      kind: 'table',
      category: { key: '3', label: 'Galleria' },
      whole: { places: 7, minimum: 5, price_per: label === 'S1' ? 'object' : 'place' },
    },
  ]),
);

test('an object sold whole has a line for each guest, at the least its minimum, and counts as one place', () => {
  const plan = (object_id: string, quantity?: number) =>
    planOrder(tables, { pricing, max_seats: 1 }, [{ object_id, quantity }] as never).lines.map(
      ({ place, price_cents, buys, whole_size }) => [place, price_cents, buys, whole_size],
    );
  const places = (count: number) => Array.from({ length: count }, (_, at) => `T1#${at + 1}`);
  expect(plan('T1').map(([place]) => place)).toEqual(places(7));
  expect(plan('T1', 2).map(([place]) => place)).toEqual(places(5));
  expect(plan('T1', 6)[5]).toEqual(['T1#6', 1200, 1, 7]);
  const paid = plan('S1', 7);
  expect(paid.map(([, cents]) => cents)).toEqual([172, 172, 172, 171, 171, 171, 171]);
  expect(paid.map(([, , buys]) => buys)).toEqual([1, 0, 0, 0, 0, 0, 0]);
  // A booth that is smaller than its category's minimum is paid as it is.
  const least = { tables: { mode: 'INHERIT' as const }, categories: { 3: { minimum: 5 } } };
  const small = { category_key: '3', places: 4 };
  expect(placesPaid(wholeOfferOf(least, small), 2)).toBe(4);
  const twice = [{ object_id: 'T1' }, { object_id: 'T1' }];
  const two = [{ object_id: 'T1' }, { object_id: 'S1' }];
  const refused = (selection: object[]) =>
    refusalOf(() => planOrder(tables, { pricing, max_seats: 1 }, selection as never));
  expect([refused([{ object_id: 'T1', quantity: 8 }]), refused(twice), refused(two)]).toEqual([
    'party_too_large',
    'bad_request',
    'too_many_seats',
  ]);
});

test.each([
  ['nothing_selected', []],
  ['object_unknown', [{ object_id: 'Platea-Z-9' }]],
  ['object_without_price', [{ object_id: 'Palchi-1-1', ticket_type: 'intero' }]],
  ['object_without_price', [{ object_id: 'Platea-A-1' }]],
  ['too_many_seats', [{ object_id: 'Loggione', quantity: 11 }]],
  ['bad_request', [{ object_id: 'Platea-A-1', ticket_type: 'intero', quantity: 2 }]],
])('refuses: %s', (code, selection) => {
  expect(refusalOf(() => planOrder(objects, { pricing, max_seats: 10 }, selection))).toBe(code);
});

test('only Stripe’s paid confirms, only its expired frees seats, and a wrong sum does neither', () => {
  const session = {
    status: 'complete',
    paid: true,
    failed: false,
    amount_total: 6400,
    currency: 'eur',
  } as const;
  expect(judgeSession(session, 6400)).toBe('confirm');
  expect(judgeSession({ ...session, amount_total: 6399 }, 6400)).toBe('amount_differs');
  expect(judgeSession({ ...session, currency: 'usd' }, 6400)).toBe('amount_differs');
  expect(judgeSession({ ...session, paid: false }, 6400)).toBe('wait');
  expect(judgeSession({ ...session, status: 'open', paid: false }, 6400)).toBe('wait');
  expect(judgeSession({ ...session, status: 'expired', paid: false }, 6400)).toBe('release');
  expect(judgeSession({ ...session, paid: false, failed: true }, 6400)).toBe('release');
});

test('an order moves only forward, but a late payment may raise a deleted one', () => {
  const allowed = orderStates.flatMap((from) =>
    orderStates.filter((to) => mayMove(from, to)).map((to) => `${from} ${to}`),
  );
  expect(allowed).toEqual([
    'booking awaiting_payment',
    'booking confirmed',
    'booking deleted',
    'awaiting_payment confirmed',
    'awaiting_payment deleted',
    'deleted confirmed',
  ]);
});

test('the overlay is chosen in the specification’s order', () => {
  const none = { order_confirmed_at: null, order_deleted_at: null, checkout_session_status: null };
  expect(overlayOf({ ...none, order_confirmed_at: 'x', checkout_session_status: 'open' })).toBe(
    'confirmed',
  );
  expect(overlayOf({ ...none, checkout_session_status: 'open' })).toBe('open');
  expect(overlayOf({ ...none, order_deleted_at: 'x', checkout_session_status: 'expired' })).toBe(
    'expired',
  );
  expect(overlayOf({ ...none, checkout_session_status: 'complete' })).toBe('complete');
  expect(overlayOf(none)).toBeNull();
});

test('money and places are said in Italian', () => {
  expect(formatEuro(null)).toBe('N/D');
  expect(seatName({ kind: 'seat', section: 'Platea', row: 'A', seat: '12' })).toBe(
    'Platea, fila A, posto 12',
  );
  expect(seatName({ kind: 'seat', section: 'Palchi', row: 'Palco 7', seat: '3' })).toBe(
    'Palchi, Palco 7, posto 3',
  );
  expect(seatName({ kind: 'table', section: null, row: null, seat: 'Bar' })).toBe('Bar');
  expect(lineName('row', { word: 'palco', label: 'Palco 7' })).toBe('Palco 7');
  expect(seatName({ kind: 'area', section: null, row: null, seat: 'Loggione' })).toBe(
    'Loggione, posto unico',
  );
});

test('passwords are long and not the first guess', () => {
  expect(
    ['corta', 'passwordpassword1', 'aaaaaaaaaaaaaaaa', '123456123456', 'ada@teatro.it123'].map(
      (password) => isPasswordWeak(password, 'ada@teatro.it'),
    ),
  ).toEqual([true, true, true, true, true]);
  expect(isPasswordWeak('una-platea-piena-di-luce', 'ada@teatro.it')).toBe(false);
});

test('an order has the better of two terms in every point: those of its sale and those of today', () => {
  const sold = {
    refund_request: 'office' as const,
    refund_days: 10,
    refund_stop_days: 15,
    refund_keeps_fees: 1 as const,
    cancel_keeps_fees: 0 as const,
    nominative: 0 as const,
    holder_change: 1 as const,
    holder_changes_max: 2,
    holder_change_until_hours: 24,
    reentry: 1 as const,
    exchange: 1 as const,
    exchange_until_hours: 24,
    exchange_fee_cents: 200,
  };
  const worse = {
    refund_request: 'never' as const,
    refund_days: 2,
    refund_stop_days: 30,
    cancel_keeps_fees: 1 as const,
    nominative: 1 as const,
    holder_change: 0 as const,
    holder_changes_max: 1,
    holder_change_until_hours: 48,
    reentry: 0 as const,
    exchange: 0 as const,
    exchange_until_hours: 48,
    exchange_fee_cents: 300,
  };
  const better = {
    refund_request: 'automatic' as const,
    refund_days: 30,
    refund_stop_days: 0,
    refund_keeps_fees: 0 as const,
    holder_changes_max: 5,
    holder_change_until_hours: 1,
    exchange_until_hours: 1,
    exchange_fee_cents: 0,
  };
  expect(underTerms({ title: 'Recital', ...sold, ...worse }, sold)).toEqual({
    title: 'Recital',
    ...sold,
  });
  for (const [name, value] of Object.entries(worse))
    expect([name, underTerms({ ...sold, [name]: value }, sold)]).toEqual([name, sold]);
  for (const [name, value] of Object.entries(better)) {
    const now = { ...sold, [name]: value };
    expect([name, underTerms(now, sold)]).toEqual([name, now]);
  }
  // What a side says about a right that it does not give is no right.
  const none = {
    ...sold,
    refund_request: 'never' as const,
    holder_change: 0 as const,
    exchange: 0 as const,
    exchange_fee_cents: 0,
  };
  expect(underTerms({ ...sold, refund_days: 3, holder_changes_max: 1 }, none)).toMatchObject({
    refund_days: 3,
    holder_changes_max: 1,
    exchange: 1,
    exchange_fee_cents: 200,
  });
});

test('a record at Stripe is read whatever version wrote it', () => {
  const terms = Object.fromEntries(saleTerms.map((name, at) => [name, at]));
  const line = {
    object_label: 'Platea-A-1',
    place: 'Platea-A-1',
    category: 'Platea',
    ticket_type: 'intero',
    type_label: 'Intero',
    price_id: 'p1',
    price_cents: 2_500,
    fee_cents: 150,
    service_cents: 0,
    whole_size: 0,
    list_cents: null,
    price_reasons: null,
    entry_kind: null,
  };
  const atTable = { ...line, object_label: 'T1', place: 'T1#2', whole_size: 10, service_cents: 50 };
  const lines = [line, atTable];
  const about = { event_id: 'e', number: 'A7K2-9QX4', created_at: 1, terms };
  const record = { ...about, lines, priced_by: null, sold_in_phase: null };
  const metadata = spellRecord(record);
  expect(readRecord(metadata)).toEqual(record);
  const parts = JSON.parse(metadata['order_0']!) as unknown[];
  const read = (all: unknown[]) => readRecord({ order_0: JSON.stringify(all) });
  expect(read(parts.slice(0, -1))).toEqual({ ...record, terms: {} });
  const more = [...(parts.at(-1) as unknown[]), 'a term of tomorrow'];
  expect(read([...parts.slice(0, -1), more])).toEqual(record);
  // A program of before 1.5.0 takes only the terms that it knows.
  const phased = { ...record, sold_in_phase: 'Prima' };
  expect(readRecord(spellRecord(phased))).toEqual(phased);
  const sums = { credit_cents: 5_600, back_cents: 0, fee_cents: 0 };
  const replaces = { from_order_id: 'o', ticket_ids: ['t1', 't2'], ...sums };
  for (const sold_in_phase of ['Prima', null]) {
    const exchanged = { ...record, sold_in_phase, replaces };
    expect(readRecord(spellRecord(exchanged))).toEqual(exchanged);
  }
  const fewer = { ...phased, terms: { vat_percent: 10 } };
  expect(readRecord(spellRecord(fewer))?.sold_in_phase).toBe('Prima');
  const price_reasons = '[{"rule_id":"r","name":"3x2","off_cents":834}]';
  const lowered = { ...line, list_cents: 2_500, price_cents: 1_666, price_reasons };
  const atList = { ...line, list_cents: 2_500 };
  const free = { ...atTable, list_cents: 2_500, price_cents: 0, price_reasons };
  const ruled = {
    ...about,
    lines: [lowered, atList, free],
    priced_by: '{"rules":[{"id":"r","name":"3x2"}],"facts":{"now":1,"channel":"site","opened":[]}}',
    sold_in_phase: null,
  };
  expect(readRecord(spellRecord(ruled))).toEqual(ruled);
  const newer = JSON.parse(spellRecord(ruled)['order_0']!) as unknown[];
  expect(read([...newer, 'more'])).toEqual(ruled);
  const kinds = [
    { ...line, entry_kind: 'full' },
    { ...lowered, entry_kind: 'reduced' },
    { ...free, entry_kind: 'free' },
  ];
  expect(readRecord(spellRecord({ ...ruled, lines: kinds }))?.lines).toEqual(kinds);
  // Without room the rules are left out first, then what they made of each line.
  const long = (name: string) => JSON.stringify({ rules: [{ name }] });
  const crowded = { ...ruled, priced_by: long('x'.repeat(20_000)) };
  expect(readRecord(spellRecord(crowded))).toEqual({ ...ruled, priced_by: null });
  const reasons = JSON.stringify([{ rule_id: 'r', name: 'x'.repeat(20_000), off_cents: 1 }]);
  const full = { ...crowded, lines: [{ ...lowered, price_reasons: reasons }] };
  expect(readRecord(spellRecord(full))).toEqual({
    ...about,
    priced_by: null,
    sold_in_phase: null,
    lines: [{ ...lowered, list_cents: null, price_reasons: null }],
  });
});
