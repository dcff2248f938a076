/**
 * The doubles behind the product's ports: each call waits for its turn and may fail in every
 * possible way.
 */
import type { OutgoingMail, Mailer } from '#server/adapters/mail.ts';
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import type { Seats } from '#server/adapters/seatsio.ts';
import { burntKey } from '#server/adapters/stripe-call.ts';
import type { Payments } from '#server/adapters/stripe.ts';
import type { Ctx } from '#server/services/context.ts';
import {
  killNow,
  never,
  nextFault,
  operationNow,
  type Machine,
  type Scheduler,
} from './scheduler.ts';
import type { SeatsDouble } from './seats-double.ts';
import type { StripeDouble } from './stripe-double.ts';

/**
 * The possible faults of an outside call. `done` means that the vendor did the action although
 * the call failed.
 */
export const callFaults = [
  'crash before',
  'crash after',
  'no answer',
  'no answer, done',
  'timeout',
  'timeout, done',
  'saved 500',
  'saved 500, done',
  'too many requests',
  'slow',
  'another sum',
] as const;

export interface Outside {
  scheduler: Scheduler;
  /** The seat map of the evening's current hall. */ seats: SeatsDouble;
  /** The halls by their event key at the seat map. */ halls: Map<string, KnownHall>;
  newHall: (chart_key: string) => SeatsDouble;
  stripe: StripeDouble;
  mailbox: OutgoingMail[];
  tell: (what: string) => void;
  count: (what: string) => void;
  /** For calls of this name the first answers are lost, though the action was done. */
  loses: string;
}

/** The charts by their key. */
export type DrawnCharts = Record<
  string,
  {
    drawing: object;
    categories: readonly { key: string; label: string; color: null }[];
  }
>;

interface KnownHall {
  chart_key: string;
  double: SeatsDouble;
}

interface Call<T> {
  vendor: string;
  name: string;
  about: string;
  run: () => T;
  /** The idempotency key, if the call has one. */ key?: string;
}

/** The time of all tries of a call together, including those of the SDK. */
const deadlineMs: Record<string, number> = { Stripe: 32_000, 'seats.io': 10_000, SMTP: 40_000 };
/** Only the first answers of an operation are lost, because otherwise it would never end. */
const mostLost = 6;
/** The time for which a server freezes before its call goes out. */
const standstillMs = 3 * 60_000;

async function callOut<T>(outside: Outside, machine: Machine, call: Call<T>): Promise<T> {
  const { scheduler, tell } = outside;
  const operation = operationNow();
  if (!operation) return call.run();
  if (machine.dead) return never();
  await scheduler.park(machine);
  const found = nextFault(operation, 'call');
  const words = `${operation.words}: ${call.vendor} ${call.name}${call.about}`;
  const isLost = !found && outside.loses === call.name && operation.seen.call <= mostLost;
  const fault = isLost ? 'no answer, done' : found && callFaults[found.what % callFaults.length];
  const silently = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error;
    }
  };
  if (fault) {
    tell(`${words}: ${fault}`);
    outside.count(`fault ${fault}`);
  }
  if (fault === 'crash before') return killNow(scheduler, machine);
  if (fault === 'no answer' || fault === 'too many requests')
    throw new ProviderUnavailable(call.vendor, fault, null);
  if (fault === 'timeout' || fault === 'timeout, done') {
    if (fault === 'timeout, done') silently(call.run);
    await scheduler.park(machine, deadlineMs[call.vendor]);
    throw new ProviderUnavailable(call.vendor, 'timeout', null);
  }
  if (fault === 'saved 500' || fault === 'saved 500, done' || fault === 'no answer, done') {
    if (fault !== 'saved 500') silently(call.run);
    if (call.key === undefined || fault === 'no answer, done')
      throw new ProviderUnavailable(call.vendor, '500', null);
    outside.stripe.burn(call.key);
    throw new ProviderRefused('Stripe', burntKey, 'a saved failure');
  }
  if (fault === 'slow') await scheduler.park(machine, standstillMs);
  if (fault === 'another sum' && call.name === 'open') outside.stripe.surcharge();
  let answer: { value: T } | { error: unknown };
  try {
    answer = { value: call.run() };
  } catch (error) {
    answer = { error };
  }
  if (!fault)
    tell(`${words}${'error' in answer ? `: refused, ${(answer.error as Error).message}` : ''}`);
  if (fault === 'crash after') return killNow(scheduler, machine);
  await scheduler.park(machine);
  if ('error' in answer) throw answer.error;
  return answer.value;
}

type SeatEvent = Awaited<ReturnType<Seats['event']>>;

export function seatsPort(outside: Outside, machine: Machine): Seats {
  const { halls } = outside;
  const hallOf = (key: string): KnownHall => {
    const known = halls.get(key);
    if (!known)
      throw new ProviderRefused('seats.io', 'EVENT_NOT_FOUND', { message: key, status: 404 });
    return known;
  };
  const at = (key: string) => hallOf(key).double;
  const ask = <T>(name: string, about: string, run: () => T) =>
    callOut(outside, machine, { vendor: 'seats.io', name, about, run });
  return {
    workspaceKey: 'workspace',
    objects: (key) => ask('objects', '', () => at(key).objects()),
    around: (key, labels) =>
      ask('around', ` ${labels.join(' ')}`, () => {
        const unknown = labels.find(
          (label) => !at(key).places.some((place) => place.label === label),
        );
        if (unknown !== undefined)
          throw new ProviderRefused('seats.io', 'OBJECT_NOT_FOUND', unknown);
        return at(key).objects();
      }),
    read: (key, labels) => ask('read', ` ${labels.join(' ')}`, () => at(key).read(labels)),
    placesOf: (key, label, about) =>
      ask('placesOf', ` ${label}`, () => at(key).placesOf(label, about)),
    book: (key, requests, about) =>
      ask('book', ` ${inWords(requests)} for ${about.orderId}`, () =>
        at(key).book(requests, about),
      ),
    release: (key, requests, orderId) =>
      ask('release', ` ${inWords(requests)} of ${orderId}`, () =>
        at(key).release(requests, orderId),
      ),
    block: (key, labels) => ask('block', ` ${labels.join(' ')}`, () => at(key).block(labels)),
    unblock: (key, labels) => ask('unblock', ` ${labels.join(' ')}`, () => at(key).unblock(labels)),
    addChannel: (key, channel) =>
      ask('addChannel', ` ${channel.objects.join(' ')}`, () => at(key).addChannel(channel)),
    setChannel: (key, channel) =>
      ask('setChannel', ` ${channel.objects.join(' ')}`, () => at(key).addChannel(channel)),
    dropChannel: (key, channel) => ask('dropChannel', '', () => at(key).dropChannel(channel)),
    take: (key, requests, orderId) =>
      ask('take', ` ${inWords(requests)} for ${orderId}`, () => at(key).take(requests, orderId)),
    keepBack: (key, labels) =>
      ask('keepBack', ` ${labels.join(' ')}`, () => at(key).keepBack(labels)),
    rebook: (key, seat, orderId) =>
      ask('rebook', ` ${seat.label} for ${orderId}`, () => {
        at(key).unblock([seat.label]);
        at(key).take([seat], orderId);
      }),
    blockPlaces: (key, area, block_id) =>
      ask('blockPlaces', ` ${area.places} of ${area.label} for ${block_id}`, () =>
        at(key).blockPlaces(area, block_id),
      ),
    unblockPlaces: (key, area, block_id) =>
      ask('unblockPlaces', ` ${area.places} of ${area.label} of ${block_id}`, () =>
        at(key).unblockPlaces(area, block_id),
      ),
    freeHeld: (key, labels) =>
      ask('freeHeld', ` ${labels.join(' ')}`, () => at(key).freeHeld(labels)),
    taken: (key) => ask('taken', '', () => at(key).taken()),
    ensureEvent: (key, { chartKey }) =>
      ask('ensureEvent', ` ${key}`, () => {
        if (!halls.has(key))
          halls.set(key, { chart_key: chartKey, double: outside.newHall(chartKey) });
      }),
    dropEvent: (key) => ask('dropEvent', ` ${key}`, () => void halls.delete(key)),
    limitHolds: async () => {},
    widenHold: async () => {},
    newHold: async () => ({ hold_token: 'none', left: 0 }),
    requireAdmission: async () => {},
    admitHold: async () => {},
    holdLeft: async () => 0,
    prolongHold: async () => 0,
    infos: (key, labels) => ask('infos', ` ${labels.join(' ')}`, () => at(key).infos(labels)),
    event: (key) =>
      // The fields that the product reads.
      ask('event', '', () => {
        const { chart_key, double } = hallOf(key);
        return { chart_key, channels: double.channels() } as unknown as SeatEvent;
      }),
    chartObjects: (key) => ask('chartObjects', '', () => outside.newHall(key).objects()),
    setTables: async () => {},
  };
}

function inWords(requests: readonly { label: string; quantity: number | null }[]): string {
  return requests
    .map(({ label, quantity }) => (quantity === null ? label : `${label}×${quantity}`))
    .join(' ');
}

export function paymentsPort(outside: Outside, machine: Machine): Payments {
  const { stripe } = outside;
  const ask = <T>(name: string, about: string, run: () => T, key?: string) =>
    callOut(outside, machine, {
      vendor: 'Stripe',
      name,
      about: about && ` ${about}`,
      run,
      ...(key === undefined ? {} : { key }),
    });
  return {
    live: false,
    prices: (ids) => ask('prices', '', () => stripe.prices(ids)),
    activePrices: async () => ({ prices: [], more: false }),
    priceFacts: (ids) => ask('priceFacts', '', () => stripe.priceFacts(ids)),
    open: (params, key) => ask('open', key, () => stripe.open(params, key), key),
    read: (id) => ask('read', id, () => stripe.read(id)),
    expire: (id) => ask('expire', id, () => stripe.expire(id)),
    async *sessions(since) {
      yield* await ask('sessions', '', () => stripe.listSessions(since));
    },
    undelivered: (since) => ask('undelivered', '', () => stripe.undelivered(since)),
    payment: (id) => ask('payment', id, () => stripe.payment(id)),
    refund: (about, key) =>
      ask(
        'refund',
        `${about.amount} of ${about.payment_intent}, key ${key}`,
        () => stripe.refund(about, key),
        key,
      ),
    async *receipts() {
      yield* await ask('receipts', '', () => []);
    },
    // These histories do not use the balance, the bank, or typed prices.
    payout: notAsked,
    async *payouts() {},
    async *movements() {},
    async *movementsOfPayout() {},
    async *movementsOfSource() {},
    verify: async (body, signature) => stripe.verify(body, signature),
    ensurePrice: notAsked,
    makeProduct: notAsked,
    makePrice: notAsked,
    nameProduct: notAsked,
    sellProduct: notAsked,
  };
}

async function notAsked(): Promise<never> {
  throw new Error('no part of these histories');
}

export function mailPort(outside: Outside, machine: Machine): Mailer {
  return {
    leaves: true,
    from: 'biglietti@example.it',
    send: (mail) =>
      callOut(outside, machine, {
        vendor: 'SMTP',
        name: 'send',
        about: ` ${mail.subject}`,
        run: () => {
          outside.mailbox.push(mail);
        },
      }),
  };
}

/** The parts of a chart that a change of hall reads. */
export function chartsPort(outside: Outside, machine: Machine, known: DrawnCharts): Ctx['charts'] {
  const ask = <T>(name: string, run: () => T) =>
    callOut(outside, machine, { vendor: 'seats.io', name, about: '', run });
  const port: Pick<Ctx['charts'], 'drawing' | 'categories'> = {
    drawing: (key) => ask('drawing', () => known[key]!.drawing),
    categories: (key) => ask('categories', () => [...known[key]!.categories]),
  };
  return port as Ctx['charts'];
}
