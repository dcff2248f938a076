/** The counter: each route connects an endpoint to its use case. */
import * as counter from '#server/contract/counter.ts';
import * as lost from '#server/contract/lost-sales.ts';
import * as paper from '#server/contract/paper.ts';
import * as shifts from '#server/contract/shifts.ts';
import type { Routing } from '#server/http/serve.ts';
import { notePrinted, paperOfEvent } from '#server/services/counter/bulk.ts';
import { findCustomers } from '#server/services/counter/customers.ts';
import { admitForOffice } from '#server/services/queue/passes.ts';
import { counterDesk, tillFor, widenHold } from '#server/services/counter/desk.ts';
import { requirePaperOrder } from '#server/services/counter/paper-order.ts';
import { giveBack, ownSales } from '#server/services/counter/own-sales.ts';
import { listLost, lookAtLost } from '#server/services/counter/lost-tickets.ts';
import { paperOf, reissue } from '#server/services/counter/paper.ts';
import { dropPrint, printerOf, queuePrint, readPrint } from '#server/services/counter/printing.ts';
import { rebuildSale } from '#server/services/counter/rebuild.ts';
import {
  addDeposit,
  collect,
  changeReservation,
  dropReservation,
  listReservations,
} from '#server/services/counter/reservations.ts';
import { sell, sellerMark } from '#server/services/counter/sell.ts';
import { shiftPdf } from '#server/services/counter/shift-pdf.ts';
import {
  endShift,
  moveCash,
  openShift,
  shiftFor,
  shiftList,
} from '#server/services/counter/shifts.ts';
import { changeTills } from '#server/services/counter/tills.ts';
import { openTillCode } from '#server/services/seat-map/contingent-codes.ts';
import { requireFresh } from '#server/services/user/confirmation.ts';

export function counterRoutes({ serve, ctx }: Routing): void {
  serve(counter.widenHold, ({ body }) => widenHold(ctx, body.hold_token));
  serve(counter.admitHold, ({ body }) => admitForOffice(ctx, body.event_id, body.hold_token));
  serve(counter.readCounter, (_, { user }) => counterDesk(ctx, user));
  serve(counter.readTill, ({ params }) => tillFor(ctx, params.eventId));
  serve(counter.openTillCode, ({ params, body }, { user }) =>
    openTillCode(ctx, params.eventId, { code: body.code, by: sellerMark(user) }),
  );
  serve(counter.makeSale, ({ body }, { user }) => sell(ctx, user, body));
  serve(lost.listLost, () => listLost(ctx));
  serve(lost.lookAtLost, ({ body }) => lookAtLost(ctx, body.ticket));
  serve(lost.rebuildSale, ({ body }, { actor }) => rebuildSale(ctx, actor, body));
  serve(counter.findCustomers, ({ query }, { user }) => findCustomers(ctx, user, query.q));
  serve(counter.listReservations, ({ query }, { user }) => listReservations(ctx, user, query));
  serve(counter.collectReservation, ({ params, body }, { user }) =>
    collect(ctx, user, { order_id: params.orderId, payments: body.payments }),
  );
  serve(counter.takeDeposit, ({ params, body }, { user }) =>
    addDeposit(ctx, user, { order_id: params.orderId, key: body.deposit_key, ...body }),
  );
  serve(counter.changeReservation, ({ params, body }, { user }) =>
    changeReservation(ctx, user, { order_id: params.orderId, pay_by: body.pay_by }),
  );
  serve(counter.dropReservation, ({ params }, { user }) =>
    dropReservation(ctx, user, params.orderId),
  );
  serve(counter.changeTills, ({ body }, { actor }) => changeTills(ctx, body, actor));
  serve(counter.readPaper, async ({ params }, { user }) => {
    await requirePaperOrder(ctx, user, params.orderId);
    return paperOf(ctx, params.orderId);
  });
  serve(counter.printOrder, ({ params, body }, { user }) =>
    queuePrint(ctx, { ...body, order_id: params.orderId, seller: user }),
  );
  serve(counter.reissueTickets, ({ params, body }, { user }) =>
    reissue(ctx, user, { order_id: params.orderId, ...body }),
  );
  serve(counter.printTest, ({ params }, { user }) =>
    queuePrint(ctx, { order_id: null, till_id: params.tillId, seller: user }),
  );
  serve(paper.readEventPaper, ({ params }, { user }) => paperOfEvent(ctx, user, params.eventId));
  serve(paper.notePrinted, ({ params, body }, { user }) =>
    notePrinted(ctx, user, { order_id: params.orderId, tickets: body.tickets }),
  );
  serve(counter.readPrinter, ({ params }) => printerOf(ctx, params.tillId));
  serve(counter.readPrint, ({ params }) => readPrint(ctx, params.printId));
  serve(counter.dropPrint, ({ params }) => dropPrint(ctx, params.printId));
  serve(shifts.listOwnSales, (_, { user }) => ownSales(ctx, user));
  serve(shifts.giveBack, async ({ params, body }, who) => {
    if (body.expected_cents > ctx.settings.confirmRefundCents) await requireFresh(ctx, who);
    return giveBack(ctx, who.user, { ...body, order_id: params.orderId });
  });
  serve(shifts.openShift, ({ body }, { user }) => openShift(ctx, user, body));
  serve(shifts.listShifts, ({ query }, { user }) => shiftList(ctx, user, query));
  serve(shifts.moveCash, ({ body }, { user }) => moveCash(ctx, user, body));
  serve(shifts.closeShift, ({ body }, { user }) => endShift(ctx, user, body));
  serve(shifts.readShift, ({ params }, { user }) => shiftFor(ctx, user, params.shiftId));
  serve(shifts.downloadShift, ({ params }, { user }) => shiftPdf(ctx, user, params.shiftId));
}
