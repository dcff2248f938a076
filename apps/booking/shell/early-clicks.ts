/**
 * The screen is painted before its script is there: the click that came too early is made again as
 * soon as the screen listens.
 */
import { useEffect } from 'react';

/** Heard by the script of server/http/first-script.ts. */
const listensEvent = 'botteghino:listens';

/**
 * Stands last among what it speaks for: its effect comes after theirs, however late their script
 * was.
 */
export function EarlyClicks() {
  useEffect(() => {
    dispatchEvent(new Event(listensEvent));
  }, []);
  return null;
}
