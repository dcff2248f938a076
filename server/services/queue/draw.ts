/**
 * The draw of a waiting room: first the list of entrants is fixed and its root (a hash over the
 * list) published, then the seed is shown (RULES F2).
 */
import { hash } from 'node:crypto';
import type { Trx } from '#db/engine/dialect.ts';
import { drawnPlaces, numberPlaces, withoutNumber } from '#db/queue/queue-places.ts';
import { changeQueue, findQueue, unopenedQueues } from '#db/queue/queues.ts';
import type { QueuePlaceRow, QueueRow } from '#db/rows.ts';
import { drawOrder, rootOf, type Draw, type Entrant } from '#server/domain/queue/draw.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { publishedEvent } from '#server/services/event/events.ts';
import { canUnseal, isSealedWith, seal, unseal } from '#server/services/kit/sealing.ts';
import { memo } from '#server/services/kit/memo.ts';
import { newToken } from '#server/services/user/secrets.ts';

/** Long enough for all waiting visitors to have seen the root. */
const rootAloneMs = 2_000;
const mostEntrants = 10_000_000;

/**
 * Draws the numbers and stores them with the root, still hidden; a later call opens the room. A
 * crash in between changes nothing.
 */
export async function drawStep(trx: Trx, room: QueueRow, now: number): Promise<Partial<QueueRow>> {
  if (room.root !== null)
    return now - (room.fixed_at ?? 0) < rootAloneMs
      ? {}
      : { opened_at: now, seed: unseal(room.seed) };
  const entrants = entrantsOf(await withoutNumber(trx, room.event_id, mostEntrants));
  const root = rootOf(entrants, hashText);
  await numberPlaces(trx, drawOrder({ seed: unseal(room.seed), root, entrants }, hashText), 0);
  return { root, fixed_at: now, drawn: entrants.length, last: entrants.length };
}

/** Makes the seed with the room, so that its hash is public before the first visitor enters. */
export function newSeed(secretsKey: Buffer | null): Pick<QueueRow, 'seed' | 'seed_hash'> {
  const seed = newToken();
  return { seed: seal(seed, secretsKey), seed_hash: hashText(seed) };
}

/** Runs at the start: seals again every seed that was sealed without the present key. */
export async function sealQueueSeeds({
  db,
  secretsKey,
}: Pick<Ctx, 'db' | 'secretsKey'>): Promise<void> {
  if (secretsKey === null) return;
  for (const { event_id, seed } of await unopenedQueues(db))
    if (canUnseal(seed) && !isSealedWith(seed, secretsKey))
      await changeQueue(db, event_id, { seed: seal(unseal(seed), secretsKey) });
}

function hashText(text: string): string {
  return hash('sha256', text, 'base64url');
}

function entrantsOf(places: readonly Pick<QueuePlaceRow, 'place_hash' | 'nonce'>[]): Entrant[] {
  return places.map(({ place_hash, nonce }) => [place_hash, nonce]);
}

interface PublicDraw extends Draw {
  event_id: string;
  fixed_at: number;
  opened_at: number;
  entrants: Entrant[];
}

/** Shared, because a draw never changes and many people read it in the same minute. */
const shared = memo<PublicDraw>({ freshMs: 60_000, most: 3 });

/** @throws Refusal event_not_found, queue_not_drawn */
export async function readDraw(ctx: Ctx, event_id: string): Promise<PublicDraw> {
  await publishedEvent(ctx, event_id);
  return shared.get(ctx.memory, {
    key: event_id,
    now: ctx.now,
    async ask() {
      const row = await findQueue(ctx.db, event_id);
      if (row?.root == null || row.opened_at === null) throw new Refusal('queue_not_drawn');
      const { seed_hash, root, seed, drawn, opened_at } = row;
      const entrants = entrantsOf(await drawnPlaces(ctx.db, event_id, drawn));
      return {
        event_id,
        seed_hash,
        root,
        seed,
        fixed_at: requireValue(row.fixed_at, 'day'),
        opened_at,
        entrants,
      };
    },
  });
}
