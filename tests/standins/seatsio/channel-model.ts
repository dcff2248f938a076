/** Random histories of channels that get and lose seats and places while they are sold, against a simple model of what is whose. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { eventParams, refuses, things } from './start.ts';
import type { Standin } from './start.ts';

const SEATS = ['A-1', 'A-2', 'A-3'];
const CHANNELS = ['red', 'blue'];
const NOBODY = 'NO_CHANNEL';
const AREA = 'GA1';
const CAPACITY = 100;

type Step =
  | { type: 'give' | 'take'; channel: string; seats: string[]; places: number }
  | {
      type: 'book' | 'release';
      keys: string[] | null;
      ignore: boolean;
      seats: string[];
      places: number;
    };

const seats = fc.uniqueArray(fc.constantFrom(...SEATS), { maxLength: 2 });
const places = fc.constantFrom(0, 5, 30, 60);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('give', 'take'),
      channel: fc.constantFrom(...CHANNELS),
      seats,
      places,
    }),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({
        type: fc.constantFrom('book', 'book', 'release'),
        keys: fc.option(fc.uniqueArray(fc.constantFrom(...CHANNELS, NOBODY), { minLength: 1 })),
        ignore: fc.boolean(),
        seats,
        places,
      })
      .filter((action) => action.seats.length > 0 || action.places > 0),
  },
);

/** Of the area: how many places each channel was given, and how many of each were taken; `NO_CHANNEL` has the rest. */
interface Model {
  channelOf: Map<string, string>;
  booked: Set<string>;
  given: Map<string, number>;
  taken: Map<string, number>;
}

function opens(action: Extract<Step, { ignore: boolean }>, channel: string): boolean {
  return action.ignore || (action.keys ? action.keys.includes(channel) : channel === NOBODY);
}

/** What was sold through a channel that has no places left is everybody's, until it gets some again. */
function sourcesOf(model: Model, channel: string): string[] {
  const has = (key: string) => model.given.get(key)! > 0;
  if (channel === NOBODY) return [NOBODY, ...CHANNELS.filter((key) => !has(key))];
  return has(channel) ? [channel] : [];
}

function takenOf(model: Model, channel: string): number {
  return sourcesOf(model, channel).reduce((sum, key) => sum + model.taken.get(key)!, 0);
}

/** Below zero where a channel was given what was sold before. */
function left(model: Model, channel: string): number {
  const given =
    channel === NOBODY
      ? CAPACITY - CHANNELS.reduce((sum, key) => sum + model.given.get(key)!, 0)
      : model.given.get(channel)!;
  return given - takenOf(model, channel);
}

function takenInAll(model: Model): number {
  return [...model.taken.values()].reduce((sum, count) => sum + count, 0);
}

/** In the order of the keys, or those for everybody first. */
function within(action: Extract<Step, { ignore: boolean }>): string[] {
  const all = [NOBODY, ...CHANNELS].filter((channel) => opens(action, channel));
  return action.keys
    ? all.toSorted((a, b) => order(action.keys!, a) - order(action.keys!, b))
    : all;
}

function order(keys: string[], channel: string): number {
  return keys.includes(channel) ? keys.indexOf(channel) : keys.length;
}

/** What should happen: true, and the model is changed, or false, and it is as before; null where the model does not say which places go back. */
function play(model: Model, action: Extract<Step, { ignore: boolean }>): boolean | null {
  const wanted = action.type === 'book';
  if (
    action.seats.some(
      (label) =>
        !opens(action, model.channelOf.get(label) ?? NOBODY) || (wanted && model.booked.has(label)),
    )
  )
    return false;
  const open = within(action);
  const room = wanted
    ? Math.min(
        CAPACITY - takenInAll(model),
        open.reduce((sum, channel) => sum + Math.max(0, left(model, channel)), 0),
      )
    : open.reduce((sum, channel) => sum + takenOf(model, channel), 0);
  if (action.places > room) return false;
  const sources = open.flatMap((channel) => sourcesOf(model, channel));
  if (!wanted && action.places > 0 && sources.length > 1) return null;
  let rest = action.places;
  for (const channel of wanted ? open : sources) {
    const count = wanted ? Math.min(rest, Math.max(0, left(model, channel))) : rest;
    model.taken.set(channel, model.taken.get(channel)! + (wanted ? count : -count));
    rest -= count;
  }
  for (const label of action.seats)
    if (wanted) model.booked.add(label);
    else model.booked.delete(label);
  return true;
}

function edit(model: Model, action: Extract<Step, { channel: string }>): void {
  for (const label of action.seats) {
    if (action.type === 'give') model.channelOf.set(label, action.channel);
    else if (model.channelOf.get(label) === action.channel) model.channelOf.delete(label);
  }
  model.given.set(
    action.channel,
    Math.max(
      0,
      model.given.get(action.channel)! + (action.type === 'give' ? action.places : -action.places),
    ),
  );
}

function ask({ client: { events } }: Standin, event: string, action: Step): Promise<unknown> {
  const areaPlaces: Record<string, number> = action.places > 0 ? { [AREA]: action.places } : {};
  if ('channel' in action)
    return events.channels[action.type === 'give' ? 'addObjects' : 'removeObjects'](
      event,
      action.channel,
      action.seats,
      areaPlaces,
    );
  const objects = things(
    ...action.seats,
    ...(action.places > 0 ? [{ objectId: AREA, quantity: action.places }] : []),
  );
  return events[action.type](event, objects, null, null, null, action.ignore, action.keys);
}

/** The rules are the same code on both databases; what differs are the statements, which every history asks. */
export async function sellChannels(standin: Standin, numRuns: number): Promise<void> {
  const { client } = standin;
  let round = 0;
  let allowed = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const event = `channels-${(round += 1)}`;
      await client.events.create(
        'small',
        eventParams({
          key: event,
          channels: CHANNELS.map((key) => ({
            key,
            name: key,
            color: '#000000',
            index: 1,
            objects: [],
          })),
        }),
      );
      const model: Model = {
        channelOf: new Map(),
        booked: new Set(),
        given: new Map(CHANNELS.map((key) => [key, 0])),
        taken: new Map([NOBODY, ...CHANNELS].map((key) => [key, 0])),
      };
      for (const action of steps) {
        if ('channel' in action) {
          edit(model, action);
          await ask(standin, event, action);
        } else {
          const should = play(model, action);
          if (should === null) continue;
          if (should) await ask(standin, event, action);
          else await refuses('ILLEGAL_STATUS_CHANGE', ask(standin, event, action));
          if (should) allowed += 1;
          else refused += 1;
        }
        const infos = await client.events.retrieveObjectInfos(event, [...SEATS, AREA]);
        for (const label of SEATS)
          expect([label, infos[label]!.status, infos[label]!.channel]).toEqual([
            label,
            model.booked.has(label) ? 'booked' : 'free',
            model.channelOf.get(label),
          ]);
        expect(infos[AREA]!.numBooked).toBe(takenInAll(model));
      }
    }),
    { numRuns },
  );
  if (numRuns >= 5) expect([allowed > numRuns, refused > numRuns]).toEqual([true, true]);
}
