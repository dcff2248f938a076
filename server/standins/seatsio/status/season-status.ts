/** Frees a season's place, sold or not, on one of its events, and gives it back to the season. */
import { hotByKey } from '#server/standins/seatsio/statements/events.ts';
import {
  addOverride,
  limitOverrides,
  overridesOf,
  removeOverride,
} from '#server/standins/seatsio/statements/seasons.ts';
import { isByPlaces } from '#server/standins/seatsio/catalog/catalog.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import {
  dependentsOf,
  takenByOthers,
  seasonsOf,
} from '#server/standins/seatsio/catalog/season-view.ts';
import { readStored } from './stored.ts';
import { countPlaces } from '#server/standins/seatsio/catalog/status-rule.ts';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { PlanObject } from '#server/standins/seatsio/plan/plan.ts';
import type { Family } from '#server/standins/seatsio/catalog/season-view.ts';
import type { ObjectState } from '#server/standins/seatsio/catalog/status-rule.ts';
import { entryOf } from '#server/drawing/model/entry.ts';

export type SeasonAction = 'OVERRIDE_SEASON_STATUS' | 'USE_SEASON_STATUS';

/** After a release in a season its events override no more places than the season still holds. */
export async function trimOverrides(
  ctx: Writing,
  seasonId: number,
  { label, state }: { label: string; state: ObjectState },
): Promise<void> {
  const held =
    state.places.length > 0
      ? countPlaces(state.places, () => true)
      : Number(state.status !== 'free');
  await limitOverrides(ctx.sql, seasonId, { label, most: held });
}

interface Ask {
  action: SeasonAction;
  objects: { object: PlanObject; quantity: number }[];
  season?: string;
}

/**
 * Must be called in a transaction.
 * @throws ApiError 400 GENERAL_ERROR when the event is in no season; ILLEGAL_STATUS_CHANGE when
 * every place is overridden already, when no place is, or when the event has sold the place
 */
export async function changeSeasonStatus(
  ctx: Writing,
  event: LoadedEvent,
  { action, objects, season }: Ask,
): Promise<void> {
  const { family, row } = event;
  if (!family || row.kind !== 'event')
    throw new ApiError(400, 'GENERAL_ERROR', { message: `${row.key} is not an event in a season` });
  const seasons =
    season === undefined
      ? seasonsOf(family, row.id)
      : [await findSeason(ctx, { event, family, key: season })];
  for (const { object, quantity } of objects) {
    for (let place = 0; place < (isByPlaces(object) ? quantity : 1); place += 1) {
      const done =
        action === 'OVERRIDE_SEASON_STATUS'
          ? await override(ctx, { event, family, object, seasons })
          : await useSeason(ctx, { event, family, object, seasons });
      if (done !== null)
        throw new ApiError(400, 'ILLEGAL_STATUS_CHANGE', {
          message: `${object.label}: ${done}`,
        });
    }
  }
  for (const id of dependentsOf(family))
    ctx.tell(
      id,
      objects.map(({ object }) => object.label),
    );
}

async function findSeason(
  ctx: Seatsio,
  { event, family, key }: { event: LoadedEvent; family: Family; key: string },
): Promise<number> {
  const found = await hotByKey(ctx.sql, event.row.workspace_id, key);
  if (!found || !seasonsOf(family, event.row.id).includes(found.id))
    throw new ApiError(400, 'GENERAL_ERROR', {
      message: `#/season: ${event.row.key} is not part of season ${key}`,
    });
  return found.id;
}

/** One season's bookings of one object. */
interface Sold {
  season: number;
  state: ObjectState;
  sold: number;
  overridden: number;
}

interface Changing {
  event: LoadedEvent;
  family: Family;
  object: PlanObject;
  seasons: number[];
}

/** By season id, the top-level season first. */
async function readSold(
  ctx: Seatsio,
  { event, family, object }: Changing,
): Promise<Map<number, Sold>> {
  const rows = await overridesOf(ctx.sql, event.row.id, object.label);
  const sold = new Map<number, Sold>();
  for (const season of seasonsOf(family, event.row.id)) {
    const state = await readStored(ctx, season, object.label);
    sold.set(season, {
      season,
      state,
      sold: isByPlaces(object)
        ? countPlaces(state.places, () => true)
        : Number(state.status !== 'free'),
      overridden: rows.find(({ season_id }) => season_id === season)?.quantity ?? 0,
    });
  }
  return sold;
}

/**
 * Returns null, or the reason of a refusal. Places that a season has sold come first; the
 * vendor's API also overrides in advance, which its documentation does not mention.
 */
async function override(ctx: Writing, changing: Changing): Promise<string | null> {
  const { event, object, seasons } = changing;
  const bySeason = await readSold(ctx, changing);
  const all = [...bySeason.values()].reduce((sum, { overridden }) => sum + overridden, 0);
  const advance = all < (isByPlaces(object) ? object.capacity : 1) ? seasons[0] : undefined;
  const sold = seasons.map((id) => entryOf(bySeason, id)).find((one) => one.sold > one.overridden);
  const season = sold?.season ?? advance;
  if (season === undefined) return 'its season status is overridden already';
  await addOverride(ctx.sql, {
    event_id: event.row.id,
    label: object.label,
    season_id: season,
  });
  return null;
}

async function useSeason(ctx: Writing, changing: Changing): Promise<string | null> {
  const { event, object, seasons } = changing;
  const bySeason = await readSold(ctx, changing);
  const overridden = seasons
    .map((id) => entryOf(bySeason, id))
    .filter((season) => season.overridden > 0);
  const chosen = overridden.find(({ sold }) => sold > 0) ?? overridden[0];
  if (chosen === undefined) return 'its season status is not overridden';
  const own = await readStored(ctx, event.row.id, object.label);
  const refused = returnRefusal(changing, { own, bySeason, chosen });
  if (refused !== null) return refused;
  await removeOverride(ctx.sql, {
    event_id: event.row.id,
    label: object.label,
    season_id: chosen.season,
  });
  return null;
}

/** Why a place cannot go back to its season: the event has sold it in the meantime. */
function returnRefusal(
  { family, object }: Changing,
  { own, bySeason, chosen }: { own: ObjectState; bySeason: Map<number, Sold>; chosen: Sold },
): string | null {
  const taken = takenByOthers(family, {
    stored: (id) => entryOf(bySeason, id).state,
    overridden: (_event, id) =>
      entryOf(bySeason, id).overridden - Number(isByPlaces(object) && id === chosen.season),
  });
  if (isByPlaces(object)) {
    const count = countPlaces([...own.places, ...taken.places], () => true);
    return count > object.capacity ? 'its places were sold on this event meanwhile' : null;
  }
  if (chosen.sold === 0) return null;
  const { status } = own.status === 'free' ? (taken.whole ?? own) : own;
  return status === 'free' ? null : `it is ${status} on this event`;
}
