/**
 * Repeats a click that came before the page's script: the page is painted first and listens
 * later.
 */
import { useEffect } from 'react';

/** The name of the event for which the script of server/http/first-script.ts listens. */
const listensEvent = 'botteghino:listens';

/** Render it last, because its effect must run after those of the other parts. */
export function EarlyClicks() {
  useEffect(() => {
    dispatchEvent(new Event(listensEvent));
  }, []);
  return null;
}
