/** Login, invitations and new passwords: endpoint to use case; the session is in a cookie. */
import type { Context } from 'koa';
import * as users from '#server/contract/users.ts';
import { countGuess } from '#server/http/limits.ts';
import type { Routing } from '#server/http/serve.ts';
import {
  deviceCookie,
  sessionToken,
  setDevice,
  setSession,
  whenceOf,
} from '#server/http/session.ts';
import { acceptInvite, readInvite } from '#server/services/user/invitations.ts';
import { beginLogin, loginByPasskey } from '#server/services/user/passkeys.ts';
import { forgotPassword, resetPassword } from '#server/services/user/passwords.ts';
import { logout } from '#server/services/user/sessions.ts';
import { knownDevice, login, rememberDevice } from '#server/services/user/users.ts';

export function userRoutes({ serve, ctx }: Routing): void {
  // The browser's earlier session ends with a new one (ASVS 7.2.4).
  const replaceSession = async (http: Context, token: string | null) => {
    await logout(ctx, sessionToken(ctx, http));
    setSession(ctx, http, token);
  };
  serve(users.login, async ({ body }, { http }) => {
    const device = await knownDevice(ctx, { email: body.email, token: deviceCookie(ctx, http) });
    const forgive = await countGuess(ctx, http, { account: body.email, device });
    const { user, token } = await login(ctx, { ...body, whence: whenceOf(http) });
    await forgive();
    await replaceSession(http, token);
    if (device === null) setDevice(ctx, http, await rememberDevice(ctx, user));
    return user;
  });
  serve(users.beginPasskeyLogin, () => beginLogin(ctx));
  serve(users.loginByPasskey, async ({ body }, { http }) => {
    const { user, token } = await loginByPasskey(ctx, { ...body, whence: whenceOf(http) });
    await replaceSession(http, token);
    return user;
  });
  serve(users.logout, (_, { http }) => replaceSession(http, null));
  serve(users.me, async (_, { user }) => user);
  serve(users.readInvite, ({ body }) => readInvite(ctx, body.token));
  serve(users.acceptInvite, async ({ body }, { http }) => {
    const { user, token } = await acceptInvite(ctx, { ...body, whence: whenceOf(http) });
    await replaceSession(http, token);
    setDevice(ctx, http, await rememberDevice(ctx, user));
    return user;
  });
  serve(users.forgotPassword, ({ body }) => forgotPassword(ctx, body.email));
  serve(users.resetPassword, ({ body }) => resetPassword(ctx, body));
}
