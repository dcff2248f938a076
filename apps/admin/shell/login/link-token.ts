/** The token of a one-time link, behind the # of the address. */
import { useEffect, useState } from 'react';

/** Removes the token from the address bar and history. Null: the token is incomplete. */
export function useLinkToken(): string | null {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return token.length < 16 ? null : token;
}
