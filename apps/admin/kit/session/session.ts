/** The session: the current user for every screen, and the way to the login once it is lost. */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Asked, EndpointShape, ReplyOf } from '#server/contract/endpoint.ts';
import { me } from '#server/contract/users.ts';
import { may, type Right } from '#server/domain/user/rights.ts';
import { call, CallError } from '#apps/shared/api.ts';
import { keyOf } from '#apps/shared/query.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { askToConfirm, type Ways } from './confirm-again.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';

export type User = ReplyOf<typeof me>;

/** The layout sets the user, so every screen inside it has one. */
export const UserContext = createContext<User | null>(null);

export function useUser(): User {
  return requireValue(use(UserContext), 'user');
}

/** Used to hide things; the server checks the right again. */
export function useMay(right: Right): boolean {
  return may(useUser().role, right);
}

/** Checks the code, because a wrong password and a revoked phone answer 401 too. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof CallError && error.code === 'not_logged_in';
}

/**
 * When a request finds the session lost, `me` is fetched again and the layout shows the login.
 */
export function watchSession(client: QueryClient): void {
  const meKey = keyOf(me, {});
  client.getQueryCache().subscribe((event) => {
    if (
      event.type !== 'updated' ||
      event.action.type !== 'error' ||
      !isLoggedOut(event.action.error)
    )
      return;
    if (event.query.queryKey[1] !== meKey[1]) void client.invalidateQueries({ queryKey: meKey });
  });
}

/** Logs a user in and removes the previous user's data from the cache. */
export function logInAs(client: QueryClient, user: User): void {
  client.clear();
  client.setQueryData(keyOf(me, {}), user);
}

/** Sends a sensitive act again after the user has confirmed their identity. */
async function callConfirmed<const E extends EndpointShape>(
  endpoint: E,
  ask: Asked<E>,
): Promise<ReplyOf<E>> {
  try {
    return await call(endpoint, ask);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'confirm_again') throw error;
    if (!(await askToConfirm((error.detail as { ways: Ways }).ways))) throw error;
    return call(endpoint, ask);
  }
}

/** call() for changes: a lost session leads to the login, and errors are in Italian. */
export function useAct() {
  const client = useQueryClient();
  return async function act<const E extends EndpointShape>(
    endpoint: E,
    ask: Asked<E>,
  ): Promise<ReplyOf<E>> {
    try {
      return await callConfirmed(endpoint, ask);
    } catch (error) {
      if (isLoggedOut(error)) await client.invalidateQueries({ queryKey: keyOf(me, {}) });
      if (!(error instanceof CallError)) throw error;
      throw new CallError(error.status, error.code, tellFailure(error), error.detail);
    }
  };
}
