/** Random histories of holds, bookings, releases and expiries against a simple model of who has what. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { eventParams, refuses, things } from './start.ts';
import type { Standin } from './start.ts';

const SEATS = ['A-1', 'A-2', 'B-1'];
const AREA = 'GA1';
const CAPACITY = 100;
const TOKENS = 3;

type What = { seats: string[]; places: number };
type Step =
  | { type: 'hold' | 'bookHeld' | 'releaseHeld'; token: number; what: What; door: 'api' | 'public' }
  | { type: 'book' | 'release'; what: What }
  | { type: 'wait'; minutes: number }
  | { type: 'end'; token: number }
  | { type: 'renew'; token: number };

/** Who has a seat: nobody, the one who paid, or a token. */
interface Model {
  now: number;
  seats: Map<string, 'free' | 'booked' | number>;
  heldPlaces: number[];
  booked: number;
  ends: number[];
}

const what = fc
  .record({
    seats: fc.uniqueArray(fc.constantFrom(...SEATS), { maxLength: 3 }),
    places: fc.constantFrom(0, 0, 1, 30, 60),
  })
  .filter(({ seats, places }) => seats.length > 0 || places > 0);
const token = fc.nat(TOKENS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom('hold', 'bookHeld', 'releaseHeld'),
      token,
      what,
      door: fc.constantFrom('api', 'public'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('book', 'release'), what }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      minutes: fc.constantFrom(1, 7, 14, 15),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ type: fc.constant('end' as const), token }),
      fc.record({ type: fc.constant('renew' as const), token }),
    ),
  },
);

/** What should happen: true, and the model is changed, or false, and it is as before. */
function play(model: Model, action: Exclude<Step, { type: 'wait' | 'end' | 'renew' }>): boolean {
  const { seats, places } = action.what;
  const owners = seats.map((label) => model.seats.get(label)!);
  const freePlaces =
    CAPACITY - model.booked - model.heldPlaces.reduce((sum, count) => sum + count, 0);
  if ('token' in action) {
    if (model.ends[action.token]! <= model.now) return false;
    const held = model.heldPlaces[action.token]!;
    if (
      action.type === 'hold'
        ? owners.some((owner) => owner !== 'free') || places > freePlaces
        : owners.some((owner) => owner !== action.token) || places > held
    )
      return false;
    // The browser's limit: a hundred places for one token.
    const size =
      held +
      places +
      seats.length +
      [...model.seats.values()].filter((owner) => owner === action.token).length;
    if (action.type === 'hold' && action.door === 'public' && size > 100) return false;
    model.heldPlaces[action.token]! += action.type === 'hold' ? places : -places;
    if (action.type === 'bookHeld') model.booked += places;
  } else {
    if (action.type === 'book' && owners.includes('booked')) return false;
    if (places > (action.type === 'book' ? freePlaces : model.booked)) return false;
    model.booked += action.type === 'book' ? places : -places;
  }
  const next =
    action.type === 'hold'
      ? action.token
      : action.type === 'book' || action.type === 'bookHeld'
        ? 'booked'
        : 'free';
  for (const label of seats) model.seats.set(label, next);
  return true;
}

function expire(model: Model): void {
  for (const [index, end] of model.ends.entries()) {
    if (end > model.now) continue;
    model.heldPlaces[index] = 0;
    for (const [label, owner] of model.seats) if (owner === index) model.seats.set(label, 'free');
  }
}

async function ask(
  standin: Standin,
  { event, tokens }: { event: string; tokens: string[] },
  action: Exclude<Step, { type: 'wait' | 'end' | 'renew' }>,
): Promise<unknown> {
  const { events } = standin.client;
  const objects = things(
    ...action.what.seats,
    ...(action.what.places > 0 ? [{ objectId: AREA, quantity: action.what.places }] : []),
  );
  if (!('token' in action)) return events[action.type](event, objects);
  const holdToken = tokens[action.token]!;
  if (action.type === 'bookHeld') return events.book(event, objects, holdToken);
  const verb = action.type === 'hold' ? 'hold' : 'release';
  if (action.door === 'api') return events[verb](event, objects, holdToken);
  const answer = await standin.visit('POST', `/events/${event}/actions/${verb}`, {
    holdToken,
    objects,
  });
  if (answer.status !== 200) throw answer.body;
  return answer.body;
}

/** The rules are the same code on both databases; what differs are the statements, which every history asks. */
export async function sellSeats(standin: Standin, numRuns: number): Promise<void> {
  const { client, clock } = standin;
  let round = 0;
  let allowed = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const event = `model-${(round += 1)}`;
      await client.events.create('small', eventParams({ key: event }));
      const tokens: string[] = [];
      for (let index = 0; index < TOKENS; index += 1)
        tokens.push((await client.holdTokens.create()).holdToken);
      const model: Model = {
        now: clock.now,
        seats: new Map(SEATS.map((label) => [label, 'free'])),
        heldPlaces: tokens.map(() => 0),
        booked: 0,
        ends: tokens.map(() => clock.now + 15 * 60_000),
      };
      for (const action of steps) {
        if (action.type === 'wait') clock.now = model.now += action.minutes * 60_000;
        else if (action.type === 'end' || action.type === 'renew') {
          const minutes = action.type === 'end' ? 0 : 15;
          if (
            model.ends[action.token]! > model.now &&
            model.now + minutes * 60_000 <= model.ends[action.token]! + 105 * 60_000
          ) {
            const started = model.ends[action.token]!;
            const ok = await client.holdTokens
              .expiresInMinutes(tokens[action.token]!, minutes)
              .then(
                () => true,
                () => false,
              );
            model.ends[action.token] = ok ? model.now + minutes * 60_000 : started;
          }
        } else {
          expire(model);
          if (play(model, action)) {
            await ask(standin, { event, tokens }, action);
            allowed += 1;
          } else {
            await refuses({ status: 400 }, ask(standin, { event, tokens }, action));
            refused += 1;
          }
        }
        expire(model);
        const infos = await client.events.retrieveObjectInfos(event, [...SEATS, AREA]);
        for (const [label, owner] of model.seats) {
          expect([label, infos[label]!.status, infos[label]!.holdToken]).toEqual([
            label,
            typeof owner === 'number' ? 'reservedByToken' : owner,
            typeof owner === 'number' ? tokens[owner] : undefined,
          ]);
        }
        const held = model.heldPlaces.reduce((sum, count) => sum + count, 0);
        expect(infos[AREA]).toMatchObject({
          numBooked: model.booked,
          numHeld: held,
          numFree: CAPACITY - model.booked - held,
        });
        const holds = Object.fromEntries(
          tokens.flatMap((name, index) =>
            model.heldPlaces[index]! > 0
              ? [[name, { NO_TICKET_TYPE: model.heldPlaces[index] }]]
              : [],
          ),
        );
        expect(infos[AREA]!.holds ?? {}).toEqual(holds);
      }
    }),
    { numRuns },
  );
  // A model that refused everything would agree with a server that does.
  if (numRuns >= 5) expect([allowed > numRuns, refused > numRuns]).toEqual([true, true]);
}
