/** The codes that a visitor has before typing any: from the theatre's link, or this tab's. */
import { keptText, parseKept } from '#apps/booking/shell/kept-text.ts';

/** Use a new number if the shape changes. */
const kept = keptText('sessionStorage', 'botteghino.codes.1');

export interface KeptCodes {
  codes: string[];
  /** The id of the chosen convention. */
  convention: string | null;
}

export const mostCodes = 3;

/** The link's code comes first, so that the limit on codes never drops it. */
export function codesAtHand(eventId: string): KeptCodes {
  const linked = new URLSearchParams(location.search).get('code')?.trim().slice(0, 60);
  const known = parseKept(kept.read()) as (Partial<KeptCodes> & { event_id?: unknown }) | null;
  const own = known?.event_id === eventId && Array.isArray(known.codes) ? known.codes : [];
  return {
    codes: [...new Set([...(linked ? [linked] : []), ...own])].slice(0, mostCodes),
    convention: own === known?.codes ? (known.convention ?? null) : null,
  };
}

export function keepCodes(event_id: string, codes: KeptCodes): void {
  const isEmpty = codes.codes.length === 0 && codes.convention === null;
  kept.write(isEmpty ? null : JSON.stringify({ event_id, ...codes }));
}
