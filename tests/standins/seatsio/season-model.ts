/** Random histories of a season, its half and its evenings against a simple model: who sits on which evening. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { CreateSeasonParams } from 'seatsio';
import { refuses, things } from './start.ts';
import type { Standin } from './start.ts';

/** What is sold, and the evenings that it stands for; `late` shares the second evening with `half`. */
const EVENINGS: Record<string, string[]> = {
  year: ['one', 'two', 'three'],
  half: ['one', 'two'],
  late: ['two', 'three'],
  one: ['one'],
  two: ['two'],
  three: ['three'],
};
const NODES = Object.keys(EVENINGS);
const SEASONS = ['year', 'half', 'late'];
const SEATS = ['A-1', 'A-2'];
const AREA = 'GA1';
const CAPACITY = 100;

type Step =
  | { type: 'book' | 'release'; node: string; label: string; quantity: number }
  | { type: 'override' | 'use'; evening: string; season: string; label: string; quantity: number };

const what = { label: fc.constantFrom(...SEATS, AREA), quantity: fc.constantFrom(1, 20, 50, 70) };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom('book', 'book', 'release'),
      node: fc.constantFrom(...NODES),
      ...what,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('override', 'override', 'use'),
      evening: fc.constantFrom('one', 'two', 'three'),
      season: fc.constantFrom(...SEASONS),
      ...what,
    }),
  },
);

/** Of one label: what each has sold itself, and how much of it an evening does without. */
class Model {
  readonly capacity: number;
  readonly sold = new Map<string, number>();
  readonly without = new Map<string, number>();

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  soldBy(node: string): number {
    return this.sold.get(node) ?? 0;
  }

  overridden(evening: string, season: string): number {
    return this.without.get(`${evening} ${season}`) ?? 0;
  }

  overriddenByAll(evening: string): number {
    return SEASONS.filter((season) => EVENINGS[season]!.includes(evening)).reduce(
      (sum, season) => sum + this.overridden(evening, season),
      0,
    );
  }

  /** How many sit there on an evening, not counting those of `except`. */
  sitting(evening: string, except?: string): number {
    return NODES.filter((node) => node !== except && EVENINGS[node]!.includes(evening)).reduce(
      (sum, node) => sum + Math.max(0, this.soldBy(node) - this.overridden(evening, node)),
      0,
    );
  }

  /** How many more a node could sell: what is left on its fullest evening, and beside the seasons around or inside of it. */
  left(node: string): number {
    const evenings = EVENINGS[node]!.map((evening) => this.sitting(evening, node));
    const seasons = node === 'year' ? ['half', 'late'] : SEASONS.includes(node) ? ['year'] : [];
    return (
      this.capacity -
      this.soldBy(node) -
      Math.max(...evenings, ...seasons.map((season) => this.soldBy(season)))
    );
  }

  book(node: string, quantity: number): boolean {
    if (quantity > this.left(node)) return false;
    this.sold.set(node, this.soldBy(node) + quantity);
    return true;
  }

  release(node: string, quantity: number): boolean {
    // A free seat may be released again, to no effect.
    if (this.capacity === 1 && this.soldBy(node) === 0) return this.left(node) > 0;
    if (quantity > this.soldBy(node)) return false;
    this.sold.set(node, this.soldBy(node) - quantity);
    for (const evening of EVENINGS[node]!)
      this.without.set(
        `${evening} ${node}`,
        Math.min(this.overridden(evening, node), this.soldBy(node)),
      );
    return true;
  }

  override(evening: string, season: string, quantity: number): boolean {
    if (!EVENINGS[season]!.includes(evening)) return false;
    const after = this.overridden(evening, season) + quantity;
    if (after > this.soldBy(season) && this.overriddenByAll(evening) + quantity > this.capacity)
      return false;
    this.without.set(`${evening} ${season}`, after);
    return true;
  }

  use(evening: string, season: string, quantity: number): boolean {
    const after = this.overridden(evening, season) - quantity;
    if (
      after < 0 ||
      this.sitting(evening, season) + Math.max(0, this.soldBy(season) - after) > this.capacity
    )
      return false;
    this.without.set(`${evening} ${season}`, after);
    return true;
  }
}

function play(model: Model, action: Step, quantity: number): boolean {
  return 'node' in action
    ? model[action.type](action.node, quantity)
    : model[action.type](action.evening, action.season, quantity);
}

function ask(
  { client: { events } }: Standin,
  action: Step,
  { name, quantity }: { name: (key: string) => string; quantity: number },
): Promise<unknown> {
  if ('node' in action)
    return events[action.type](name(action.node), things({ objectId: action.label, quantity }));
  const labels = Array.from({ length: quantity }, () => action.label);
  const verb = action.type === 'override' ? 'overrideSeasonObjectStatus' : 'useSeasonObjectStatus';
  return events[verb](name(action.evening), labels, name(action.season));
}

/** The rules are the same code on both databases; what differs are the statements, which every history asks. */
export async function sellSeasons(standin: Standin, numRuns: number): Promise<void> {
  const { client } = standin;
  let round = 0;
  let allowed = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const prefix = `round-${(round += 1)}-`;
      const name = (key: string) => `${prefix}${key}`;
      await client.seasons.create(
        'small',
        new CreateSeasonParams().key(name('year')).eventKeys(['one', 'two', 'three'].map(name)),
      );
      for (const key of ['half', 'late'])
        await client.seasons.createPartialSeason(
          name('year'),
          name(key),
          null,
          EVENINGS[key]!.map(name),
        );
      const models = new Map([
        ...SEATS.map((label) => [label, new Model(1)] as const),
        [AREA, new Model(CAPACITY)],
      ]);
      for (const action of steps) {
        const quantity = action.label === AREA ? action.quantity : 1;
        const model = models.get(action.label)!;
        if (play(model, action, quantity)) {
          await ask(standin, action, { name, quantity });
          allowed += 1;
        } else {
          await refuses({ status: 400 }, ask(standin, action, { name, quantity }));
          refused += 1;
        }
        for (const evening of ['one', 'two', 'three'])
          expect(model.sitting(evening)).toBeLessThanOrEqual(model.capacity);
        for (const node of NODES) {
          const info = await client.events.retrieveObjectInfo(name(node), action.label);
          const free = action.label === AREA ? info.numFree : Number(info.status === 'free');
          expect([action, node, free]).toEqual([action, node, Math.max(0, model.left(node))]);
          expect(info.seasonStatusOverriddenQuantity).toBe(
            SEASONS.includes(node) ? 0 : Math.min(model.capacity, model.overriddenByAll(node)),
          );
        }
      }
    }),
    { numRuns },
  );
  if (numRuns >= 5) expect([allowed > numRuns, refused > numRuns]).toEqual([true, true]);
}
