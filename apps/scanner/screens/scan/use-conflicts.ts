/**
 * Double entries and guests without a valid ticket that the server has found: shown on the
 * scanning screen, with sound and vibration when they become known.
 */
import { useEffect, useRef } from 'react';
import { signal } from '#apps/scanner/device/signals.ts';
import { unseenConflicts, type Unseen } from '#apps/scanner/list/conflicts.ts';
import { phone } from '#apps/scanner/scan/phone.ts';
import { useLive } from '#apps/scanner/screens/status.ts';

/** The conflicts and guests that no person has looked at. */
export function useConflicts(): Unseen {
  return useLive(() => unseenConflicts(phone.db)) ?? none;
}
const none: Unseen = { conflicts: [], guests: [] };

/** Signals each one that arrives while the screen is open; earlier ones are only shown. */
export function useConflictAlarm(): Unseen {
  const unseen = useLive(() => unseenConflicts(phone.db));
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (unseen === undefined) return;
    const before = known.current;
    const ids = [...unseen.conflicts, ...unseen.guests].map(({ admission_id }) => admission_id);
    known.current = new Set([...(before ?? []), ...ids]);
    if (before !== null && ids.some((id) => !before.has(id))) signal('conflict');
  }, [unseen]);
  return unseen ?? none;
}
