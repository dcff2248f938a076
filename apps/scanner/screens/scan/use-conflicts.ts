/**
 * Double entries that the server has found: shown on the scanning screen, with sound and
 * vibration when they become known.
 */
import { useEffect, useRef } from 'react';
import { signal } from '#apps/scanner/device/signals.ts';
import { unseenConflicts } from '#apps/scanner/list/conflicts.ts';
import type { QueuedScan } from '#apps/scanner/kit/store.ts';
import { phone } from '#apps/scanner/scan/phone.ts';
import { useLive } from '#apps/scanner/screens/status.ts';

/** The double entries that no person has looked at. */
export function useConflicts(): QueuedScan[] {
  return useLive(() => unseenConflicts(phone.db)) ?? none;
}
const none: QueuedScan[] = [];

/** Signals each one that arrives while the screen is open; earlier ones are only shown. */
export function useConflictAlarm(): QueuedScan[] {
  const conflicts = useLive(() => unseenConflicts(phone.db));
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (conflicts === undefined) return;
    const before = known.current;
    const ids = conflicts.map(({ admission_id }) => admission_id);
    known.current = new Set([...(before ?? []), ...ids]);
    if (before !== null && ids.some((id) => !before.has(id))) signal('conflict');
  }, [conflicts]);
  return conflicts ?? none;
}
