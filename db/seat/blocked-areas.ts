/**
 * Blocked places of standing areas, in SQL: such a block has one row that says how many places,
 * instead of one row per seat.
 */
import { countRows } from '#db/engine/statements.ts';
import type { BlockState } from '#server/domain/seat/block.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { BlockedAreaRow, BlockRow } from '#db/rows.ts';

export async function insertAreaBlock(trx: Trx, block: BlockRow, area: BlockedAreaRow) {
  await trx<BlockRow>('blocks').insert(block);
  await trx<BlockedAreaRow>('blocked_areas').insert(area);
}

export async function blockedArea(db: Db, block_id: string): Promise<BlockedAreaRow | undefined> {
  return db<BlockedAreaRow>('blocked_areas').where({ block_id }).first();
}

type AreaBlock = BlockRow & Pick<BlockedAreaRow, 'object' | 'places'>;

/** Valid blocks of areas, the oldest first. */
export async function liveAreaBlocks(db: Db, event_id: string): Promise<AreaBlock[]> {
  return db('blocked_areas')
    .join('blocks', 'blocks.id', 'blocked_areas.block_id')
    .where({ 'blocked_areas.event_id': event_id, 'blocked_areas.state': 'live' })
    .orderBy(['blocks.created_at', 'blocks.id'])
    .select('blocks.*', 'blocked_areas.object', 'blocked_areas.places');
}

/** The capacity of a standing area; 0 if there is none of that name. */
export async function placesInArea(db: Db, event_id: string, object: string): Promise<number> {
  return countRows(
    db('places').where({ event_id, object_label: object, kind: 'area', in_hall: 1 }),
  );
}

/** Counts the places of an area that are blocked. */
export async function keptInArea(db: Db, event_id: string, object: string): Promise<number> {
  const rows = await db<BlockedAreaRow>('blocked_areas')
    .where({ event_id, object, state: 'live' })
    .select('places');
  return rows.reduce((sum, { places }) => sum + places, 0);
}

/** Changes the state of an area's block; returns false if it was not in the state `from`. */
export async function turnArea(
  trx: Trx,
  block_id: string,
  { from, to }: { from: BlockState; to: BlockState },
): Promise<boolean> {
  const turned = await trx<BlockedAreaRow>('blocked_areas')
    .where({ block_id, state: from })
    .update({ state: to });
  return turned === 1;
}

/** Deletes a block of an area, but only in the state `releasing`. */
export async function dropAreaBlock(trx: Trx, block_id: string): Promise<void> {
  const gone = await trx<BlockedAreaRow>('blocked_areas')
    .where({ block_id, state: 'releasing' })
    .delete();
  if (gone === 1) await trx<BlockRow>('blocks').where({ id: block_id }).delete();
}
