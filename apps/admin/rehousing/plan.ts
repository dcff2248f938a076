/** A proposed seating for its screen: problems, search, and requests for new seats. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type {
  proposeRehousing,
  quoteCategories,
  readRehousing,
  rehousingHall,
} from '#server/contract/rehousings.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { typedFaults } from '#server/domain/seat/typed-fault-words.ts';
import { readTypedSeats } from '#server/domain/seat/typed-seats.ts';
import type { UnplacedReason } from '#server/domain/seat/rehousing.ts';
import { foldText } from '#server/domain/text/search.ts';

export type Plan = ReplyOf<typeof proposeRehousing>;
export type Done = NonNullable<ReplyOf<typeof readRehousing>['last']>;
export type Group = Plan['groups'][number];
type Line = Group['lines'][number];
export type NewHall = ReplyOf<typeof rehousingHall>;
export type NewPlace = NewHall['places'][number];

/** Only one floor is drawn, because floors overlap. */
export interface Floor {
  places: readonly NewPlace[];
  stage: { x: number; y: number } | null;
}

export function floorOf({ floors, places }: NewHall, name: string): Floor {
  return {
    places: places.filter(({ floor }) => floor === name),
    stage: floors.find((one) => one.name === name)?.stage ?? null,
  };
}

/** Seats of one row from this one to the right, else to the left; a standing area takes all. */
export function seatsFrom({ places }: NewHall, target: NewPlace, count: number): string[] {
  if (target.kind === 'area') return [target.object];
  const row = places.filter(
    ({ floor, section, row: name, kind, sold }) =>
      sold &&
      kind === target.kind &&
      floor === target.floor &&
      section === target.section &&
      name === target.row,
  );
  const start = Math.max(0, Math.min(row.indexOf(target), row.length - count));
  return row.slice(start, start + count).map(({ object }) => object);
}

export const orders = ['number', 'from', 'to'] as const;
export type SortedBy = (typeof orders)[number];

export const orderWords: Record<SortedBy, string> = {
  number: 'Per ordine',
  from: 'Per posto di prima',
  to: 'Per posto nuovo',
};

const collator = new Intl.Collator('it', { numeric: true });

/** Groups without a new place come first. */
export function sortGroups(groups: readonly Group[], by: SortedBy): Group[] {
  const words = ({ number, lines }: Group) => (by === 'number' ? number : (lines[0]?.[by] ?? ''));
  return groups.toSorted((a, b) => collator.compare(words(a), words(b)));
}

export const views = ['all', 'open', 'unplaced', 'marked', 'locked'] as const;
export type View = (typeof views)[number];

export const viewWords: Record<View, string> = {
  all: 'Tutti',
  open: 'Da sistemare',
  unplaced: 'Non sistemati',
  marked: 'Da rimborsare',
  locked: 'Bloccati',
};

/** A smaller distance does not count as a loss. */
const fartherMetres = 3;

/** Says that the new category is lower, and whether the difference is refunded. */
function categoryLoss(lines: readonly Line[]): string[] {
  const isEnd = (wanted: Line['end']) => lines.some(({ end }) => end === wanted);
  if (isEnd('lost')) return ['categoria inferiore, senza rimborso'];
  if (isEnd('paid_back')) {
    const cents = -lines.reduce((sum, { difference_cents }) => sum + difference_cents, 0);
    return [`categoria inferiore (${formatEuro(cents)} da rimborsare)`];
  }
  return isEnd('same_price') ? ['categoria inferiore, allo stesso prezzo'] : [];
}

const warningWords: Record<Line['warnings'][number], string> = {
  wheelchair: 'sedia a rotelle su un posto normale: senti l’acquirente',
  seated: 'era in piedi, ora ha un posto a sedere',
};

function warningsIn(lines: readonly Line[]): string[] {
  return [...new Set(lines.flatMap(({ warnings }) => warnings))].map((one) => warningWords[one]);
}

export function lossesOf({ lines, parts }: Group): string[] {
  const farthest = Math.max(0, ...lines.map(({ farther_metres }) => farther_metres));
  return [
    ...(parts > 1 ? [`diviso in ${parts}`] : []),
    ...categoryLoss(lines),
    ...warningsIn(lines),
    ...(farthest >= fartherMetres ? [`più lontano di ${farthest} m`] : []),
  ];
}

/** No place, and not marked for a refund. */
export const isUnplaced = ({ lines }: Group) =>
  lines.some(({ to_object, marked }) => to_object === null && !marked);
export const isMarked = ({ lines }: Group) => lines.some(({ marked }) => marked);
export const isLocked = ({ lines }: Group) => lines.some(({ locked }) => locked);

const belongs: Record<View, (group: Group) => boolean> = {
  all: () => true,
  open: (group) => isUnplaced(group) || lossesOf(group).length > 0,
  unplaced: isUnplaced,
  marked: isMarked,
  locked: isLocked,
};

export function countViews(groups: readonly Group[]): Record<View, number> {
  const count = (view: View) => groups.filter(belongs[view]).length;
  return {
    all: groups.length,
    open: count('open'),
    unplaced: count('unplaced'),
    marked: count('marked'),
    locked: count('locked'),
  };
}

/** Searches buyers' names and order numbers. */
export function findGroups(groups: readonly Group[], view: View, text: string): Group[] {
  const words = foldText(text).split(' ');
  return groups.filter((group) => {
    const known = foldText(`${group.buyer_name ?? ''} ${group.number}`);
    return belongs[view](group) && words.every((word) => known.includes(word));
  });
}

export const unplacedWords = withOther<Record<UnplacedReason, { why: string; way: string }>>(
  {
    hall_full: {
      why: 'Non c’è un posto libero adatto.',
      way: 'Risolvi di nuovo il resto, scegli tu un posto, oppure segna per il rimborso.',
    },
    no_wheelchair_place: {
      why: 'Manca un posto per sedia a rotelle.',
      way: 'Senti l’acquirente: scegli tu un posto che gli vada bene, oppure segna per il rimborso.',
    },
    kind_missing: {
      why: 'La nuova sala non ha posti di questo tipo.',
      way: 'Scegli un’altra sala, oppure segna per il rimborso.',
    },
  },
  { why: newerWord, way: '' },
);

export interface Choice {
  line_id: string;
  object: string | null;
  locked?: boolean;
}

/** The first line of each party, which needs one seat, or one table that is sold whole. */
export function partiesOf({ lines }: Group): Line[] {
  return [...new Map(lines.toReversed().map((line) => [line.party, line])).values()].toReversed();
}

/** Gives the seats to the parties in order; a standing area at the end takes all the others. */
export function choicesFor(
  group: Group,
  objects: readonly string[],
  hall: NewHall,
): Choice[] | null {
  const lines = partiesOf(group);
  const areas = new Set(hall.places.filter(({ places }) => places > 1).map(({ object }) => object));
  const last = objects.at(-1);
  const rest = last !== undefined && areas.has(last) ? last : null;
  if (objects.length > lines.length || (objects.length < lines.length && rest === null))
    return null;
  return lines.map(({ line_id }, at) => ({ line_id, object: objects[at] ?? rest }));
}

/** The other groups that now have these seats. */
export function displacedBy(plan: Plan, group: Group, objects: readonly string[], hall: NewHall) {
  const wanted = new Set(objects);
  const roomy = new Set(hall.places.filter(({ places }) => places > 1).map(({ object }) => object));
  return plan.groups.filter(
    (other) =>
      other.order_id !== group.order_id &&
      other.lines.some(
        ({ to_object }) => to_object !== null && wanted.has(to_object) && !roomy.has(to_object),
      ),
  );
}

/** Reads typed seats; returns an Italian sentence if one is not found. */
export function readObjects(text: string, hall: NewHall): readonly string[] | string {
  const { objects, ...others } = readTypedSeats(text, hall.places);
  const faults = typedFaults(others);
  if (faults.length > 0) return `${faults.join('; ')}.`;
  return objects.length === 0 ? 'Scrivi almeno un posto.' : objects;
}

/** What the plan costs as it is now, in the shape of the question how categories are sold. */
export function quoteOfPlan({ groups, categories, counts }: Plan): ReplyOf<typeof quoteCategories> {
  const lines = groups.flatMap((group) => group.lines);
  const isEnd = (ends: readonly Line['end'][]) => lines.filter(({ end }) => ends.includes(end));
  return {
    lower: isEnd(['paid_back', 'lost', 'same_price']).length,
    better: isEnd(['better']).length,
    unplaced: lines.filter(({ to_object }) => to_object === null).length,
    refund_cents: counts.refund_cents,
    categories: categories.map(({ key, label }) => {
      const own = lines.filter(({ to_category }) => to_category === label);
      const back = own.reduce((sum, one) => sum - (one.stays ? 0 : one.difference_cents), 0);
      return { key, tickets: own.length, refund_cents: back };
    }),
  };
}
