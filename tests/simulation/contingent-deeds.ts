/**
 * Contingents, seats for people with a code: created, released, grown, reduced, and bought with
 * and without the code, while sales go on.
 */
import { findContingent } from '#db/seat/contingents.ts';
import { knownPlaces } from '#db/seat/seats.ts';
import type { ContingentRow } from '#db/rows.ts';
import { openContingent } from '#server/services/seat-map/contingent-codes.ts';
import {
  addToContingent,
  removeFromContingent,
} from '#server/services/seat-map/contingent-seats.ts';
import { contingentsOf } from '#server/services/seat-map/contingent-terms.ts';
import {
  makeContingent,
  releaseContingent,
  restoreContingent,
} from '#server/services/seat-map/contingents.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { objectsFor, releaseAt } from './block-deeds.ts';
import { one, type Act } from './act.ts';
import type { Deed } from './history.ts';
import { eventId, type Booking, type World } from './world.ts';

/** The objects that the office selects on the map. */
const choices = [['A1'], ['A2'], ['A3'], ['A1', 'A2'], ['A2', 'A3']] as const;
const codes = ['AMICI', 'SCUOLA'] as const;

function chosenBy(world: World, which: number): string[] {
  return world.tables ? objectsFor(world, which) : [...choices[which % choices.length]!];
}

async function chosenOf(ctx: Ctx, which: number): Promise<ContingentRow | undefined> {
  const { items } = await contingentsOf(ctx, eventId);
  const item = one(items, which);
  return item && findContingent(ctx.db, item.contingent_id);
}

export const contingentDeeds: Partial<Record<Deed, Act>> = {
  async 'office reserves'(world, ctx, { which, how }) {
    await makeContingent(
      ctx,
      eventId,
      {
        name: 'Amici',
        color: 'grey',
        sale: how % 5 === 0 ? 'counter' : 'code',
        code: how % 5 === 0 ? null : codes[how % codes.length]!,
        release_at: releaseAt(world, how),
        objects: chosenBy(world, which),
        areas: [],
      },
      'user:office',
    );
  },
  async 'office gives free'(world, ctx, { which, how }) {
    const contingent = await chosenOf(ctx, which);
    if (!contingent) return;
    const ask = { event_id: eventId, contingent_id: contingent.id };
    if (how % 3 === 0) await restoreContingent(ctx, ask, 'user:office');
    else if (how % 3 === 1)
      await changeSeats(ctx, { ...ask, how, objects: chosenBy(world, which + how) });
    else await releaseContingent(ctx, ask, 'user:office');
  },
};

/** Adds seats to the contingent, or removes some of its own. */
async function changeSeats(
  ctx: Ctx,
  { how, ...at }: { event_id: string; contingent_id: string; how: number; objects: string[] },
): Promise<void> {
  const ask = { ...at, areas: [] };
  if (how % 2 === 0) await addToContingent(ctx, ask, 'user:office');
  else await removeFromContingent(ctx, ask, 'user:office');
}

/**
 * The code that a visitor typed, as the chart and the booking send it; one in four names the
 * channel instead.
 */
export async function withCode(ctx: Ctx, how: number) {
  const code = codes[how % codes.length]!;
  try {
    const { channels } = await openContingent(ctx, eventId, {
      code,
      // Each guess comes from a network of its own, because the limit of guesses is not tested
      // here.
      network: ctx.newId(),
    });
    return { channels, ...(how % 4 === 3 ? {} : { contingent_code: code }) };
  } catch (error) {
    if (error instanceof Refusal) return { channels: [] };
    throw error;
  }
}

/** The seats of this selection that a contingent holds, while no code is given. */
export async function closedTo(ctx: Ctx, ask: Booking): Promise<string[]> {
  if (ask.contingent_code !== undefined) return [];
  const labels = ask.selected_objects.map(({ object_id }) => object_id);
  const known = await knownPlaces(ctx.db, ask.event_id, labels);
  return known
    .filter(({ contingent_id }) => contingent_id !== null)
    .map(({ place, contingent_id }) => `${place} of ${contingent_id}`);
}
