/**
 * The possible evenings at the door, as fast-check makes and shrinks them, and their description
 * in words.
 */
import * as fc from 'fast-check';
import { storeFaults, type Fault } from './door-life.ts';

/** The possible actions and their relative frequency. */
const weights = {
  scan: 40,
  'scan old code': 5,
  'scan junk': 2,
  group: 3,
  undo: 6,
  look: 2,
  sync: 10,
  news: 8,
  signal: 8,
  'no signal': 8,
  dies: 6,
  'second tab': 4,
  clock: 3,
  leap: 2,
  poison: 3,
  evicted: 1,
  revoked: 2,
  sold: 6,
  ended: 3,
  renamed: 4,
  reissued: 4,
  moved: 7,
  rehoused: 2,
  'let go': 3,
  'any paper': 10,
  heads: 3,
  'heads undone': 1,
  'new list': 4,
  'event changed': 1,
  'desk admits': 3,
  'desk takes back': 2,
  'late supervisor': 1,
  forges: 2,
};
export type Deed = keyof typeof weights;
const deeds = Object.keys(weights) as Deed[];

export const callFaults = [
  'lost',
  'no answer',
  'twice',
  'portal',
  'nonsense',
  'torn',
  'busy',
] as const;

/**
 * `who`, `what` and `how` choose the phone, the place or scan, and the manner among those that
 * exist.
 */
export interface Op {
  deed: Deed;
  who: number;
  what: number;
  how: number;
  /** Seconds that pass before it. */ gap: number;
  /** Begins while earlier actions are still running. */ meanwhile: boolean;
  faults: Fault[];
}

export interface Evening {
  ops: Op[];
  /** The order of turns, step by step. */
  picks: number[];
  phones: number;
  /** An ordinary night, or one in which the clocks change. */
  night: number;
  /** The offset of each phone's clock from the server's, in seconds. */
  skews: number[];
  reentry: boolean;
  admitsUnknown: boolean;
  /** The stream delivers nothing, everything, or loses, doubles and reorders messages. */
  stream: number;
  /** The hall has tables that are sold whole. */
  tables?: boolean;
  /** Free places are kept until a minute after the beginning. */
  keeps?: boolean;
  /** The phones that have the app of the release before, by number. */
  older?: readonly number[];
}

const fault = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      where: fc.constant('call' as const),
      at: fc.constantFrom(0, 0, 0, 1, 1, 2, 3),
      what: fc.nat({ max: callFaults.length - 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      where: fc.constant('store' as const),
      at: fc.constantFrom(0, 0, 1, 1, 2, 3, 4, 6),
      what: fc.nat({ max: storeFaults.length - 1 }),
    }),
  },
);

/** With tables their parties come together more often. */
const weightOf = (deed: Deed, tables: boolean) =>
  weights[deed] * (tables && ['group', 'moved', 'ended', 'sold'].includes(deed) ? 3 : 1);

const op = (tables: boolean): fc.Arbitrary<Op> =>
  fc.record({
    deed: fc.oneof(
      ...deeds.map((deed) => ({ weight: weightOf(deed, tables), arbitrary: fc.constant(deed) })),
    ),
    who: fc.nat({ max: 3 }),
    what: fc.oneof(
      { weight: 3, arbitrary: fc.nat({ max: 2 }) },
      { weight: 1, arbitrary: fc.nat({ max: 7 }) },
    ),
    how: fc.nat({ max: 15 }),
    gap: fc.oneof(
      { weight: 5, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 8 }) },
      { weight: 1, arbitrary: fc.constant(40) },
    ),
    meanwhile: fc.oneof(
      { weight: 2, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    faults: fc.oneof(
      { weight: 3, arbitrary: fc.constant([] as Fault[]) },
      { weight: 2, arbitrary: fc.array(fault, { minLength: 1, maxLength: 3, size: 'max' }) },
    ),
  });

/** The clocks of phones are right, a little off, or off by hours. */
const skew = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: -90, max: 90 }) },
  { weight: 1, arbitrary: fc.constantFrom(-7_200, 7_200, 3_600, -3_600) },
);

export function evenings({ tables = false } = {}): fc.Arbitrary<Evening> {
  return fc.record({
    ...(tables && { tables: fc.constant(true) }),
    ops: fc.array(op(tables), { minLength: 8, maxLength: 30, size: 'max' }),
    picks: fc.array(fc.nat({ max: 7 }), { maxLength: 80, size: 'max' }),
    phones: fc.integer({ min: 2, max: 4 }),
    night: fc.nat({ max: 2 }),
    skews: fc.array(skew, { minLength: 4, maxLength: 4 }),
    reentry: fc.oneof(
      { weight: 3, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
    admitsUnknown: fc.boolean(),
    stream: fc.nat({ max: 2 }),
    keeps: fc.oneof(
      { weight: 3, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    older: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.constantFrom([1], [2], [0, 1]) },
    ),
  });
}

export function inWords({
  ops,
  picks,
  phones,
  night,
  skews,
  reentry,
  admitsUnknown,
  stream,
  keeps = false,
  older = [],
}: Evening): string {
  const of = ({ deed, who, what, how, gap, meanwhile, faults }: Op) =>
    [
      gap > 0 ? `+${gap} s, ` : '',
      meanwhile ? 'meanwhile ' : '',
      `${deed} (${who}, ${what}, ${how})`,
      ...faults.map(
        ({ where, at, what: kind }) =>
          ` [${where} ${at}: ${where === 'call' ? callFaults[kind] : storeFaults[kind]}]`,
      ),
    ].join('');
  return [
    ...ops.map((one, index) => `  ${index + 1}. ${of(one)}`),
    `  ${phones} phones, clocks off by ${JSON.stringify(skews.slice(0, phones))} s; ${['an ordinary night', 'the night with an hour twice', 'the night without an hour'][night]}; ${reentry ? 'guests may come back' : 'nobody comes back'}, unknown tickets ${admitsUnknown ? 'are let in' : 'are asked about'}; stream ${['silent', 'whole', 'broken'][stream]}${keeps ? '; free places are let go' : ''}${older.length > 0 ? `; phones ${JSON.stringify(older)} of the release before` : ''}; turns ${JSON.stringify(picks)}`,
  ].join('\n');
}
