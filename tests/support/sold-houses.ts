/** Halls and sold events for tests that move an event to another hall. */
import { ownCharts } from '#server/standins/seatsio/chart/seeds.ts';
import { readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { flattenDrawing } from '#server/standins/seatsio/plan/plan.ts';
import { spotsOf } from '#server/domain/seat/hall-geometry.ts';
import {
  mayTake,
  type Group,
  type Guest,
  type HallPlace,
  type Seating,
} from '#server/domain/seat/rehousing.ts';
import type { PlaceKind } from '#server/domain/seat/seat-name.ts';

const kinds: Record<string, PlaceKind> = {
  generalAdmission: 'area',
  table: 'table',
  booth: 'booth',
};

/** Our five halls as places; the categories in the order of the drawing, the dearest first. */
export function ownHalls(): Map<string, HallPlace[]> {
  return new Map(
    ownCharts().map(({ key, text }) => {
      const raw: unknown = JSON.parse(text);
      const plan = flattenDrawing(readDrawing(raw), { mode: 'INHERIT' });
      const spots = spotsOf(raw);
      const ranks = new Map(plan.categories.map((category, at) => [category.key, at]));
      const places = plan.objects.map((object): HallPlace => {
        const spot = spots.get(object.label)!;
        return {
          ...spot,
          label: object.label,
          kind: kinds[object.objectType] ?? 'seat',
          rank: ranks.get(object.categoryKey!) ?? null,
          left: object.left ?? null,
          right: object.right ?? null,
          accessible: (object.flags & 1) !== 0,
          companion: (object.flags & 2) !== 0,
          at_table: object.labels.parent?.type === 'table',
          places: object.capacity,
          whole: 0,
          open: true,
        };
      });
      return [key, places];
    }),
  );
}

export type Random = () => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/** Sells a hall in groups of neighbours until so many tickets are sold. */
export function sellHouse(
  hall: readonly HallPlace[],
  { tickets, random }: { tickets: number; random: Random },
): Group[] {
  const byLabel = new Map(hall.map((place) => [place.label, place]));
  const left = new Map(hall.map(({ label, places }) => [label, places]));
  const groups: Group[] = [];
  let sold = 0;
  for (let tries = 0; sold < tickets && tries < tickets * 20; tries += 1) {
    const size = Math.min(1 + Math.floor(random() * random() * 9), tickets - sold);
    const first = hall[Math.floor(random() * hall.length)]!;
    const wanted: HallPlace[] = [];
    for (let at: HallPlace | undefined = first; at && wanted.length < size;) {
      const more =
        at.kind === 'area' ? Math.min(size, left.get(at.label)!) : Math.min(1, left.get(at.label)!);
      if (more === 0) break;
      for (let n = 0; n < more && wanted.length < size; n += 1) wanted.push(at);
      at = at.kind === 'seat' && at.right !== null ? byLabel.get(at.right) : undefined;
    }
    if (wanted.length === 0) continue;
    for (const { label } of wanted) left.set(label, left.get(label)! - 1);
    sold += wanted.length;
    const id = `g${groups.length}`;
    const guests = wanted.map((place, at) => guestOf(`${id}-${at}`, place));
    groups.push({ id, guests, fixed: null, since: groups.length, banned: new Set() });
  }
  return groups;
}

export function guestOf(id: string, place: HallPlace): Guest {
  const { label, kind, rank, distance, angle, accessible, companion } = place;
  const party = 0;
  return { id, from: label, kind, rank: rank ?? 0, distance, angle, accessible, companion, party };
}

/** Up to `rows` short rows, some of a lower category, with one or two seats not on sale. */
export function smallHall(
  random: Random,
  { rows, width }: { rows: number; width: number },
): HallPlace[] {
  const places: HallPlace[] = [];
  for (let row = 0; row < rows; row += 1) {
    const count = 2 + Math.floor(random() * (width - 1));
    for (let seat = 0; seat < count; seat += 1) {
      const label = `${row}-${seat}`;
      const x = (seat - count / 2) * 0.55;
      const y = 4 + row * 0.9;
      places.push({
        label,
        kind: 'seat',
        rank: row < rows / 2 ? 0 : 1,
        x,
        y,
        distance: Math.hypot(x, y),
        angle: (Math.atan2(x, y) * 180) / Math.PI,
        left: seat === 0 ? null : `${row}-${seat - 1}`,
        right: seat === count - 1 ? null : `${row}-${seat + 1}`,
        accessible: false,
        companion: false,
        at_table: false,
        places: 1,
        whole: 0,
        open: random() > 0.06,
      });
    }
  }
  return places;
}

/**
 * The faults of a plan: a ticket neither placed nor listed, a place given twice, an overfull
 * area, an unknown place.
 */
export function faultsOf(
  hall: readonly HallPlace[],
  groups: readonly Group[],
  { seats, unplaced }: Seating,
): string[] {
  const places = new Map(hall.map((place) => [place.label, place]));
  const listed = new Set(unplaced.map(({ group_id }) => group_id));
  const used = new Map<string, number>();
  const faults: string[] = [];
  for (const group of groups)
    for (const [at, guest] of group.guests.entries()) {
      const label = seats.get(guest.id);
      if (label === undefined && !listed.has(group.id)) faults.push(`lost ${guest.id}`);
      const fixed = group.fixed?.[at];
      if (fixed !== undefined && label !== fixed) faults.push(`moved ${guest.id}`);
      if (label === undefined) continue;
      used.set(label, (used.get(label) ?? 0) + 1);
      const place = places.get(label);
      const isWrong = !place || (fixed === undefined && !mayTake(guest, group, place));
      if (isWrong) faults.push(`wrong ${guest.id} ${label}`);
    }
  for (const [label, count] of used)
    if (count > (places.get(label)?.places ?? 0)) faults.push(`double ${label}`);
  return faults;
}

/** Five to ten longer rows in three categories, with a seat in twenty not on sale. */
export function bigHall(random: Random): HallPlace[] {
  const rows = 5 + Math.floor(random() * 6);
  return smallHall(random, { rows, width: 14 }).map((place) => ({
    ...place,
    rank: Math.floor((Number(place.label.split('-')[0]) * 3) / rows),
  }));
}
