/** Mail to buyers: each route connects an endpoint to its use case. */
import * as mails from '#server/contract/mails.ts';
import type { Routing } from '#server/http/serve.ts';
import { takeBounce } from '#server/services/mail/bounces.ts';
import {
  mailForOffice,
  mailList,
  resendMail,
  resendTickets,
} from '#server/services/mail/mailbox.ts';

export function mailRoutes({ serve, ctx }: Routing): void {
  serve(mails.listMails, ({ query }) => mailList(ctx, query));
  serve(mails.readMail, ({ params }) => mailForOffice(ctx, params.mailId));
  serve(mails.sendBounce, ({ file }, { actor }) => takeBounce(ctx, file, actor));
  serve(mails.resendMail, ({ params }, { actor }) => resendMail(ctx, params.mailId, actor));
  serve(mails.resendTickets, ({ params, body }, { actor }) =>
    resendTickets(ctx, params.orderId, { email: body.email, actor }),
  );
}
