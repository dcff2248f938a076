/** The counter: endpoint to use case, one line each. */
import * as counter from '#server/contract/counter.ts';
import * as shifts from '#server/contract/shifts.ts';
import type { Routing } from '#server/http/serve.ts';
import { counterDesk, tillFor } from '#server/services/counter/desk.ts';
import { paperOf, reissue } from '#server/services/counter/paper.ts';
import { dropPrint, printerOf, queuePrint, readPrint } from '#server/services/counter/printing.ts';
import {
  collect,
  dropReservation,
  listReservations,
} from '#server/services/counter/reservations.ts';
import { sell } from '#server/services/counter/sell.ts';
import { shiftPdf } from '#server/services/counter/shift-pdf.ts';
import {
  closeOwnShift,
  moveCash,
  openShift,
  shiftFor,
  shiftList,
} from '#server/services/counter/shifts.ts';
import { changeTills } from '#server/services/counter/tills.ts';

export function counterRoutes({ serve, ctx }: Routing): void {
  serve(counter.readCounter, (_, { user }) => counterDesk(ctx, user));
  serve(counter.readTill, ({ params }) => tillFor(ctx, params.eventId));
  serve(counter.makeSale, ({ body }, { user }) => sell(ctx, user, body));
  serve(counter.listReservations, ({ query }) => listReservations(ctx, query.event_id));
  serve(counter.collectReservation, ({ params, body }, { user }) =>
    collect(ctx, user, { order_id: params.orderId, payments: body.payments }),
  );
  serve(counter.dropReservation, ({ params }, { user }) =>
    dropReservation(ctx, user, params.orderId),
  );
  serve(counter.changeTills, ({ body }, { actor }) => changeTills(ctx, body, actor));
  serve(counter.readPaper, ({ params }) => paperOf(ctx, params.orderId));
  serve(counter.printOrder, ({ params, body }, { actor }) =>
    queuePrint(ctx, { ...body, order_id: params.orderId, actor }),
  );
  serve(counter.reissueTickets, ({ params, body }, { actor }) =>
    reissue(ctx, params.orderId, { reason: body.reason, actor }),
  );
  serve(counter.printTest, ({ params }, { actor }) =>
    queuePrint(ctx, { order_id: null, till_id: params.tillId, actor }),
  );
  serve(counter.readPrinter, ({ params }) => printerOf(ctx, params.tillId));
  serve(counter.readPrint, ({ params }) => readPrint(ctx, params.printId));
  serve(counter.dropPrint, ({ params }) => dropPrint(ctx, params.printId));
  serve(shifts.openShift, ({ body }, { user }) => openShift(ctx, user, body));
  serve(shifts.listShifts, ({ query }, { user }) => shiftList(ctx, user, query));
  serve(shifts.moveCash, ({ body }, { user }) => moveCash(ctx, user, body));
  serve(shifts.closeShift, ({ body }, { user }) => closeOwnShift(ctx, user, body));
  serve(shifts.readShift, ({ params }, { user }) => shiftFor(ctx, user, params.shiftId));
  serve(shifts.downloadShift, ({ params }, { user }) => shiftPdf(ctx, user, params.shiftId));
}
