/** A place of a season, given back for one evening, sold already or not, and taken back. */
import { isByPlaces } from './catalog.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { concernedBy, foreignOf, seasonsOf } from './season-view.ts';
import { readStored } from '#server/standins/seatsio/status/stored.ts';
import { countPlaces } from '#server/standins/seatsio/status/status-rule.ts';
import type { LoadedEvent } from './catalog.ts';
import type { Seatsio, Tell } from '#server/standins/seatsio/context.ts';
import type { PlanObject } from '#server/standins/seatsio/chart/plan.ts';
import type { Family } from './season-view.ts';
import type { ObjectState } from '#server/standins/seatsio/status/status-rule.ts';

export type SeasonAction = 'OVERRIDE_SEASON_STATUS' | 'USE_SEASON_STATUS';

/** After a release: what a season does not hold any more, its events need not do without. */
export function trimOverrides(
  ctx: Seatsio,
  seasonId: number,
  { label, state }: { label: string; state: ObjectState },
): void {
  const held =
    state.places.length > 0
      ? countPlaces(state.places, () => true)
      : Number(state.status !== 'free');
  if (held === 0)
    ctx.sql.run('DELETE FROM seatsio_overrides WHERE season_id = ? AND label = ?', seasonId, label);
  else
    ctx.sql.run(
      'UPDATE seatsio_overrides SET quantity = ? WHERE season_id = ? AND label = ? AND quantity > ?',
      held,
      seasonId,
      label,
      held,
    );
}

interface Ask {
  action: SeasonAction;
  objects: { object: PlanObject; quantity: number }[];
  season?: string;
  tell: Tell;
}

/**
 * Inside the caller's transaction.
 * @throws ApiError 400 GENERAL_ERROR outside of a season, ILLEGAL_STATUS_CHANGE when all is overridden already, or nothing is, or what would come back was sold
 */
export function changeSeasonStatus(
  ctx: Seatsio,
  event: LoadedEvent,
  { action, objects, season, tell }: Ask,
): void {
  const { family, row } = event;
  if (!family || row.kind !== 'event')
    throw new ApiError(400, 'GENERAL_ERROR', { message: `${row.key} is not an event in a season` });
  const seasons =
    season === undefined
      ? seasonsOf(family, row.id)
      : [findSeason(ctx, { event, family, key: season })];
  for (const { object, quantity } of objects) {
    for (let place = 0; place < (isByPlaces(object) ? quantity : 1); place += 1) {
      const done =
        action === 'OVERRIDE_SEASON_STATUS'
          ? override(ctx, { event, family, object, seasons })
          : useSeason(ctx, { event, family, object, seasons });
      if (done !== null)
        throw new ApiError(400, 'ILLEGAL_STATUS_CHANGE', {
          message: `${object.label}: ${done}`,
          data: { object: object.label, event: row.key },
        });
    }
  }
  for (const id of concernedBy(family))
    tell(
      id,
      objects.map(({ object }) => object.label),
    );
}

function findSeason(
  ctx: Seatsio,
  { event, family, key }: { event: LoadedEvent; family: Family; key: string },
): number {
  const found = ctx.sql.one<{ id: number }>(
    'SELECT id FROM seatsio_events WHERE workspace_id = ? AND key = ?',
    event.row.workspace_id,
    key,
  );
  if (!found || !seasonsOf(family, event.row.id).includes(found.id))
    throw new ApiError(400, 'GENERAL_ERROR', {
      message: `#/season: ${event.row.key} is not part of season ${key}`,
    });
  return found.id;
}

function readQuantity(
  ctx: Seatsio,
  eventId: number,
  { label, season }: { label: string; season: number },
): number {
  return (
    ctx.sql.one<{ quantity: number }>(
      'SELECT quantity FROM seatsio_overrides WHERE event_id = ? AND label = ? AND season_id = ?',
      eventId,
      label,
      season,
    )?.quantity ?? 0
  );
}

function countSold(ctx: Seatsio, seasonId: number, object: PlanObject): number {
  const state = readStored(ctx, seasonId, object.label);
  return isByPlaces(object)
    ? countPlaces(state.places, () => true)
    : Number(state.status !== 'free');
}

interface Changing {
  event: LoadedEvent;
  family: Family;
  object: PlanObject;
  seasons: number[];
}

/** Null when done; else why not. What a season has sold comes first; the vendor's documentation knows only that, but its API gives back in advance too. */
function override(ctx: Seatsio, { event, family, object, seasons }: Changing): string | null {
  const { label } = object;
  const overridden = (season: number) => readQuantity(ctx, event.row.id, { label, season });
  const all = seasonsOf(family, event.row.id).reduce((sum, season) => sum + overridden(season), 0);
  const advance = all < (isByPlaces(object) ? object.capacity : 1) ? seasons[0] : undefined;
  const season = seasons.find((id) => countSold(ctx, id, object) > overridden(id)) ?? advance;
  if (season === undefined) return 'its season status is overridden already';
  ctx.sql.run(
    `INSERT INTO seatsio_overrides (event_id, label, season_id, quantity) VALUES (?, ?, ?, 1)
     ON CONFLICT (event_id, label, season_id) DO UPDATE SET quantity = quantity + 1`,
    event.row.id,
    label,
    season,
  );
  return null;
}

function useSeason(ctx: Seatsio, { event, family, object, seasons }: Changing): string | null {
  const { label } = object;
  const overridden = seasons.filter(
    (id) => readQuantity(ctx, event.row.id, { label, season: id }) > 0,
  );
  const season = overridden.find((id) => countSold(ctx, id, object) > 0) ?? overridden[0];
  if (season === undefined) return 'its season status is not overridden';
  const own = readStored(ctx, event.row.id, label);
  const taken = foreignOf(family, {
    stored: (id) => readStored(ctx, id, label),
    overridden: (eventId, seasonId) =>
      readQuantity(ctx, eventId, { label, season: seasonId }) -
      Number(isByPlaces(object) && seasonId === season),
  });
  if (isByPlaces(object)) {
    if (countPlaces([...own.places, ...taken.places], () => true) > object.capacity)
      return 'its places were sold on this event meanwhile';
  } else if (countSold(ctx, season, object) > 0) {
    const { status } = own.status === 'free' ? (taken.whole ?? own) : own;
    if (status !== 'free') return `it is ${status} on this event`;
  }
  const key = [event.row.id, label, season] as const;
  const left = ctx.sql.run(
    'UPDATE seatsio_overrides SET quantity = quantity - 1 WHERE event_id = ? AND label = ? AND season_id = ? AND quantity > 1',
    ...key,
  );
  if (left.changes === 0)
    ctx.sql.run(
      'DELETE FROM seatsio_overrides WHERE event_id = ? AND label = ? AND season_id = ?',
      ...key,
    );
  return null;
}
