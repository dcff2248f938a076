/** Refunds: each route connects an endpoint to its use case. */
import * as cancellations from '#server/contract/cancellations.ts';
import * as dateAnswers from '#server/contract/date-answers.ts';
import * as handBack from '#server/contract/hand-back.ts';
import * as refunds from '#server/contract/order/refunds.ts';
import * as transfers from '#server/contract/transfers.ts';
import type { Routing } from '#server/http/serve.ts';
import { answerCancellation } from '#server/services/refund/cancelled-answers.ts';
import {
  cancelEvent,
  previewCancellation,
  refundRun,
} from '#server/services/refund/cancelled-event.ts';
import {
  amountOf,
  decideRefund,
  quoteForOffice,
  refundByOffice,
  refundList,
  refundsOfOrder,
  retryRefund,
  settleRefund,
} from '#server/services/refund/desk.ts';
import { askSilentAgain } from '#server/services/mail/ask-again.ts';
import {
  dateAnswerList,
  dateAnswerOf,
  enterDateAnswer,
} from '#server/services/refund/date-answers.ts';
import { dateAnswersFile } from '#server/services/refund/date-answers-file.ts';
import { previewTransfer, startTransfer } from '#server/services/transfer/propose.ts';
import { transferOfEvent } from '#server/services/transfer/show.ts';
import { requireFresh } from '#server/services/user/confirmation.ts';
import type { InSession } from '#server/services/user/sessions.ts';
import { resumeRefunds, stopRefunds } from '#server/services/refund/halt.ts';
import { handBackTogether, listHandBacks } from '#server/services/refund/hand-back-list.ts';
import { quoteHandBack } from '#server/services/refund/hand-back.ts';
import { askRefund, quoteForBuyer, withdrawRefund } from '#server/services/refund/requests.ts';

export function refundRoutes(routing: Routing): void {
  const { serve, ctx } = routing;
  dateAnswerRoutes(routing);
  serve(refunds.orderRefunds, ({ params, query }) =>
    quoteForBuyer(ctx, params.orderId, query.ticket_ids),
  );
  serve(refunds.askRefund, ({ params, body }) => askRefund(ctx, params.orderId, body));
  serve(refunds.withdrawRefund, ({ params }) =>
    withdrawRefund(ctx, params.orderId, params.refundId),
  );
  serve(refunds.quoteRefund, ({ params, query }) => quoteForOffice(ctx, params.orderId, query));
  serve(handBack.quoteHandBack, ({ params, query }, { user }) =>
    quoteHandBack(ctx, user, { order_id: params.orderId, ...query }),
  );
  serve(handBack.listHandBacks, ({ params }, { user }) => listHandBacks(ctx, user, params.eventId));
  serve(handBack.handBackTogether, async ({ params, body }, who) => {
    if (body.expected_cents > ctx.settings.confirmRefundCents) await requireFresh(ctx, who);
    return handBackTogether(ctx, params.eventId, { ...body, ...giverOf(who) });
  });
  serve(refunds.listOrderRefunds, ({ params }) => refundsOfOrder(ctx, params.orderId));
  serve(refunds.makeRefund, async ({ params, body }, who) => {
    if (body.expected_cents > ctx.settings.confirmRefundCents) await requireFresh(ctx, who);
    return refundByOffice(ctx, params.orderId, { ...body, ...giverOf(who) });
  });
  serve(refunds.listRefunds, ({ query }) => refundList(ctx, query));
  const requireFreshFor = async (refund_id: string, who: InSession) => {
    if ((await amountOf(ctx, refund_id)) > ctx.settings.confirmRefundCents)
      await requireFresh(ctx, who);
  };
  serve(refunds.decideRefund, async ({ params, body }, who) => {
    if (body.decision === 'approve') await requireFreshFor(params.refundId, who);
    return decideRefund(ctx, params.refundId, { ...body, user_id: who.user.id });
  });
  serve(refunds.retryRefund, async ({ params }, who) => {
    await requireFreshFor(params.refundId, who);
    return retryRefund(ctx, params.refundId, who.user.id);
  });
  serve(refunds.settleRefund, async ({ params, body }, who) => {
    if (body.decision === 'handed_back') await requireFreshFor(params.refundId, who);
    return settleRefund(ctx, params.refundId, { ...body, ...giverOf(who) });
  });
  serve(cancellations.answerCancellation, ({ params, body }) =>
    answerCancellation(ctx, params.orderId, { ...body, actor: 'visitor' }),
  );
  serve(refunds.previewCancellation, ({ params, query }) =>
    previewCancellation(ctx, params.eventId, query.with_fees),
  );
  serve(refunds.cancelEvent, ({ params, body }, { user }) =>
    cancelEvent(ctx, params.eventId, { ...body, user_id: user.id }),
  );
  serve(refunds.readRefundRun, ({ params }) => refundRun(ctx, params.runId));
  serve(refunds.stopRefunds, ({ params }, { actor }) => stopRefunds(ctx, params.runId, actor));
  serve(refunds.resumeRefunds, ({ params }, { actor }) => resumeRefunds(ctx, params.runId, actor));
}

function dateAnswerRoutes({ serve, ctx }: Routing): void {
  serve(dateAnswers.listDateAnswers, ({ params, query }, { user }) =>
    dateAnswerList(ctx, user, params.eventId, query),
  );
  serve(dateAnswers.exportDateAnswers, ({ params, query }, { user }) =>
    dateAnswersFile(ctx, user, params.eventId, query),
  );
  serve(dateAnswers.readDateAnswer, ({ params }) => dateAnswerOf(ctx, params.orderId));
  serve(dateAnswers.enterDateAnswer, async ({ params, body }, who) => {
    const { answer, expected_cents } = body;
    if (answer === 'refund' && expected_cents > ctx.settings.confirmRefundCents)
      await requireFresh(ctx, who);
    return enterDateAnswer(ctx, params.orderId, { ...body, actor: who.actor });
  });
  serve(transfers.readTransfer, ({ params }) => transferOfEvent(ctx, params.eventId));
  serve(transfers.previewTransfer, ({ params, body }) =>
    previewTransfer(ctx, params.eventId, body),
  );
  serve(transfers.startTransfer, async ({ params, body }, who) => {
    if (body.expected_back_cents > ctx.settings.confirmRefundCents) await requireFresh(ctx, who);
    return startTransfer(ctx, params.eventId, { ...body, actor: who.actor });
  });
  serve(dateAnswers.askSilentAgain, ({ params, body }, { actor }) =>
    askSilentAgain(ctx, params.eventId, { ...body, actor }),
  );
}

function giverOf({ user }: InSession) {
  return { user_id: user.id, role: user.role };
}
