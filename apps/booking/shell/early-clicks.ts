/**
 * Repeats a click that came before the page's script: the page is painted first and listens
 * later.
 */
import { useEffect } from 'react';

/** The script of server/http/first-script.ts listens to it. */
const listensEvent = 'botteghino:listens';

/** Render it last, because its effect must run after those of the other parts. */
export function EarlyClicks() {
  useEffect(() => {
    dispatchEvent(new Event(listensEvent));
  }, []);
  return null;
}
