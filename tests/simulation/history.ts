/**
 * The possible histories, as fast-check makes and shrinks them, and their description in words.
 */
import * as fc from 'fast-check';
import { statementFaults } from './store.ts';
import { callFaults } from './vendors.ts';
import type { Fault } from './scheduler.ts';

/** The selections that people make; areas have a quantity. `omaggio` costs nothing. */
const wishes = [
  [['A1', 'intero', 1]],
  [['A2', 'intero', 1]],
  [
    ['A1', 'intero', 1],
    ['A2', 'ridotto', 1],
  ],
  [['A3', 'omaggio', 1]],
  [
    ['A2', 'intero', 1],
    ['A3', 'omaggio', 1],
  ],
  [['Loggione', 'intero', 1]],
  [
    ['Loggione', 'intero', 2],
    ['Loggione', 'ridotto', 1],
  ],
  [
    ['A1', 'intero', 1],
    ['Loggione', 'ridotto', 2],
  ],
  [
    ['A1', 'intero', 1],
    ['A2', 'intero', 1],
    ['A3', 'intero', 1],
  ],
] as const satisfies (readonly (readonly [label: string, type: string, quantity: number])[])[];

/** The selections of a history with tables that are sold whole; its quantity is the party. */
const tableWishes = [
  [['T1', 'intero', 3]],
  [['T1', 'intero', 2]],
  [['T2', 'intero', 3]],
  [['T1', 'intero', 1]],
  [
    ['A1', 'intero', 1],
    ['T1', 'intero', 3],
  ],
  [['A1', 'intero', 1]],
  [['Loggione', 'intero', 1]],
] as const satisfies (readonly (readonly [label: string, type: string, quantity: number])[])[];

export type Wish = (typeof wishes | typeof tableWishes)[number];

export function wishFor({ tables }: Pick<History, 'tables'>, nth: number): Wish {
  const known: readonly Wish[] = tables ? tableWishes : wishes;
  return known[nth % known.length]!;
}

/** The same, but of what is free, if any is; people see that on the map. */
export function freeWish(
  history: Pick<History, 'tables'>,
  nth: number,
  isFree: (label: string) => boolean,
): Wish {
  const known: readonly Wish[] = history.tables ? tableWishes : wishes;
  const free = known.filter((wish) => wish.every(([label]) => isFree(label)));
  return free[nth % free.length] ?? wishFor(history, nth);
}

/** The selection in the form in which a chart sends it to the server. */
export function selectionOf(wish: Wish) {
  return wish.map(([object_id, ticket_type, quantity]) => ({ object_id, ticket_type, quantity }));
}

/** The selection in the form that the seat map uses. */
export function requestsOf(wish: Wish) {
  return wish.map(([label, ticket_type, quantity]) => ({
    label,
    ticket_type,
    quantity: label === 'Loggione' ? quantity : null,
  }));
}

/** The possible actions and their relative frequency. */
const weights = {
  book: 16,
  'book again': 6,
  cancel: 6,
  pay: 14,
  'pay slowly': 2,
  'end slow payment': 2,
  webhook: 8,
  look: 4,
  work: 8,
  reconcile: 4,
  'office confirms': 2,
  'office refunds': 5,
  'office decides': 4,
  'buyer asks refund': 4,
  'compare books': 1,
  'event cancelled': 1,
  'dashboard refund': 2,
  'refund moves': 2,
  dispute: 1,
  account: 1,
  'seat freed by hand': 1,
  'till sells': 12,
  'till sells again': 3,
  'till collects': 3,
  'till counts': 6,
  'office blocks': 4,
  'office unblocks': 3,
  'office moves': 10,
  'office reserves': 5,
  'office gives free': 3,
  'book with code': 5,
  'office rehouses': 8,
  'office swaps': 30,
  'office retypes': 8,
  'till exchanges': 30,
  'buyer exchanges': 30,
  'guest comes': 4,
  'till reserves': 20,
  'till takes a part': 30,
};
export type Deed = keyof typeof weights;
const deeds = Object.keys(weights) as Deed[];

/** `which` and `how` choose among the visitors, orders, sessions and events that exist. */
export interface Op {
  deed: Deed;
  which: number;
  how: number;
  /** Seconds that pass before it. */ gap: number;
  /** Begins while earlier actions are still running. */ meanwhile: boolean;
  faults: Fault[];
}

export interface History {
  ops: Op[];
  /** The order of turns, step by step. */
  picks: number[];
  /** At the end everybody who still can pay does so. */
  pays: boolean;
  /**
   * The fate of undelivered events: none arrive, all arrive in order, or all arrive twice and
   * backwards.
   */
  deliveries: number;
  /** Slow payments and pending refunds succeed. */
  endsWell: boolean;
  refundsArePending: boolean;
  /** Answers to calls of this name are lost, though the action was done. */
  loses: '' | 'book' | 'open' | 'refund' | 'send' | 'expire';
  /** Requests of buyers wait for a decision of the office. */
  officeDecides: boolean;
  /**
   * Before the action with this number the house's clock is set so far ahead of the true time, or
   * behind it; at the end it is right. Missing in histories from before there was this fault.
   */
  clocks?: readonly { before: number; hours: number }[];
  /** People also buy, move and give back tables that are sold whole. */
  tables?: boolean;
  /** There is another evening of the show, and people change the date of their tickets. */
  exchanges?: boolean;
  /** Tickets change seats with each other, and their types. */
  swaps?: boolean;
  /** Reservations are paid in parts. */
  deposits?: boolean;
}

const calls = callFaults.length;
const fault = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      where: fc.constant('call' as const),
      at: fc.nat({ max: 5 }),
      what: fc.nat({ max: calls - 1 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      where: fc.constant('statement' as const),
      at: fc.nat({ max: 14 }),
      what: fc.nat({ max: statementFaults.length - 1 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      where: fc.constant('point' as const),
      at: fc.nat({ max: 4 }),
      what: fc.constant(0),
    }),
  },
);

const op = (known: readonly Deed[]) =>
  fc.record({
    deed: fc.oneof(
      ...known.map((deed) => ({ weight: weights[deed], arbitrary: fc.constant(deed) })),
    ),
    which: fc.oneof(
      { weight: 2, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.nat({ max: 7 }) },
    ),
    how: fc.nat({ max: 15 }),
    gap: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.constant(10) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }).map((minutes) => minutes * 60) },
    ),
    meanwhile: fc.boolean(),
    faults: fc.oneof(
      { weight: 1, arbitrary: fc.constant([] as Fault[]) },
      { weight: 1, arbitrary: fc.array(fault, { minLength: 1, maxLength: 3, size: 'max' }) },
    ),
  });

/** Actions of the house only: two tills, and the office at its seat map. */
const houseDeeds: readonly Deed[] = [
  'till sells',
  'till sells again',
  'till collects',
  'till counts',
  'office blocks',
  'office unblocks',
  'office moves',
  'office reserves',
  'office gives free',
  'book with code',
];
/** Actions of the web and of the machine that are mixed with those of the house. */
const besideHouse: readonly Deed[] = [
  'book',
  'pay',
  'webhook',
  'work',
  'reconcile',
  'office refunds',
];

/** Actions that are mixed with a change of hall. */
const besideRehousing: readonly Deed[] = [
  ...besideHouse,
  'cancel',
  'buyer asks refund',
  'till sells',
  'office blocks',
  'office moves',
];

/**
 * Actions that are mixed where people buy tables that are sold whole; those that take a table
 * apart come more often.
 */
const besideTables: readonly Deed[] = [
  ...besideHouse,
  'office refunds',
  'seat freed by hand',
  'seat freed by hand',
  'seat freed by hand',
  'till sells',
  'office blocks',
  'office unblocks',
  'office moves',
  'office reserves',
  'buyer asks refund',
  'seat freed by hand',
];

/** Actions that are mixed with exchanges; those that make tickets and money for them come often. */
const besideExchanges: readonly Deed[] = [
  ...besideHouse,
  'cancel',
  'pay slowly',
  'end slow payment',
  'till sells',
  'till sells again',
  'till counts',
  'book again',
  'buyer asks refund',
  'office decides',
  'office moves',
  'office confirms',
  'event cancelled',
  'dashboard refund',
  'refund moves',
  'dispute',
  'guest comes',
  'guest comes',
];
const exchangeDeeds: readonly Deed[] = ['till exchanges', 'buyer exchanges'];

/** Actions that are mixed with swaps: those that end a ticket, or want its seat. */
const besideSwaps: readonly Deed[] = [
  ...besideHouse,
  'cancel',
  'till sells',
  'buyer asks refund',
  'office decides',
  'refund moves',
  'office moves',
  'office blocks',
  'event cancelled',
  'guest comes',
];
const swapDeeds: readonly Deed[] = ['office swaps', 'office retypes'];

/** Actions that are mixed with part payments: those that end a reservation, or its evening. */
const besideDeposits: readonly Deed[] = [
  'till collects',
  'till collects',
  'till counts',
  'till sells again',
  'cancel',
  'work',
  'reconcile',
  'office decides',
  'event cancelled',
];
const depositDeeds: readonly Deed[] = ['till reserves', 'till takes a part'];

/** Each exchange history begins with tickets: sold at the till, online, or both. */
const firstSales: fc.Arbitrary<Op[]> = fc
  .record({
    ways: fc.constantFrom('both', 'web', 'till'),
    cart: fc.nat({ max: 15 }),
    sale: fc.constantFrom(0, 5, 10, 15, 3, 8, 13),
  })
  .map(({ ways, cart, sale }) => [
    ...(ways === 'till' ? [] : soldOnline(cart)),
    ...(ways === 'web' ? [] : soldAtTill(sale)),
  ]);

/** Each history of part payments begins with a reservation. */
const reserved: Op = {
  deed: 'till reserves',
  which: 0,
  how: 0,
  gap: 0,
  meanwhile: false,
  faults: [],
};

const calm = { which: 0, how: 0, gap: 0, meanwhile: false, faults: [] };

function soldOnline(cart: number): Op[] {
  return [
    { ...calm, deed: 'book', how: cart },
    { ...calm, deed: 'pay', how: 1 },
    { ...calm, deed: 'webhook' },
  ];
}

function soldAtTill(sale: number): Op[] {
  return [{ ...calm, deed: 'till sells', how: sale }];
}

/** Each history of swaps begins with two orders of seats of the first evening. */
const firstSeats: fc.Arbitrary<Op[]> = fc.constantFrom(
  [...soldOnline(0), ...soldAtTill(1)],
  [...soldOnline(4), ...soldAtTill(0)],
  [...soldOnline(2), ...soldAtTill(3)],
  [...soldOnline(0), ...soldOnline(4)],
  [...soldAtTill(0), ...soldAtTill(1)],
);

/**
 * Among too many kinds of actions few interact, so an evening is mostly one of the web or one of
 * the house.
 */
function opsOf(known: readonly Deed[], tables: boolean): fc.Arbitrary<Op[]> {
  const few = (deeds: readonly Deed[]) =>
    fc.array(op(deeds), { minLength: 4, maxLength: 14, size: 'max' });
  const swaps = known.includes('office swaps') ? swapDeeds : [];
  const afterSales = (deeds: readonly Deed[]) =>
    fc
      .tuple(swaps.length > 0 ? firstSeats : firstSales, few(deeds))
      .map(([first, then]) => [...first, ...then]);
  if (known.includes('till exchanges'))
    return afterSales([...exchangeDeeds, ...besideExchanges, ...swaps]);
  if (swaps.length > 0) return afterSales([...swaps, ...besideSwaps]);
  if (known.includes('till takes a part'))
    return few([...depositDeeds, ...besideDeposits]).map((ops) => [reserved, ...ops]);
  if (known.includes('office rehouses')) return few(['office rehouses', ...besideRehousing]);
  if (tables) return few(besideTables);
  const web = known.filter((deed) => !houseDeeds.includes(deed));
  const house = known.filter((deed) => houseDeeds.includes(deed) || besideHouse.includes(deed));
  return fc.oneof(
    { weight: 3, arbitrary: few(web) },
    { weight: 2, arbitrary: few(house) },
    { weight: 1, arbitrary: few(known) },
  );
}

/** Twenty hours are longer than all healing, and less than Stripe lets a session live. */
const clock = fc.record({
  before: fc.nat({ max: 13 }),
  hours: fc.constantFrom(20, 2, 0, -2, -20),
});

/** `known`: the actions that the product supports. */
export function histories(
  known: readonly Deed[] = deeds,
  { tables = false, exchanges = false, swaps = false, deposits = false } = {},
): fc.Arbitrary<History> {
  return fc.record({
    ...(tables && { tables: fc.constant(true) }),
    ...(exchanges && { exchanges: fc.constant(true) }),
    ...(swaps && { swaps: fc.constant(true) }),
    ...(deposits && { deposits: fc.constant(true) }),
    ops: opsOf(known, tables),
    picks: fc.array(fc.nat({ max: 7 }), { maxLength: 60, size: 'max' }),
    pays: fc.boolean(),
    deliveries: fc.nat({ max: 2 }),
    endsWell: fc.boolean(),
    refundsArePending: fc.boolean(),
    officeDecides: fc.boolean(),
    loses: fc.constantFrom('', '', '', '', 'book', 'open', 'refund', 'send', 'expire'),
    // Comes last, so that all else in the histories of a seed stays as it is.
    clocks: tables
      ? fc.constant([])
      : fc.oneof(
          { weight: 2, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.array(clock, { minLength: 1, maxLength: 3, size: 'max' }) },
        ),
  });
}

export function inWords({
  ops,
  picks,
  pays,
  deliveries,
  endsWell,
  refundsArePending,
  officeDecides,
  loses,
  clocks = [],
}: History): string {
  const of = ({ deed, which, how, gap, meanwhile, faults }: Op) =>
    [
      gap > 0 && !meanwhile ? `+${gap} s, ` : '',
      meanwhile ? 'meanwhile ' : '',
      `${deed} (${which}, ${how})`,
      ...faults.map(
        ({ where, at, what }) =>
          ` [${where} ${at}: ${where === 'call' ? callFaults[what] : where === 'statement' ? statementFaults[what] : 'crash'}]`,
      ),
    ].join('');
  return [
    ...ops.map((one, index) => `  ${index + 1}. ${of(one)}`),
    `  turns ${JSON.stringify(picks)}; at the end ${pays ? 'all pay' : 'nobody pays'}, deliveries ${['never', 'in order', 'twice, backwards'][deliveries]}, ${endsWell ? 'all ends well' : 'slow payments and pending refunds fail'}, refunds ${refundsArePending ? 'pending first' : 'at once'}, wishes ${officeDecides ? 'wait for the office' : 'are carried out'}${loses && `, answers to ${loses} are lost`}${clocks.map(({ before, hours }) => `, before ${before + 1} the clock is ${hours} h ahead`).join('')}`,
  ].join('\n');
}
