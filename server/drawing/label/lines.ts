/** The order in which seats of a row and rows of a hall are counted. */
import { LISTS, type Doc, type Item, type Kind, type Point } from '#server/drawing/model/data.ts';
import { originOf, seatsOf, type Selection } from '#server/drawing/model/selection.ts';
import { centreOf, labelOf } from '#server/drawing/model/places.ts';
import { entryAt, entryOf } from '#server/drawing/model/entry.ts';

/** A seat to be labelled; `at` is absolute. */
export interface Spot {
  readonly item: string;
  readonly seat: number;
  readonly at: Point;
  /** True if an aisle follows in the direction of the row. */
  readonly gapAfter: boolean;
}

/**
 * `first` and `last` follow the row's own direction, `left` and `right` the plan; `centre` goes
 * outwards on alternating sides.
 */
export type Course = 'first' | 'last' | 'left' | 'right' | 'centre';
export type RowOrder = 'list' | 'front' | 'back' | 'left' | 'right' | 'top' | 'bottom';

function seatsIn(doc: Doc, item: Item, chosen: ReadonlySet<number> | null): Spot[] {
  const origin = originOf(doc, item);
  return seatsOf(item).flatMap((seat, index) =>
    chosen && !chosen.has(index)
      ? []
      : [
          {
            item: item.id,
            seat: index,
            at: { x: seat.x + origin.x, y: seat.y + origin.y },
            gapAfter: seat.x_gapAfter === true,
          },
        ],
  );
}

const SEATED = ['row', 'table'] as const;

function insideOf(doc: Doc, section: string, kinds: readonly Kind[]): string[] {
  return kinds.flatMap((kind) => doc.order.get(`${section}/${LISTS[kind]}`) ?? []);
}

/**
 * The selected seats, line by line: of whole rows, of the rows of whole sections, or single ones.
 */
export function chosenLines(doc: Doc, { items, seats }: Selection): Spot[][] {
  const whole = [...items].flatMap((id) =>
    doc.items.get(id)?.kind === 'section' ? insideOf(doc, id, SEATED) : [id],
  );
  const lines = [...new Set(whole)].map((id) => seatsIn(doc, entryOf(doc.items, id), null));
  const parts = [...seats].flatMap(([id, positions]) => {
    const item = doc.items.get(id);
    return item && !whole.includes(id) ? [seatsIn(doc, item, positions)] : [];
  });
  return [...lines, ...parts].filter((line) => line.length > 0);
}

/** True if a line runs from left to right, or an upright one from top to bottom. */
function runsForward(line: readonly Spot[]): boolean {
  const [first, last] = [entryAt(line, 0).at, entryAt(line, -1).at];
  const [dx, dy] = [last.x - first.x, last.y - first.y];
  return Math.abs(dx) >= Math.abs(dy) ? dx >= 0 : dy >= 0;
}

function turned(line: readonly Spot[]): Spot[] {
  // When a line is reversed, the gap belongs to the neighbouring seat.
  return line
    .map((spot, index) => ({ ...spot, gapAfter: index > 0 && entryAt(line, index - 1).gapAfter }))
    .toReversed();
}

/** The line from left to right; the chairs of a table stand in a circle and keep their order. */
export function fromLeft(doc: Doc, line: readonly Spot[]): Spot[] {
  const isRound = doc.items.get(entryAt(line, 0).item)?.kind === 'table';
  return isRound || runsForward(line) ? [...line] : turned(line);
}

/** The line in the order of the count; `nameFromCentre` counts `centre`. */
export function ordered(doc: Doc, line: readonly Spot[], course: Course): Spot[] {
  if (course === 'first') return [...line];
  if (course === 'last') return turned(line);
  const left = fromLeft(doc, line);
  return course === 'right' ? turned(left) : left;
}

/**
 * The number of seats left of the middle. An aisle near the middle counts as the middle; the
 * middle seat belongs to the odd side.
 */
export function middleIndex(line: readonly Spot[], oddLeft: boolean): number {
  const half = line.length / 2;
  const gaps = line.flatMap(({ gapAfter }, index) =>
    gapAfter && index < line.length - 1 ? [index + 1] : [],
  );
  const [nearest] = gaps.toSorted((a, b) => Math.abs(a - half) - Math.abs(b - half));
  if (nearest !== undefined && Math.abs(nearest - half) <= line.length / 6) return nearest;
  return oddLeft ? Math.ceil(half) : Math.floor(half);
}

/**
 * Joins the rows of one floor that have the same label: parts of a row that aisles or sections
 * divide.
 */
export function joinLines(doc: Doc, lines: readonly Spot[][]): Spot[][] {
  const joined = new Map<string, Spot[][]>();
  for (const line of lines) {
    const item = entryOf(doc.items, entryAt(line, 0).item);
    const key = `${item.floor} ${item.kind} ${labelOf(item.data)}`;
    joined.set(key, [...(joined.get(key) ?? []), fromLeft(doc, line)]);
  }
  return [...joined.values()].map((parts) => {
    const sorted = parts.toSorted((a, b) => entryAt(a, 0).at.x - entryAt(b, 0).at.x);
    return sorted.flatMap((part) =>
      part.map((spot, index) => (index === part.length - 1 ? { ...spot, gapAfter: true } : spot)),
    );
  });
}

/** The objects of one kind that are selected, or are in a selected section. */
export function chosenObjects(doc: Doc, { items, seats }: Selection, kind: Kind): Item[] {
  const ids = [...items, ...seats.keys()].flatMap((id) =>
    doc.items.get(id)?.kind === 'section' && kind !== 'section' ? insideOf(doc, id, [kind]) : [id],
  );
  return [...new Set(ids)].flatMap((id) => {
    const item = doc.items.get(id);
    return item?.kind === kind ? [item] : [];
  });
}

/**
 * Objects in the order of the count; `front` begins nearest to the focal point, or at the top if
 * there is none.
 */
export function orderObjects(doc: Doc, items: readonly Item[], order: RowOrder): Item[] {
  if (order === 'list') return items.toSorted((a, b) => placeInList(doc, a) - placeInList(doc, b));
  const focal = new Map(doc.floors.map(({ id, data }) => [id, data.focalPoint ?? null]));
  const measure = (item: Item): number => {
    const { x, y } = centreOf(doc, item);
    if (order === 'left' || order === 'right') return order === 'left' ? x : -x;
    if (order === 'top' || order === 'bottom') return order === 'top' ? y : -y;
    const point = focal.get(item.floor);
    const far = point ? Math.hypot(x - point.x, y - point.y) : y;
    return order === 'front' ? far : -far;
  };
  return items
    .map((item) => ({ item, at: measure(item) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function placeInList(doc: Doc, item: Item): number {
  return (doc.order.get(`${item.section ?? item.floor}/${LISTS[item.kind]}`) ?? []).indexOf(
    item.id,
  );
}
