/**
 * Changes to the seats of a contingent, in SQL. An added seat is `placing` until the seat map has
 * it, so that a half-done change can be taken back.
 */
import { insertKept, soldInArea, unsoldOf, type WholeContingent } from './contingents.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { ContingentAreaRow, ContingentPlaceRow, ContingentRow } from '#db/rows.ts';
import { selectRows } from '#db/engine/statements.ts';

type Parts = Pick<WholeContingent, 'objects' | 'areas'>;

/** Locks a contingent for a change of its seats. Returns false if it is not valid. */
export async function beginEdit(trx: Trx, id: string, now: number): Promise<boolean> {
  const turned = await trx<ContingentRow>('contingents')
    .where({ id, state: 'live' })
    .update({ edits: trx.raw('edits + 1') as never, changed_at: now });
  return turned === 1;
}

/** True while seats are being added to the contingent. */
export async function isGrowing(db: Db, contingent_id: string): Promise<boolean> {
  const [found] = await selectRows(
    db,
    `SELECT 1 AS one FROM contingent_places WHERE contingent_id = ? AND state = 'placing'
     UNION ALL SELECT 1 FROM contingent_areas WHERE contingent_id = ? AND places_before IS NOT NULL LIMIT 1`,
    [contingent_id, contingent_id],
  );
  return found !== undefined;
}

/** Adds seats; a unique key refuses a seat that another contingent keeps. */
export async function growContingent(
  trx: Trx,
  { id: contingent_id, event_id }: ContingentRow,
  { objects, areas }: Parts,
): Promise<void> {
  await insertKept(trx, { id: contingent_id, event_id }, { objects, state: 'placing' });
  for (const { object, places } of areas)
    await trx<ContingentAreaRow>('contingent_areas')
      .insert({ contingent_id, event_id, object, places, places_before: 0 })
      .onConflict(['contingent_id', 'object'])
      .merge({
        places: trx.raw('contingent_areas.places + excluded.places') as never,
        places_before: trx.raw('contingent_areas.places') as never,
      });
}

/** Makes the added seats valid. Returns false if there were none. */
export async function endGrowth(trx: Trx, contingent_id: string): Promise<boolean> {
  const seats = await trx<ContingentPlaceRow>('contingent_places')
    .where({ contingent_id, state: 'placing' })
    .update({ state: 'live' });
  const areas = await growingAreas(trx, contingent_id).update({ places_before: null });
  return seats + areas > 0;
}

/** Takes the added seats back. */
export async function dropGrowth(trx: Trx, contingent_id: string): Promise<void> {
  await trx<ContingentPlaceRow>('contingent_places')
    .where({ contingent_id, state: 'placing' })
    .delete();
  await growingAreas(trx, contingent_id).where({ places_before: 0 }).delete();
  await growingAreas(trx, contingent_id).update({
    places: trx.ref('places_before') as never,
    places_before: null,
  });
}

function growingAreas(trx: Trx, contingent_id: string) {
  return trx<ContingentAreaRow>('contingent_areas')
    .where({ contingent_id })
    .whereNotNull('places_before');
}

/** Removes the unsold seats among these and returns them. */
export async function dropUnsold(
  trx: Trx,
  contingent_id: string,
  objects: readonly string[],
): Promise<string[]> {
  const wanted = new Set(objects);
  const gone = (await unsoldOf(trx, contingent_id)).filter((one) => wanted.has(one.object_label));
  await trx<ContingentPlaceRow>('contingent_places')
    .where({ contingent_id })
    .whereIn(
      'place',
      gone.map(({ place }) => place),
    )
    .delete();
  return [...new Set(gone.map(({ object_label }) => object_label))];
}

export async function shrinkArea(
  trx: Trx,
  contingent_id: string,
  { object, places }: Pick<ContingentAreaRow, 'object' | 'places'>,
): Promise<void> {
  const area = () => trx<ContingentAreaRow>('contingent_areas').where({ contingent_id, object });
  await area().update({ places: trx.raw('places - ?', [places]) as never });
  await area().where('places', '<=', 0).delete();
}

/** The unsold places of a standing area that each contingent keeps. */
export async function unsoldInArea(
  db: Db,
  event_id: string,
  object: string,
): Promise<Map<string, number>> {
  const rows = await selectRows<{ contingent_id: string; places: number; sold: number }>(
    db,
    `SELECT a.contingent_id, a.places,
      ${soldInArea} AS sold
     FROM contingent_areas a JOIN contingents c ON c.id = a.contingent_id
     WHERE a.event_id = ? AND a.object = ? AND c.state <> 'released'`,
    [event_id, object],
  );
  return new Map(
    rows.map(({ contingent_id, places, sold }) => [
      contingent_id,
      Math.max(0, places - Number(sold)),
    ]),
  );
}

/** The standing areas of a contingent with unsold places, and how many they have. */
export async function unsoldAreasOf(db: Db, contingent_id: string): Promise<Map<string, number>> {
  const rows = await selectRows<{ object: string; unsold: number }>(
    db,
    `SELECT a.object, a.places - ${soldInArea} AS unsold FROM contingent_areas a WHERE a.contingent_id = ? ORDER BY a.object`,
    [contingent_id],
  );
  return new Map(
    rows.flatMap(({ object, unsold }) => (unsold > 0 ? [[object, Number(unsold)] as const] : [])),
  );
}
