/** What the office corrects in an order: each route connects an endpoint to its use case. */
import * as desk from '#server/contract/order/order-desk.ts';
import type { Routing } from '#server/http/serve.ts';
import { setHolders } from '#server/services/order/holders.ts';
import { changeBuyer } from '#server/services/office/buyer.ts';
import { writeDoorNote } from '#server/services/office/door-notes.ts';
import { addNote, dropNote, setPinned } from '#server/services/office/order-notes.ts';

export function orderDeskRoutes({ serve, ctx }: Routing): void {
  serve(desk.changeBuyer, ({ params, body }, { actor }) =>
    changeBuyer(ctx, params.orderId, { texts: body, actor }),
  );
  serve(desk.nameHolders, ({ params, body }, { actor }) =>
    setHolders(ctx, params.orderId, { ...body, actor }),
  );
  serve(desk.writeDoorNote, ({ params, body }, { actor }) =>
    writeDoorNote(
      ctx,
      { order_id: params.orderId, ticket_id: params.ticketId },
      { ...body, actor },
    ),
  );
  serve(desk.addNote, ({ params, body }, { user }) =>
    addNote(ctx, user, { ...body, order_id: params.orderId }),
  );
  serve(desk.pinNote, ({ params, body }, { user }) =>
    setPinned(ctx, user, { order_id: params.orderId, note_id: params.noteId, ...body }),
  );
  serve(desk.deleteNote, ({ params }, { user }) =>
    dropNote(ctx, user, { order_id: params.orderId, note_id: params.noteId }),
  );
}
