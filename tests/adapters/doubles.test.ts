/** The simulation's doubles and the stand-ins go through the same cases, so that they cannot drift apart. */
import { expect } from 'vitest';
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { RefundAsk } from '#server/adapters/stripe-money.ts';
import type { SessionParams } from '#server/adapters/stripe.ts';
import { testOnce as test } from '#tests/support/both.ts';
import { demoEvent, holdObjects, makeHoldToken, payOrder } from '#tests/support/make.ts';
import { type Clock, type TestServer } from '#tests/support/server.ts';
import { holdMs, makeSeats } from '#tests/simulation/seats-double.ts';
import { makeStripe } from '#tests/simulation/stripe-double.ts';

type Labels = readonly [string, string, string];
const requests = (chosen: readonly string[]) =>
  chosen.map((label) => ({ label, quantity: null, ticket_type: 'intero' }));

/** What an outcome is, for two servers that word it differently. */
async function outcomeOf(work: () => unknown): Promise<'done' | 'refused'> {
  try {
    await work();
    return 'done';
  } catch (error) {
    if (error instanceof ProviderRefused) return 'refused';
    throw error;
  }
}

interface SeatsTried {
  clock: Clock;
  labels: Labels;
  newToken: () => Promise<string>;
  hold: (chosen: readonly string[], token: string) => Promise<boolean>;
  book: (chosen: readonly string[], order: string, token: string | null) => Promise<unknown>;
  release: (chosen: readonly string[], order: string) => Promise<unknown>;
  /** Status and order of the three seats. */
  seats: () => Promise<string[]>;
}

function steered(): Clock {
  let at = Date.UTC(2026, 10, 23);
  return { now: () => at, advance: (ms) => void (at += ms) };
}

function seatsDouble(labels: Labels): SeatsTried {
  const clock = steered();
  const places = labels.map((label) => ({ label, category: 'Platea', capacity: null }));
  const double = makeSeats({ now: clock.now, places, onRelease: () => {}, wrong: () => {} });
  let tokens = 0;
  return {
    clock,
    labels,
    newToken: async () => `token-${(tokens += 1)}`,
    hold: async (chosen, token) => double.hold(requests(chosen), token),
    book: async (chosen, orderId, holdToken) =>
      double.book(requests(chosen), { orderId, holdToken }),
    release: async (chosen, order) => double.release(requests(chosen), order),
    seats: async () =>
      [...double.read(labels).values()].map(({ status, order_id }) => `${status} ${order_id}`),
  };
}

function seatsStandIn(server: TestServer, labels: Labels): SeatsTried {
  const { seats } = server.house.ctx;
  return {
    clock: server.clock,
    labels,
    newToken: () => makeHoldToken(server),
    hold: async (chosen, token) => {
      const objects = chosen.map((object_id) => ({ object_id, ticket_type: 'intero' }));
      return (await holdObjects(server, token, objects)).status === 200;
    },
    book: (chosen, orderId, holdToken) =>
      seats.book(demoEvent, requests(chosen), { orderId, holdToken }),
    release: (chosen, order) => seats.release(demoEvent, requests(chosen), order),
    seats: async () => {
      const found = await seats.read(demoEvent, [...labels]);
      return labels.map((label) => `${found.get(label)!.status} ${found.get(label)!.order_id}`);
    },
  };
}

/** Each case gives all that it saw; both sides must have seen the same, and it must be this. */
const seatCases: [
  name: string,
  play: (tried: SeatsTried) => Promise<unknown[]>,
  seen: unknown[],
][] = [
  [
    'a held seat is booked with its token and with no other',
    async (tried) => {
      const [mine, other] = [await tried.newToken(), await tried.newToken()];
      const held = await tried.hold([tried.labels[0]], mine);
      await tried.hold([tried.labels[1]], other);
      const wrong = await outcomeOf(() => tried.book([tried.labels[0]], 'o1', other));
      const right = await outcomeOf(() => tried.book([tried.labels[0]], 'o1', mine));
      return [held, wrong, right, (await tried.seats())[0]];
    },
    [true, 'refused', 'done', 'booked o1'],
  ],
  [
    'a booking is all or nothing',
    async (tried) => {
      await tried.book([tried.labels[1]], 'o1', null);
      const both = await outcomeOf(() =>
        tried.book([tried.labels[0], tried.labels[1]], 'o2', null),
      );
      return [both, ...(await tried.seats())];
    },
    ['refused', 'free null', 'booked o1', 'free null'],
  ],
  [
    'what is held or booked is held by nobody else',
    async (tried) => {
      const [mine, other] = [await tried.newToken(), await tried.newToken()];
      await tried.hold([tried.labels[0]], mine);
      await tried.book([tried.labels[1]], 'o1', null);
      return [
        await tried.hold([tried.labels[0]], other),
        await tried.hold([tried.labels[1]], other),
      ];
    },
    [false, false],
  ],
  [
    'a release asks nobody whose the seat is, may be repeated, and leaves the name of its order',
    async (tried) => {
      await tried.book([tried.labels[0]], 'o1', null);
      const twice = [
        await outcomeOf(() => tried.release([tried.labels[0]], 'o1')),
        await outcomeOf(() => tried.release([tried.labels[0]], 'o1')),
      ];
      return [...twice, (await tried.seats())[0]];
    },
    ['done', 'done', 'free o1'],
  ],
  [
    'a hold ends by the clock, and nothing is booked with its token any more',
    async (tried) => {
      const token = await tried.newToken();
      await tried.hold([tried.labels[0]], token);
      tried.clock.advance(holdMs + 1_000);
      const booked = await outcomeOf(() => tried.book([tried.labels[0]], 'o1', token));
      return [booked, (await tried.seats())[0]];
    },
    ['refused', 'free null'],
  ],
];

test('the seat map’s double and the stand-in answer alike', async (server) => {
  for (const [at, [name, play, seen]] of seatCases.entries()) {
    const row = `Platea-${'CDEFG'[at]}`;
    const labels = [`${row}-1`, `${row}-2`, `${row}-3`] as const;
    expect([name, await play(seatsDouble(labels))]).toEqual([name, seen]);
    expect([name, await play(seatsStandIn(server, labels))]).toEqual([name, seen]);
  }
});

interface StripeTried {
  clock: Clock;
  price_id: string;
  open: (params: SessionParams, key: string) => Promise<{ id: string }>;
  read: (id: string) => Promise<{ status: string; paid: boolean; payment_intent: string | null }>;
  expire: (id: string) => Promise<{ status: string }>;
  pay: (id: string) => Promise<boolean>;
  refund: (ask: RefundAsk, key: string) => Promise<{ id: string }>;
}

function stripeDouble(): StripeTried {
  const clock = steered();
  const price_id = 'price_1';
  const prices = [{ id: price_id, unit_amount: 3_200 }];
  const double = makeStripe({ now: clock.now, prices, wrong: () => {} });
  return {
    clock,
    price_id,
    open: async (params, key) => double.open(params, key),
    read: async (id) => double.read(id),
    expire: async (id) => double.expire(id),
    pay: async (id) => {
      // The double lets only those pay who were sent to the page.
      double.sessions.find((session) => session.id === id)!.seen = true;
      return double.pay(id, 'card');
    },
    refund: async (ask, key) => double.refund(ask, key),
  };
}

async function stripeStandIn(server: TestServer): Promise<StripeTried> {
  const { payments } = server.house.ctx;
  const price = { lookup_key: 'trial', product: 'Trial', unit_amount: 3_200 };
  return {
    clock: server.clock,
    price_id: await payments.ensurePrice(price),
    open: (params, key) => payments.open(params, key),
    read: (id) => payments.read(id),
    expire: (id) => payments.expire(id),
    pay: async (id) => (await payOrder(server, `http://checkout/${id}`)).status === 200,
    refund: (ask, key) => payments.refund(ask, key),
  };
}

function paramsFor({ clock, price_id }: StripeTried, order_id: string): SessionParams {
  return {
    order_id,
    link_key: 'a-link-of-22-characters',
    description: 'La locandiera',
    summary: 'Platea, fila C, posto 1',
    public_url: 'http://localhost:3000',
    expires_at: clock.now() + 35 * 60_000,
    items: [{ price_id, quantity: 2 }],
  };
}

const stripeCases: [
  name: string,
  play: (tried: StripeTried) => Promise<unknown[]>,
  seen: unknown[],
][] = [
  [
    'the same key gives the same session, and another question under it is refused',
    async (tried) => {
      const params = paramsFor(tried, 'o1');
      const [first, again] = [await tried.open(params, 'k1'), await tried.open(params, 'k1')];
      const other = await outcomeOf(() => tried.open({ ...params, order_id: 'o2' }, 'k1'));
      return [first.id === again.id, other];
    },
    [true, 'refused'],
  ],
  [
    'a session that would live for less than half an hour is refused',
    async (tried) => {
      const params = { ...paramsFor(tried, 'o1'), expires_at: tried.clock.now() + 20 * 60_000 };
      return [await outcomeOf(() => tried.open(params, 'k1'))];
    },
    ['refused'],
  ],
  [
    'an expired session is not paid any more',
    async (tried) => {
      const { id } = await tried.open(paramsFor(tried, 'o1'), 'k1');
      const { status } = await tried.expire(id);
      return [status, await tried.pay(id), (await tried.read(id)).paid];
    },
    ['expired', false, false],
  ],
  [
    'a paid session does not expire: whoever asks hears that it is complete',
    async (tried) => {
      const { id } = await tried.open(paramsFor(tried, 'o1'), 'k1');
      const paid = await tried.pay(id);
      return [paid, (await tried.expire(id)).status, (await tried.read(id)).paid];
    },
    [true, 'complete', true],
  ],
  [
    'a session ends by the clock',
    async (tried) => {
      const { id } = await tried.open(paramsFor(tried, 'o1'), 'k1');
      tried.clock.advance(36 * 60_000);
      return [(await tried.read(id)).status, await tried.pay(id)];
    },
    ['expired', false],
  ],
  [
    'a refund is made once under its key, and never for more than was paid',
    async (tried) => {
      const { id } = await tried.open(paramsFor(tried, 'o1'), 'k1');
      await tried.pay(id);
      const payment_intent = (await tried.read(id)).payment_intent!;
      const ask = { payment_intent, amount: 3_200, refund_id: 'r1', order_id: 'o1' };
      const [first, again] = [await tried.refund(ask, 'k2'), await tried.refund(ask, 'k2')];
      const more = { ...ask, refund_id: 'r2', amount: 3_201 };
      return [first.id === again.id, await outcomeOf(() => tried.refund(more, 'k3'))];
    },
    [true, 'refused'],
  ],
  [
    'what is not there is refused',
    async (tried) => [await outcomeOf(() => tried.read('cs_test_nobody'))],
    ['refused'],
  ],
];

test('Stripe’s double and the stand-in answer alike', async (server) => {
  const standIn = await stripeStandIn(server);
  for (const [name, play, seen] of stripeCases) {
    expect([name, await play(stripeDouble())]).toEqual([name, seen]);
    // Each case has keys of its own.
    const open: StripeTried['open'] = (params, key) => standIn.open(params, `${name} ${key}`);
    const refund: StripeTried['refund'] = (ask, key) => standIn.refund(ask, `${name} ${key}`);
    expect([name, await play({ ...standIn, open, refund })]).toEqual([name, seen]);
  }
});
