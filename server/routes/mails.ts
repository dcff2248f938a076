/** Mail to buyers: endpoint to use case, one line each. */
import { listMails, readMail, resendMail, resendTickets } from '#server/contract/mails.ts';
import { serve, type House } from '#server/http/serve.ts';
import {
  mailForOffice,
  mailList,
  resendMail as sendAgain,
  resendTickets as sendTicketsAgain,
} from '#server/services/mail/mailbox.ts';

export function mailRoutes(house: House): void {
  serve(house, listMails, ({ query }) => mailList(house.ctx, query));
  serve(house, readMail, ({ params }) => mailForOffice(house.ctx, params.mailId));
  serve(house, resendMail, ({ params }, { user }) =>
    sendAgain(house.ctx, params.mailId, `user:${user.id}`),
  );
  serve(house, resendTickets, ({ params, body }, { user }) =>
    sendTicketsAgain(house.ctx, params.orderId, { email: body.email, actor: `user:${user.id}` }),
  );
}
