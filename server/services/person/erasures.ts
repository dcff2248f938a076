/** Lists who asked for which erasure and when; the address is not stored. */
import { listErasures } from '#db/person/personal.ts';
import { readRestored } from '#server/services/kit/restored.ts';
import type { Ctx } from '#server/services/context.ts';
import { namesOf } from '#server/services/user/actors.ts';

const most = 50;

export async function erasureList(ctx: Ctx) {
  const rows = await listErasures(ctx.db, most);
  const nameOf = await namesOf(
    ctx.db,
    rows.map(({ actor }) => actor),
  );
  return {
    items: rows.map(({ id, actor, repeats, ...row }) => ({
      ...row,
      erasure_id: id,
      actor_name: nameOf(actor),
      repeats: repeats === 1,
    })),
    restored: await readRestored(ctx.db),
  };
}
