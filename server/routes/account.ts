/** The own account: endpoint to use case. */
import * as account from '#server/contract/account.ts';
import type { Routing } from '#server/http/serve.ts';
import { setDevice, setSession } from '#server/http/session.ts';
import { changePassword } from '#server/services/user/passwords.ts';
import { endAllSessions, endSession, listSessions } from '#server/services/user/sessions.ts';
import { rememberDevice } from '#server/services/user/users.ts';

export function accountRoutes({ serve, ctx, limits }: Routing): void {
  serve(account.changePassword, async ({ body }, { http, user, session }) => {
    const forgive = await limits.countGuess(http, { account: user.email, device: session.id });
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
}
