/**
 * Who decides on this phone, as React state: its steward alone, or a supervisor who must be
 * asked; and how long its own key stays unlocked.
 */
import { phone } from '#apps/scanner/scan/phone.ts';
import { useMemory } from '#apps/scanner/screens/status.ts';
import type { Device } from '#apps/scanner/kit/store.ts';
import { useNow } from '#apps/scanner/screens/use-now.ts';

export interface Supervisor {
  isSupervisor: boolean;
  /** Acts that are reserved to supervisors need a consent first. */
  asks: boolean;
  /** Until when this supervisor's phone consents without its PIN; null when it needs the PIN. */
  keyOpenUntil: number | null;
}

export function useSupervisor({ role, asks_supervisor }: Device): Supervisor {
  const now = useNow();
  const end = useMemory(phone.keyOpenUntil);
  return {
    isSupervisor: role === 'supervisor',
    asks: asks_supervisor,
    keyOpenUntil: end !== null && end > now ? end : null,
  };
}
