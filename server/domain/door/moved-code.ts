/**
 * The codes that a moved ticket had on other places: on its present place each still says where
 * the guest belongs (RULES M4).
 */

/** One code of an event, named without the code itself. */
export interface PlaceCode {
  place: string;
  revision: number;
}

/** One move of a ticket. */
export interface Hop {
  from: PlaceCode;
  to: PlaceCode;
}

/**
 * The codes from which moves have led to `present`, the newest first. A revision that no move has
 * made has none: after a reissue, a new holder or a new secret the earlier papers are dead.
 */
export function codesBefore(hops: readonly Hop[], present: PlaceCode): PlaceCode[] {
  const before: PlaceCode[] = [];
  for (let at: PlaceCode | undefined = present; at !== undefined;) {
    const { place, revision }: PlaceCode = at;
    at = hops.find(({ to }) => to.place === place && to.revision === revision)?.from;
    if (at !== undefined) before.push(at);
  }
  return before;
}

/** Whether the code that was read is one from which moves have led to `present`. */
export function leadsTo(hops: readonly Hop[], read: PlaceCode, present: PlaceCode): boolean {
  return codesBefore(hops, present).some(
    ({ place, revision }) => place === read.place && revision === read.revision,
  );
}
