/** Messages to many buyers: each route connects an endpoint to its use case. */
import * as messages from '#server/contract/messages.ts';
import type { Routing } from '#server/http/serve.ts';
import { letterFor } from '#server/services/mail/message-letter.ts';
import { messageList, messageMails, oneMessage } from '#server/services/mail/message-list.ts';
import {
  makeMessage,
  messageReach,
  resumeMessage,
  stopMessage,
  testLetter,
  withdraw,
} from '#server/services/mail/messages.ts';

export function messageRoutes({ serve, ctx }: Routing): void {
  serve(messages.previewMessage, ({ body }) => messageReach(ctx, body));
  serve(messages.previewLetter, ({ body }) => letterFor(ctx, body));
  serve(messages.testMessage, ({ body }, { user }) => testLetter(ctx, body, user.email));
  serve(messages.sendMessage, ({ body }, { actor }) => makeMessage(ctx, body, actor));
  serve(messages.listMessages, ({ query }) => messageList(ctx, query));
  serve(messages.readMessage, ({ params }) => oneMessage(ctx, params.messageId));
  serve(messages.listMessageMails, ({ params, query }) =>
    messageMails(ctx, params.messageId, query),
  );
  serve(messages.stopMessage, ({ params }, { actor }) => stopMessage(ctx, params.messageId, actor));
  serve(messages.resumeMessage, ({ params }, { actor }) =>
    resumeMessage(ctx, params.messageId, actor),
  );
  serve(messages.withdrawMessage, ({ params }, { actor }) =>
    withdraw(ctx, params.messageId, actor),
  );
}
