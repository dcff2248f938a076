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
import { chartPricing } from '#server/domain/seat/chart-pricing.ts';
import {
  feeWords,
  lowestPrice,
  priceOf,
  priceWords,
  sellable,
} from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
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
const pricing = sellable(seatPricing, prices, null);
const objects = new Map<string, ObjectFacts>([
  ['Platea-A-1', { label: 'Platea-A-1', kind: 'seat', category: { key: '1', label: 'Platea' } }],
  ['Palchi-1-1', { label: 'Palchi-1-1', kind: 'seat', category: { key: '2', label: 'Palchi' } }],
  ['Loggione', { label: 'Loggione', kind: 'area', category: { key: '3', label: 'Galleria' } }],
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
});

test('the price that is shown has the fee in it; a free ticket has none, and without a fee nothing is added', () => {
  const free = [...prices.slice(0, 2), { id: 'p3', unit_amount: 0 }];
  const withFee = sellable(seatPricing, free, { unit_amount: 150 });
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
  expect([feeWords(150), feeWords(0), priceWords(2950, 150), priceWords(2800, 0)]).toEqual([
    'di cui 1,50\u00a0€ di prevendita',
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
