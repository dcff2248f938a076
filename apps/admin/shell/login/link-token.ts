/** The token of a one-time link, behind the # of the address. */
import { useEffect, useState } from 'react';

/** Takes the token out of the address bar, history and screenshots; null: it is not whole. */
export function useLinkToken(): string | null {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return token.length < 16 ? null : token;
}
