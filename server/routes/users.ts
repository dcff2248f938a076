/** People: endpoint to use case; the session travels in a cookie. */
import * as users from '#server/contract/users.ts';
import type { Routing } from '#server/http/serve.ts';
import { deviceCookie, sessionToken, setDevice, setSession } from '#server/http/session.ts';
import {
  acceptInvite,
  knownDevice,
  login,
  logout,
  rememberDevice,
} from '#server/services/user/users.ts';

export function userRoutes({ serve, ctx, limits }: Routing): void {
  serve(users.login, async ({ body }, { http }) => {
    const device = await knownDevice(ctx, { email: body.email, token: deviceCookie(ctx, http) });
    const forgive = await limits.countGuess(http, { account: body.email, device });
    const { user, token } = await login(ctx, body);
    await forgive();
    setSession(ctx, http, token);
    if (device === null) setDevice(ctx, http, await rememberDevice(ctx, user));
    return user;
  });
  serve(users.logout, async (_, { http }) => {
    await logout(ctx, sessionToken(ctx, http));
    setSession(ctx, http, null);
  });
  serve(users.me, async (_, { user }) => user);
  serve(users.acceptInvite, async ({ body }, { http }) => {
    const { user, token } = await acceptInvite(ctx, body);
    setSession(ctx, http, token);
    setDevice(ctx, http, await rememberDevice(ctx, user));
    return user;
  });
}
