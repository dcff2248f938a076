/** The token of a one-time link, as it stands behind the # of the address. */
import { useEffect, useState } from 'react';

/** Null: the link is not whole. It must not stay in the address bar, the history or a screenshot; the router keeps its own state there. */
export function useLinkToken(): string | null {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return token.length < 16 ? null : token;
}
