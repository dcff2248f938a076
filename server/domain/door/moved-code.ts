/**
 * The codes that a ticket had before: since a move each still says where the guest belongs, and
 * those that are dead say whose scans are the guest's own (RULES M4, M5).
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

interface Codes {
  hops: readonly Hop[];
  ended: readonly PlaceCode[];
  present: PlaceCode;
}

/** Every code that the ticket has or had, each once. */
export function codesOf({ hops, ended, present }: Codes): PlaceCode[] {
  const all = [present, ...hops.flatMap(({ from, to }) => [from, to]), ...ended];
  const named = all.map(({ place, revision }) => ({ place, revision }));
  return named.filter((code, nth) => named.findIndex((one) => isSameCode(one, code)) === nth);
}

/** The codes that the ticket had and that no longer admit. */
export function deadCodesOf({ hops, ended, present }: Codes, alive: readonly PlaceCode[]) {
  return codesOf({ hops, ended, present })
    .slice(1)
    .filter((code) => !alive.some((one) => isSameCode(one, code)));
}

export function isSameCode(a: PlaceCode, b: PlaceCode): boolean {
  return a.place === b.place && a.revision === b.revision;
}

/** Whether the code that was read is one from which moves have led to `present`. */
export function leadsTo(hops: readonly Hop[], read: PlaceCode, present: PlaceCode): boolean {
  return codesBefore(hops, present).some(
    ({ place, revision }) => place === read.place && revision === read.revision,
  );
}
