/**
 * Changes how the house looks. The whole look is checked and saved, unless another person has
 * saved since it was read.
 */
import { useImages } from '#db/event/images.ts';
import { claimSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import { imageIdOf } from '#server/domain/event/image.ts';
import {
  faultsOfLook,
  plainLook,
  spellLook,
  type LookDraft,
  type LookField,
} from '#server/domain/site/look.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireSellable } from '#server/services/event/chart.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { lookKey, lookOf, readLook, type Look } from '#server/services/site/look.ts';

/**
 * @throws Refusal look_invalid with a sentence per field, image_unknown, price_not_sellable,
 * site_changed if another person saved first
 */
export async function writeLook(
  ctx: Ctx,
  actor: Actor,
  { version, ...draft }: Look,
): Promise<Look> {
  const look = checkLook(draft);
  const before = await lookOf(ctx);
  if (look.fee_price_id !== null && look.fee_price_id !== before.fee_price_id)
    await requireSellable(ctx, [look.fee_price_id]);
  return transact(ctx.db, async (trx) => {
    const { look: old, from } = await readLook(trx);
    const after: Look = { ...look, version: version + 1 };
    const isLatest = old.version === version;
    if (!isLatest || !(await claimSetting(trx, lookKey, { from, to: JSON.stringify(after) })))
      throw new Refusal('site_changed');
    const logo = imageIdOf(look.logo);
    if (logo !== null && !(await useImages(trx, [logo], ctx.now())))
      throw new Refusal('image_unknown', { fields: ['logo'] });
    await happened(ctx, trx, {
      actor,
      action: 'look_changed',
      subject: lookKey,
      detail: changesOf(old, after),
    });
    return after;
  });
}

/**
 * Returns the look as it is stored.
 * @throws Refusal look_invalid
 */
export function checkLook(draft: LookDraft): LookDraft {
  const look = spellLook(draft);
  const fields = faultsOfLook(look);
  if (Object.keys(fields).length > 0) throw new Refusal('look_invalid', { fields });
  return look;
}

function changesOf(before: LookDraft, after: LookDraft): object {
  const fields = (Object.keys(plainLook) as LookField[]).filter(
    (field) => before[field] !== after[field],
  );
  return Object.fromEntries(
    fields.map((field) => [field, { from: before[field], to: after[field] }]),
  );
}
