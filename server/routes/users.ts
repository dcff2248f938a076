/** People: endpoint to use case; the session travels in a cookie. */
import { acceptInvite, login, logout, me } from '#server/contract/users.ts';
import { serve, type House } from '#server/http/serve.ts';
import { sessionToken, setSession } from '#server/http/session.ts';
import {
  acceptInvite as accept,
  login as logIn,
  logout as logOut,
} from '#server/services/user/users.ts';

export function userRoutes(house: House): void {
  serve(house, login, async ({ body }, { http }) => {
    const forgive = await house.limits.countGuess(http, body.email);
    const { user, token } = await logIn(house.ctx, body);
    await forgive();
    setSession(house.ctx, http, token);
    return user;
  });
  serve(house, logout, async (_, { http }) => {
    await logOut(house.ctx, sessionToken(house.ctx, http));
    setSession(house.ctx, http, null);
  });
  serve(house, me, async (_, { user }) => user);
  serve(house, acceptInvite, async ({ body }, { http }) => {
    const { user, token } = await accept(house.ctx, body);
    setSession(house.ctx, http, token);
    return user;
  });
}
