/**
 * The screen is painted before its script is there: a click that came too early is repeated as
 * soon as the screen listens.
 */
import { useEffect } from 'react';

/** Heard by the script of server/http/first-script.ts. */
const listensEvent = 'botteghino:listens';

/** Stands last among the parts it speaks for, because its effect must come after theirs. */
export function EarlyClicks() {
  useEffect(() => {
    dispatchEvent(new Event(listensEvent));
  }, []);
  return null;
}
