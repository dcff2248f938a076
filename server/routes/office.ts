/** The office's work on orders: endpoint to use case, one line each. */
import {
  cancelOrder,
  confirmOrder,
  countAttention,
  findByReceipt,
  readAttention,
  decideOrder,
} from '#server/contract/office.ts';
import { serve, type House } from '#server/http/serve.ts';
import { attentionCount, attentionList } from '#server/services/office/attention.ts';
import {
  cancelByOffice,
  confirmAtDesk,
  orderByReceipt,
  settleAtDesk,
} from '#server/services/office/order-desk.ts';

export function officeRoutes(house: House): void {
  serve(house, findByReceipt, ({ query }) => orderByReceipt(house.ctx, query.receipt_number));
  serve(house, confirmOrder, ({ params, body }, { user }) =>
    confirmAtDesk(house.ctx, params.orderId, { ...body, user_id: user.id }),
  );
  serve(house, cancelOrder, ({ params, body }, { user }) =>
    cancelByOffice(house.ctx, params.orderId, { ...body, user_id: user.id }),
  );
  serve(house, decideOrder, ({ params, body }, { user }) =>
    settleAtDesk(house.ctx, params.orderId, { ...body, user_id: user.id }),
  );
  serve(house, readAttention, () => attentionList(house.ctx));
  serve(house, countAttention, () => attentionCount(house.ctx));
}
