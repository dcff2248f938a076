/** Random small halls: the best available seats against a choice made by trying everything. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { best, drawHall, drawRow, openHall } from './halls.ts';
import { refuses, startStandin, things } from './start.ts';

interface Spot {
  label: string;
  row: number;
  index: number;
  x: number;
  y: number;
  category: string;
  accessible: boolean;
  open: boolean;
  wanted: boolean;
  gapAfter: boolean;
}

const signs = fc
  .array(fc.constantFrom('.', '.', '.', '#', '2', 'w', '|'), { minLength: 1, maxLength: 7 })
  .map((list) => list.join(''))
  .map((text) => text.replace(/^\|+/, '.'));
const question = fc
  .record({
    rows: fc.array(signs, { minLength: 1, maxLength: 3 }),
    number: fc.integer({ min: 1, max: 4 }),
    accessible: fc.constantFrom(0, 0, 0, 1, 2),
    tidy: fc.boolean(),
    category: fc.constantFrom(undefined, undefined, '1', '2'),
    focus: fc.constantFrom(-37, 13, 52, 111),
  })
  .filter(({ number, accessible }) => accessible <= number);
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

function spotsOf({ rows, category, accessible }: Question): Spot[] {
  return rows.flatMap((picture, row) =>
    drawRow(String(row), 40 + row * 27, picture.replaceAll('#', '.')).seats.map((seat, index) => {
      const open = picture.replaceAll('|', '')[index] !== '#';
      return {
        label: `${row}-${seat.label}`,
        row,
        index,
        x: seat.x,
        y: seat.y,
        category: String(seat.categoryKey),
        accessible: seat.accessible ?? false,
        open,
        gapAfter: seat.x_gapAfter ?? false,
        wanted:
          open &&
          (category === undefined || category === String(seat.categoryKey)) &&
          (accessible > 0 || !seat.accessible),
      };
    }),
  );
}

function areNeighbours(a: Spot, b: Spot): boolean {
  return (
    a.row === b.row &&
    ((a.index + 1 === b.index && !a.gapAfter) || (b.index + 1 === a.index && !b.gapAfter))
  );
}

/** Everything of so many wanted seats and so many wheelchairs: slow, and easy to believe. */
function* groupsOf(spots: Spot[], number: number, accessible: number): Generator<Spot[]> {
  if (number === 0) {
    if (accessible === 0) yield [];
    return;
  }
  for (const [index, spot] of spots.entries()) {
    for (const rest of groupsOf(
      spots.slice(index + 1),
      number - 1,
      accessible - Number(spot.accessible),
    ))
      yield [spot, ...rest];
  }
}

/** 3: side by side and nobody's seat left alone; 2: side by side; then minus the number of people alone. */
function rank(group: Spot[], spots: Spot[], tidy: boolean): number {
  const isRun = group.every((spot, index) => index === 0 || areNeighbours(group[index - 1]!, spot));
  if (!isRun)
    return -group.filter((spot) => !group.some((other) => areNeighbours(spot, other))).length;
  if (!tidy) return 2;
  const isLeft = (spot: Spot) => spot.open && !group.includes(spot);
  const block = (spot: Spot) =>
    spots.filter((other) => areNeighbours(spot, other) && other.category === spot.category);
  const lonely = group.flatMap(block).filter((spot) => isLeft(spot) && !block(spot).some(isLeft));
  return lonely.length === 0 ? 3 : 2;
}

/** Gives back how good the best choice was in the halls that it met; null where there was none. */
export async function chooseAnywhere(numRuns: number): Promise<Set<number | null>> {
  await using standin = await startStandin();
  const { events } = standin.client;
  const seen = new Set<number | null>();
  await fc.assert(
    fc.asyncProperty(question, async (asked) => {
      const spots = spotsOf(asked);
      const focalPoint = { x: asked.focus, y: 0 };
      const event = await openHall(
        standin,
        drawHall(
          asked.rows.map((picture, row) =>
            drawRow(String(row), 40 + row * 27, picture.replaceAll('#', '.')),
          ),
          { focalPoint },
        ),
      );
      const taken = spots.filter(({ open: free }) => !free).map(({ label }) => label);
      if (taken.length > 0) await events.book(event, things(...taken));
      const distance = (group: Spot[]) =>
        group.reduce((sum, { x, y }) => sum + Math.hypot(x - focalPoint.x, y - focalPoint.y), 0);
      const groups = [
        ...groupsOf(
          spots.filter(({ wanted }) => wanted),
          asked.number,
          asked.accessible,
        ),
      ];
      const ranks = groups.map((group) => rank(group, spots, asked.tidy));
      const highest = ranks.reduce((a, b) => Math.max(a, b), -Infinity);
      const nearest = groups
        .filter((_, index) => ranks[index] === highest)
        .reduce((least, group) => Math.min(least, distance(group)), Infinity);
      const params = best(asked.number, {
        accessibleSeats: asked.accessible,
        tryToPreventOrphanSeats: asked.tidy,
        categories: asked.category === undefined ? undefined : [asked.category],
      });
      const answer = events.bookBestAvailable(event, params);
      seen.add(groups.length === 0 ? null : highest);
      if (groups.length === 0) {
        await refuses('BEST_AVAILABLE_OBJECTS_NOT_FOUND', answer);
        return;
      }
      const { objects, nextToEachOther } = await answer;
      const chosen = objects.map((label) => spots.find((spot) => spot.label === label)!);
      expect(chosen.every(({ wanted }) => wanted)).toBe(true);
      expect([
        chosen.length,
        chosen.filter((spot) => spot.accessible).length,
        new Set(objects).size,
      ]).toEqual([asked.number, asked.accessible, asked.number]);
      expect([rank(chosen, spots, asked.tidy), nextToEachOther]).toEqual([highest, highest > 0]);
      expect(distance(chosen)).toBeCloseTo(nearest, 3);
      await events.release(event, objects);
      expect((await events.bookBestAvailable(event, params)).objects).toEqual(objects);
    }),
    { numRuns },
  );
  return seen;
}
