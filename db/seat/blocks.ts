/**
 * Blocked seats in SQL: one row per act of blocking, one per seat; a seat is in one block at
 * most.
 */
import { samePlaceAs } from '#db/joins.ts';
import type { BlockState } from '#server/domain/seat/block.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { BlockedAreaRow, BlockedPlaceRow, BlockRow } from '#db/rows.ts';
import { insertMany } from '#db/engine/statements.ts';
import type { ObjectPlace } from './object-places.ts';

/** Inserts a block; a unique key refuses a seat that is in another one. */
export async function insertBlock(
  trx: Trx,
  block: BlockRow,
  { places, state }: { places: readonly Pick<ObjectPlace, 'place'>[]; state: BlockState },
): Promise<void> {
  const { id: block_id, event_id } = block;
  await trx<BlockRow>('blocks').insert(block);
  await insertMany(
    trx,
    'blocked_places',
    places.map(({ place }): BlockedPlaceRow => ({ event_id, place, block_id, state })),
  );
}

export async function findBlock(db: Db, id: string): Promise<BlockRow | undefined> {
  return db<BlockRow>('blocks').where({ id }).first();
}

export type BlockedSeat = BlockRow & Pick<ObjectPlace, 'place' | 'object_label'>;

/** Places of valid blocks, the oldest block first. */
export async function liveBlocks(db: Db, event_id: string): Promise<BlockedSeat[]> {
  return db('blocked_places')
    .join('blocks', 'blocks.id', 'blocked_places.block_id')
    .join('places', samePlaceAs('blocked_places'))
    .where({ 'blocked_places.event_id': event_id, 'blocked_places.state': 'live' })
    .orderBy(['blocks.created_at', 'blocks.id', 'blocked_places.place'])
    .select('blocks.*', 'blocked_places.place', 'places.object_label');
}

/** The objects among these that are in a block of any state. */
export async function blockedAmong(
  db: Db,
  event_id: string,
  objects: readonly string[],
): Promise<string[]> {
  return db('blocked_places')
    .join('places', samePlaceAs('blocked_places'))
    .where({ 'places.event_id': event_id })
    .whereIn('places.object_label', objects as string[])
    .distinct('places.object_label')
    .pluck('places.object_label');
}

/**
 * Changes the state of a block's seats, or of `places` only, and returns those that were in the
 * first state.
 */
export async function turnPlaces(
  trx: Trx,
  block_id: string,
  { from, to, places }: { from: BlockState; to: BlockState; places?: readonly string[] },
): Promise<string[]> {
  const query = trx<BlockedPlaceRow>('blocked_places').where({ block_id, state: from });
  if (places !== undefined) query.whereIn('place', places as string[]);
  const turned = await query.update({ state: to }).returning('place');
  return turned.map(({ place }) => place);
}

export async function placesInState(
  db: Db,
  block_id: string,
  state: BlockState,
): Promise<string[]> {
  return db<BlockedPlaceRow>('blocked_places')
    .where({ block_id, state })
    .orderBy('place')
    .pluck('place');
}

/** Deletes seats, and the block with its last seat. */
export async function dropReleasing(
  trx: Trx,
  block_id: string,
  places: readonly string[],
): Promise<void> {
  await trx<BlockedPlaceRow>('blocked_places')
    .where({ block_id, state: 'releasing' })
    .whereIn('place', places as string[])
    .delete();
  await trx<BlockRow>('blocks')
    .where({ id: block_id })
    .whereNotExists(
      trx('blocked_places').select(trx.raw('1')).whereRaw('blocked_places.block_id = blocks.id'),
    )
    .delete();
}

export async function updateBlock(
  trx: Trx,
  id: string,
  change: Pick<BlockRow, 'reason' | 'color' | 'release_at'>,
): Promise<boolean> {
  return (await trx<BlockRow>('blocks').where({ id }).update(change)) === 1;
}

/** Deletes the blocks of an event that changes its hall. */
export async function dropBlocks(trx: Trx, event_id: string): Promise<void> {
  await trx<BlockedPlaceRow>('blocked_places').where({ event_id }).delete();
  await trx<BlockedAreaRow>('blocked_areas').where({ event_id }).delete();
  await trx<BlockRow>('blocks').where({ event_id }).delete();
}
