/** The user's own account: each route connects an endpoint to its use case. */
import * as account from '#server/contract/account.ts';
import { countGuess } from '#server/http/limits.ts';
import type { Routing } from '#server/http/serve.ts';
import { setDevice, setSession } from '#server/http/session.ts';
import { confirm } from '#server/services/user/confirmation.ts';
import {
  addTotp,
  beginTotp,
  readFactors,
  removeTotp,
  renewRecoveryCodes,
} from '#server/services/user/factors.ts';
import {
  addPasskey,
  beginConfirmation,
  beginPasskey,
  removePasskey,
  renamePasskey,
} from '#server/services/user/passkeys.ts';
import { changePassword } from '#server/services/user/passwords.ts';
import { endAllSessions, endSession, listSessions } from '#server/services/user/sessions.ts';
import { rememberDevice } from '#server/services/user/users.ts';

export function accountRoutes({ serve, ctx }: Routing): void {
  serve(account.changePassword, async ({ body }, { http, user, session }) => {
    const forgive = await countGuess(ctx, http, { account: user.email, device: session.id });
    await changePassword(ctx, { user, session }, body);
    await forgive();
    setDevice(ctx, http, await rememberDevice(ctx, user));
  });
  serve(account.listSessions, (_, who) => listSessions(ctx, who));
  serve(account.endSession, ({ params }, who) => endSession(ctx, who, params.sessionId));
  serve(account.endAllSessions, async (_, who) => {
    await endAllSessions(ctx, who);
    setSession(ctx, who.http, null);
  });
  serve(account.readFactors, (_, { user }) => readFactors(ctx, user));
  serve(account.beginTotp, (_, { user }) => beginTotp(ctx, user));
  serve(account.addTotp, ({ body }, { user }) => addTotp(ctx, user, body));
  serve(account.removeTotp, (_, { user }) => removeTotp(ctx, user));
  serve(account.beginPasskey, (_, { user }) => beginPasskey(ctx, user));
  serve(account.addPasskey, ({ body }, { user }) => addPasskey(ctx, user, body));
  serve(account.renamePasskey, ({ params, body }, { user }) =>
    renamePasskey(ctx, user, { id: params.passkeyId, name: body.name }),
  );
  serve(account.removePasskey, ({ params }, { user }) =>
    removePasskey(ctx, user, params.passkeyId),
  );
  serve(account.renewRecoveryCodes, (_, { user }) => renewRecoveryCodes(ctx, user));
  serve(account.beginConfirmation, (_, { user }) => beginConfirmation(ctx, user));
  serve(account.confirmIdentity, async ({ body }, who) => {
    const forgive = await countGuess(ctx, who.http, {
      account: who.user.email,
      device: who.session.id,
    });
    await confirm(ctx, who, body);
    await forgive();
  });
  serve(account.checkFresh, async () => {});
}
