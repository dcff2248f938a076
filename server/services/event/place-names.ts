/** Names what a visitor has chosen on the seat map as its tickets will be named (RULES W11). */
import { objectsOf } from '#db/seat/seats.ts';
import { seatName, wholeName } from '#server/domain/seat/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { publishedEvent } from './events.ts';

/** @throws Refusal event_not_found */
export async function nameObjects(ctx: Ctx, event_id: string, labels: readonly string[]) {
  const { id } = await publishedEvent(ctx, event_id);
  return {
    items: (await objectsOf(ctx.db, id, labels)).map((object) => ({
      object_id: object.object_label,
      name: object.in_whole === 1 ? wholeName(object) : seatName(object),
    })),
  };
}
