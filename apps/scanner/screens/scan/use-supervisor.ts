/** Supervisor rights as React state: whether this phone has them now, and until when. */
import { phone } from '#apps/scanner/scan/phone.ts';
import { useMemory } from '#apps/scanner/screens/status.ts';
import type { Device } from '#apps/scanner/list/store.ts';
import { useNow } from '#apps/scanner/screens/use-now.ts';

export interface Supervisor {
  /** By role, or after the PIN. */
  isRaised: boolean;
  /** Set while the PIN holds. */
  until: number | null;
  /** What only a supervisor may do asks for the PIN first. */
  needsPin: boolean;
}

export function useSupervisor(device: Device): Supervisor {
  const now = useNow();
  const end = useMemory(phone.supervisorUntil);
  const until = device.role === 'steward' && end !== null && end > now ? end : null;
  const isRaised = phone.isSupervisor(device);
  return { isRaised, until, needsPin: !isRaised && device.supervisor_pin !== null };
}
