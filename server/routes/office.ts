/** The office's work on orders: each route connects an endpoint to its use case. */
import * as office from '#server/contract/office.ts';
import { searchOffice } from '#server/contract/search.ts';
import { listStarted, stopStarted } from '#server/contract/started.ts';
import { readToday } from '#server/contract/today.ts';
import type { Routing } from '#server/http/serve.ts';
import { attentionCount, attentionList } from '#server/services/office/attention.ts';
import {
  cancelByOffice,
  confirmAtDesk,
  orderByReceipt,
  settleAtDesk,
} from '#server/services/office/order-desk.ts';
import { searchAll } from '#server/services/office/search.ts';
import { countStarted, startedList } from '#server/services/started/list.ts';
import { stopWork } from '#server/services/started/requests.ts';
import { todayForOffice } from '#server/services/office/today.ts';

export function officeRoutes({ serve, ctx }: Routing): void {
  serve(office.findByReceipt, ({ query }, { user }) =>
    orderByReceipt(ctx, user, query.receipt_number),
  );
  serve(office.confirmOrder, ({ params, body }, { user }) =>
    confirmAtDesk(ctx, params.orderId, { ...body, user_id: user.id }),
  );
  serve(office.cancelOrder, ({ params, body }, { user }) =>
    cancelByOffice(ctx, params.orderId, { ...body, user_id: user.id }),
  );
  serve(office.decideOrder, ({ params, body }, { user }) =>
    settleAtDesk(ctx, params.orderId, { ...body, user_id: user.id }),
  );
  serve(office.readAttention, ({ query }) => attentionList(ctx, query));
  serve(office.countAttention, async (_, { user }) => ({
    ...(await attentionCount(ctx)),
    started: await countStarted(ctx, user),
  }));
  serve(listStarted, (_, { user }) => startedList(ctx, user));
  serve(stopStarted, ({ params }, { actor }) => stopWork(ctx, params.workId, actor));
  serve(readToday, (_, { user }) => todayForOffice(ctx, user));
  serve(searchOffice, ({ query }, { user }) => searchAll(ctx, user, query.q));
}
