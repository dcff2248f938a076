/**
 * What making, changing and listing contingents share: their terms, their audit entry, and their
 * form for the office.
 */
import * as rows from '#db/seat/contingents.ts';
import type { Db } from '#db/engine/dialect.ts';
import type { ContingentRow } from '#db/rows.ts';
import type { AuditAction } from '#server/domain/audit/audit.ts';
import type { BlockColor } from '#server/domain/seat/block.ts';
import { spellCode, type ContingentSale } from '#server/domain/seat/contingent.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { happened } from '#server/services/kit/happened.ts';
import { knownEvent } from '#server/services/event/events.ts';

export interface ContingentTerms {
  name: string;
  color: BlockColor;
  sale: ContingentSale;
  /** The code as a person typed it; null for a contingent of the counter. */
  code: string | null;
  release_at: number | null;
}

/** The code in one spelling; null for a contingent of the counter. */
export function saleCodeOf({ sale, code }: Pick<ContingentTerms, 'sale' | 'code'>): string | null {
  return sale === 'code' ? spellCode(code ?? '') : null;
}

interface Happening {
  contingent: ContingentRow;
  actor: Actor;
  action: Extract<AuditAction, `contingent_${string}`>;
  kept?: Pick<rows.WholeContingent, 'objects' | 'areas'>;
}

/**
 * Adds an entry to the event's history. It leaves out the code, because some readers of the history
 * may not buy with it.
 */
export async function noteContingent(
  ctx: Ctx,
  db: Db,
  { contingent, actor, action, kept }: Happening,
): Promise<void> {
  const { id, event_id, name, color, sale, release_at } = contingent;
  await happened(ctx, db, {
    actor,
    action,
    subject: event_id,
    detail: {
      contingent_id: id,
      name,
      color,
      sale,
      release_at,
      ...(kept && {
        places: [
          ...kept.objects,
          ...kept.areas.map(({ object, places }) => `${object} (${places})`),
        ],
      }),
    },
  });
}

/** Live and released contingents, oldest first. @throws Refusal event_not_found */
export async function contingentsOf(ctx: Ctx, event_id: string) {
  await knownEvent(ctx, event_id);
  const all = await rows.listContingents(ctx.db, event_id);
  const seats = await rows.seatsOfContingents(ctx.db, event_id);
  const sold = await rows.soldOfContingents(ctx.db, event_id);
  const nameOf = await namesOf(
    ctx.db,
    all.map(({ contingent }) => contingent.actor),
  );
  return {
    items: all.map(({ contingent, objects, areas }) => {
      const own = seats.get(contingent.id) ?? 0;
      const places = areas.reduce((sum, area) => sum + area.places, own);
      return {
        ...contingent,
        contingent_id: contingent.id,
        actor: nameOf(contingent.actor),
        is_live: contingent.state === 'live',
        objects,
        areas,
        places,
        sold: Math.min(places, sold.get(contingent.id) ?? 0),
      };
    }),
  };
}

/** @throws Refusal contingent_not_found */
export async function shownContingent(ctx: Ctx, event_id: string, contingent_id: string) {
  const { items } = await contingentsOf(ctx, event_id);
  const shown = items.find((item) => item.contingent_id === contingent_id);
  if (!shown) throw new Refusal('contingent_not_found');
  return shown;
}

/**
 * The seats of live contingents with their channels' keys; the contracts decide who gets keys.
 */
export async function contingentsOnMap(ctx: Ctx, event_id: string) {
  const all = await rows.listContingents(ctx.db, event_id);
  return all
    .filter(({ contingent }) => contingent.state === 'live')
    .map(({ contingent, objects, areas }) => ({
      contingent_id: contingent.id,
      name: contingent.name,
      color: contingent.color,
      sale: contingent.sale,
      channel: contingent.channel_key,
      objects,
      areas,
    }));
}
