/** The office's short text about a guest, which the phones at the door show (RULES A17). */
import { lockOrder } from '#db/order/orders.ts';
import { findTicket, noteForDoor } from '#db/order/tickets.ts';
import { touchPlaces } from '#db/seat/seats.ts';
import { transact } from '#db/engine/transact.ts';
import { readDoorNote } from '#server/domain/order/door-note.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { requireOrder } from '#server/services/order/find-order.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';

/**
 * An empty text removes the last one. The registry says that there is one, not what it says.
 * @throws Refusal order_not_found, ticket_not_found, buyer_forgotten
 */
export async function writeDoorNote(
  ctx: Ctx,
  { order_id, ticket_id }: { order_id: string; ticket_id: string },
  { text, actor }: { text: string; actor: Actor },
): Promise<void> {
  const { event_id } = await requireOrder(ctx, order_id);
  const door_note = readDoorNote(text);
  await transact(ctx.db, async (trx) => {
    // A text written after an erasure would stay for ever.
    if ((await lockOrder(trx, order_id)).buyer_forgotten_at !== null)
      throw new Refusal('buyer_forgotten');
    const { feed_seq } = await takeDoorTurn(trx, { act: 'door_note_written', event_id });
    const ticket = await findTicket(trx, ticket_id);
    if (ticket?.order_id !== order_id) throw new Refusal('ticket_not_found');
    if (ticket.door_note === door_note) return;
    await noteForDoor(trx, ticket_id, door_note);
    await touchPlaces(trx, event_id, { places: [ticket.place], feed_seq });
    await happened(ctx, trx, {
      actor,
      action: door_note === null ? 'door_note_removed' : 'door_note_written',
      subject: order_id,
      detail: { ticket_id, places: [seatName(ticket)] },
    });
  });
}
