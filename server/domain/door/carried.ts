/**
 * The label of the two scans of a guest who was inside when the ticket got another code
 * (RULES M5).
 */
export const carriedWords = ['Cambio posto', 'Biglietto emesso di nuovo'] as const;
export type CarriedWords = (typeof carriedWords)[number];
export const [movedWords, reissuedWords] = carriedWords;

/** Whether the house wrote this scan for a guest who was inside. */
export function isCarried({ phone_id, note }: { phone_id: string | null; note: string | null }) {
  return phone_id === null && carriedWords.some((words) => words === note);
}

/** A counted scan as it is followed. `ticket` is the same for all codes of one guest. */
interface FollowedScan {
  id: string;
  ticket: string;
  direction: 'in' | 'out';
  corrected_at: number;
  carried: boolean;
  /** Of a carried scan: only if a person took exactly this one back. */
  annulled_by: string | null;
}

/**
 * What takes back the house's scans of guests who were not inside after all, as a phone tells later
 * (RULES M5): by id of the scan, the id of the exit or of the taking back that says so. A person
 * who takes back the house's entry takes back the entry that it carried over.
 */
export function followGuests(scans: readonly FollowedScan[]): Map<string, string> {
  const taken = new Map<string, string>();
  const ordered = scans.toSorted(
    (a, b) => a.corrected_at - b.corrected_at || (a.id < b.id ? -1 : 1),
  );
  const byTicket = new Map<string, FollowedScan[]>();
  for (const scan of ordered) {
    const own = byTicket.get(scan.ticket);
    if (own) own.push(scan);
    else byTicket.set(scan.ticket, [scan]);
  }
  for (const own of byTicket.values()) {
    takeEntriesBack(own, taken);
    followGuest(own, taken);
  }
  return taken;
}

function takeEntriesBack(own: readonly FollowedScan[], taken: Map<string, string>): void {
  let entry: string | null = null;
  let isLeft = false;
  for (const { id, direction, carried, annulled_by } of own) {
    if (carried && direction === 'out') isLeft = annulled_by === null;
    else if (carried && annulled_by !== null && isLeft && entry !== null)
      taken.set(entry, annulled_by);
    else if (!carried && annulled_by === null) entry = direction === 'in' ? (entry ?? id) : null;
  }
}

function followGuest(own: readonly FollowedScan[], taken: Map<string, string>): void {
  let inside = false;
  let gone: string | null = null;
  for (const { id, direction, carried, annulled_by } of own) {
    const by = taken.get(id) ?? annulled_by;
    if (carried) {
      if (!inside && gone !== null) taken.set(id, gone);
    } else if (by !== null) gone ??= by;
    else [inside, gone] = direction === 'in' ? [true, null] : [false, id];
  }
}
