/**
 * Maintenance closes the public site and the sale, but not the office and the door. It is a row
 * in the database, so that it holds for every process and after a restart. A restored house
 * begins with it.
 */
import { maintenanceKey, readSetting, putSetting } from '#db/settings.ts';
import { countWrites } from '#db/engine/sqlite.ts';
import { transact } from '#db/engine/transact.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { pausedGap } from '#server/services/kit/restored.ts';
import { requireOwnSeller } from './site.ts';

/** If the database cannot count writes, the value may be this old. */
const freshMs = 1_000;

interface Known {
  since: Promise<number | null>;
  writes: number | null;
  at: number;
}
const knownBy = new WeakMap<Ctx['memory'], Known>();

/** Since when there is maintenance, in milliseconds; null if the house is open. */
export function maintenanceSince(ctx: Ctx): Promise<number | null> {
  const writes = countWrites(ctx.db);
  const known = knownBy.get(ctx.memory);
  const isFresh =
    known !== undefined &&
    (writes === null ? Math.abs(ctx.now() - known.at) < freshMs : writes === known.writes);
  if (isFresh) return known.since;
  const read: Known = { since: readSince(ctx), writes, at: ctx.now() };
  knownBy.set(ctx.memory, read);
  // The caller gets the failure; it is not cached.
  read.since.catch(() => knownBy.delete(ctx.memory));
  return read.since;
}

async function readSince(ctx: Ctx): Promise<number | null> {
  const value = await readSetting(ctx.db, maintenanceKey);
  return value ? Number(value) : null;
}

/** Call it before anything is sold. @throws Refusal maintenance, seller_missing */
export async function requireOpenHouse(ctx: Ctx): Promise<void> {
  if ((await maintenanceSince(ctx)) !== null) throw new Refusal('maintenance');
  await requireOwnSeller(ctx);
}

/** Switches maintenance on or off; false if it was so already. */
export async function setMaintenance(ctx: Ctx, on: boolean, actor: Actor): Promise<boolean> {
  const changed = await transact(ctx.db, async (trx) => {
    const isOn = Boolean(await readSetting(trx, maintenanceKey));
    if (isOn === on) return false;
    const gap = await pausedGap(trx);
    await putSetting(trx, maintenanceKey, on ? String(ctx.now()) : '');
    const action = on ? 'maintenance_begun' : 'maintenance_ended';
    const detail = gap === null ? undefined : { copied_at: gap.from, restored_at: gap.to };
    await happened(ctx, trx, { actor, action, subject: 'site', detail });
    return true;
  });
  knownBy.delete(ctx.memory);
  return changed;
}

/**
 * Ends the maintenance that a person has seen on the screen; one that has ended stays ended.
 * @throws Refusal maintenance_changed if it is another one
 */
export async function endMaintenance(ctx: Ctx, since: number, actor: Actor): Promise<void> {
  const present = await readSince(ctx);
  if (present !== null && present !== since) throw new Refusal('maintenance_changed');
  await setMaintenance(ctx, false, actor);
}
