/** Refunds: endpoint to use case, one line each. */
import * as refunds from '#server/contract/refunds.ts';
import { serve, type House } from '#server/http/serve.ts';
import {
  cancelEvent,
  previewCancellation,
  refundRun,
} from '#server/services/refund/cancelled-event.ts';
import {
  decideRefund,
  quoteForOffice,
  refundByOffice,
  refundList,
  refundsOfOrder,
  retryRefund,
  settleRefund,
} from '#server/services/refund/desk.ts';
import { askRefund, quoteForBuyer, withdrawRefund } from '#server/services/refund/requests.ts';

export function refundRoutes(house: House): void {
  serve(house, refunds.orderRefunds, ({ params, query }) =>
    quoteForBuyer(house.ctx, params.orderId, query.ticket_ids),
  );
  serve(house, refunds.askRefund, ({ params, body }) => askRefund(house.ctx, params.orderId, body));
  serve(house, refunds.withdrawRefund, ({ params }) =>
    withdrawRefund(house.ctx, params.orderId, params.refundId),
  );
  serve(house, refunds.quoteRefund, ({ params, query }) =>
    quoteForOffice(house.ctx, params.orderId, query),
  );
  serve(house, refunds.listOrderRefunds, ({ params }) => refundsOfOrder(house.ctx, params.orderId));
  serve(house, refunds.makeRefund, ({ params, body }, { user }) =>
    refundByOffice(house.ctx, params.orderId, { ...body, user_id: user.id }),
  );
  serve(house, refunds.listRefunds, ({ query }) => refundList(house.ctx, query));
  serve(house, refunds.decideRefund, ({ params, body }, { user }) =>
    decideRefund(house.ctx, params.refundId, { ...body, user_id: user.id }),
  );
  serve(house, refunds.retryRefund, ({ params }, { user }) =>
    retryRefund(house.ctx, params.refundId, user.id),
  );
  serve(house, refunds.settleRefund, ({ params, body }, { user }) =>
    settleRefund(house.ctx, params.refundId, { ...body, user_id: user.id }),
  );
  serve(house, refunds.previewCancellation, ({ params, query }) =>
    previewCancellation(house.ctx, params.eventId, query.with_fees),
  );
  serve(house, refunds.cancelEvent, ({ params, body }, { user }) =>
    cancelEvent(house.ctx, params.eventId, { ...body, user_id: user.id }),
  );
  serve(house, refunds.readRefundRun, ({ params }) => refundRun(house.ctx, params.runId));
}
