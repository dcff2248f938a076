/** The state of every seat, from our orders, tickets and admissions and from the seat map. */
import { listPassages } from '#db/door/admissions.ts';
import { liveBlocks, type BlockedSeat } from '#db/seat/blocks.ts';
import { listHall, listTaken, type HallPlace, type TakenPlace } from '#db/seat/seats.ts';
import type { ObjectInfo } from '#server/adapters/seatsio.ts';
import { compareNames } from '#server/domain/seat/seat-name.ts';
import {
  areaStateOf,
  closedStatus,
  countCategories,
  isUnguarded,
  seatStateOf,
  type MapFacts,
} from '#server/domain/seat/seat-state.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';
import { inPatience, pagePatienceMs } from '#server/services/kit/patience.ts';
import { contingentsOnMap } from './contingent-terms.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { isByNumber } from '#server/domain/seat/whole.ts';

/** The hall row by row; it hardly ever changes. */
export async function hallOf(ctx: Ctx, event_id: string) {
  const event = await knownEvent(ctx, event_id);
  const places = (await listHall(ctx.db, event_id)).toSorted(
    (a, b) =>
      compareNames(a.section ?? '', b.section ?? '') ||
      compareNames(a.row ?? '', b.row ?? '') ||
      compareNames(a.object_label, b.object_label) ||
      a.position - b.position,
  );
  const rows = Map.groupBy(places, (place) =>
    JSON.stringify([
      place.section,
      place.row,
      place.kind,
      place.kind === 'area' ? place.object_label : null,
    ]),
  );
  return {
    event: { ...event, seatsio_workspace_key: ctx.seats.workspaceKey },
    chart: ctx.chart,
    rows: [...rows.values()].map((seats) => ({
      kind: seats[0]!.kind,
      section: seats[0]!.section,
      row: seats[0]!.row,
      seats: seats
        .toSorted((a, b) => compareNames(a.seat, b.seat) || a.position - b.position)
        .map((place) => ({
          ...place,
          object: place.object_label,
          accessible: place.accessible === 1,
          companion: place.companion === 1,
          in_whole: place.in_whole === 1,
        })),
    })),
  };
}

/**
 * All office screens share one answer of the seat map; a large hall is read less often, because
 * it takes longer.
 */
const sharedMap = memo<ObjectInfo[] | null>({ freshMs: 1_000, restFactor: 10, keptMs: 60_000 });

/** The answer of the seat map; null if it does not answer soon. */
function askMap(ctx: Ctx, event_key: string): Promise<ObjectInfo[] | null> {
  const ask = () =>
    ctx.seats.taken(event_key).catch((error: unknown) => {
      ctx.log.warn({ err: error, event_key }, 'the seat map does not tell who sits where');
      return null;
    });
  const answer = sharedMap.get(ctx.seats, { key: event_key, now: ctx.now, ask });
  return inPatience(answer, null, pagePatienceMs);
}

/**
 * The places that are not free, standing areas as numbers, and the figures. If the seat map does
 * not answer, all comes from our database.
 */
export async function seatsOf(ctx: Ctx, event_id: string) {
  const event = await knownEvent(ctx, event_id);
  // The seat map is read before our rows, so that a sale in between is in both.
  const objects = await askMap(ctx, event.seatsio_event_key);
  const places = await listHall(ctx.db, event_id);
  const taken = new Map((await listTaken(ctx.db, event_id)).map((line) => [line.place, line]));
  const passages = await passagesOf(ctx, event_id);
  const blocks = new Map((await liveBlocks(ctx.db, event_id)).map((seat) => [seat.place, seat]));
  const onMap = new Map((objects ?? []).map((object) => [object.label, object]));
  const sold = new Set([...taken.values()].map((line) => line.object_label));
  const states = places.map((place) =>
    placeOf(place, {
      line: taken.get(place.place),
      passages,
      block: blocks.get(place.place),
      object: onMap.get(place.object_label),
      isClosed: place.in_whole === 1 && sold.has(place.object_label) && !taken.has(place.place),
      isKnown: objects !== null,
    }),
  );
  const areas = areasOf(places, [...taken.values()], onMap);
  return {
    server_time: ctx.now(),
    map: objects === null ? ('silent' as const) : ('answered' as const),
    taken: states.filter((place) => place.state !== 'free'),
    areas,
    contingents: await contingentsOnMap(ctx, event_id),
    categories: countCategories(states, areas),
  };
}

interface Passages {
  firstIn: number;
  isInside: boolean;
}

async function passagesOf(ctx: Ctx, event_id: string): Promise<Map<string, Passages>> {
  const passages = new Map<string, Passages>();
  for (const { ticket_id, direction, corrected_at } of await listPassages(ctx.db, event_id)) {
    const known = passages.get(ticket_id);
    if (known) known.isInside = direction === 'in';
    else if (direction === 'in') passages.set(ticket_id, { firstIn: corrected_at, isInside: true });
  }
  return passages;
}

function mapStatusOf({ status, for_sale }: MapFacts): string {
  return status === 'free' && !for_sale ? 'not_for_sale' : status;
}

interface PlaceFacts {
  line: TakenPlace | undefined;
  passages: ReadonlyMap<string, Passages>;
  block: BlockedSeat | undefined;
  object: ObjectInfo | undefined;
  /** Its object is sold whole, and no guest comes for this place. */
  isClosed: boolean;
  isKnown: boolean;
}

function placeOf(
  hallPlace: HallPlace,
  { line, passages, block, object, isClosed, isKnown }: PlaceFacts,
) {
  const { place, category } = hallPlace;
  // An area sold by number has one status, which says nothing about a single place.
  const isStanding = isByNumber(hallPlace);
  const told = isStanding || !object ? null : { status: object.status, for_sale: object.for_sale };
  const map: MapFacts | null = isClosed ? { status: closedStatus, for_sale: true } : told;
  const passage = line?.ticket_id ? passages.get(line.ticket_id) : undefined;
  const state = seatStateOf({
    order: line?.order_state ?? null,
    ticket: line?.ticket_state ?? null,
    inside: passage?.isInside ?? false,
    map,
  });
  return {
    place,
    category,
    state,
    price_cents: line?.price_cents ?? 0,
    unguarded: isKnown && !isStanding && isUnguarded(state, map),
    block: block === undefined ? null : { ...block, block_id: block.id },
    map_status: line || map === null ? null : mapStatusOf(map),
    occupant:
      line === undefined
        ? null
        : {
            ...line,
            pay_by: state === 'paying' ? line.pay_by : null,
            admitted_at: passage?.firstIn ?? null,
          },
  };
}

function areasOf(
  places: readonly HallPlace[],
  lines: readonly TakenPlace[],
  onMap: ReadonlyMap<string, ObjectInfo>,
) {
  const ours = Map.groupBy(lines, (line) => line.object_label);
  return places
    .filter((place) => isByNumber(place) && place.position === 1)
    .flatMap(({ object_label, category }) => {
      const area = onMap.get(object_label)?.area;
      if (!area) return [];
      return [
        {
          object: object_label,
          category,
          ...areaStateOf(
            { booked: area.booked, held: area.held, closed: area.not_for_sale },
            ours.get(object_label)?.length ?? 0,
          ),
        },
      ];
    });
}
