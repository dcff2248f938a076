/**
 * The state of the connection to the server: one small observable for the screens, not stored.
 */
import { observable } from './observable.ts';
import { storeFault, type StoreFault } from './store-fault.ts';

/** The phone itself could not write or read, so waiting for the signal would not help. */
const ownTroubles: Record<StoreFault | 'other', string> = {
  full: 'Memoria del telefono piena: libera spazio',
  lost: 'Il telefono non apre i suoi dati: chiudi e riapri l’app',
  other: 'L’app non riesce ad aggiornarsi: chiudila e riaprila',
};

/** The sentence for an error that neither the line nor the server has caused. */
export function ownTrouble(error: unknown): string {
  return ownTroubles[storeFault(error) ?? 'other'];
}

export function isOwnTrouble(trouble: string | null): boolean {
  return Object.values<string | null>(ownTroubles).includes(trouble);
}

export interface LineStatus {
  /** Whether the last contact was recent and went well. */
  online: boolean;
  syncing: boolean;
  /**
   * A sentence about the last failed contact, or the one from `ownTrouble`; null after a good one.
   */
  trouble: string | null;
  /** Whether the push stream is open. */
  live: boolean;
  /** The server no longer gives its list to an app this old; scans are still sent. */
  update_required: boolean;
  /**
   * The downloaded share of a list, 0 to 1, in hundredths; null when no download runs or its size
   * is unknown.
   */
  download: { event_id: string; share: number } | null;
  /**
   * Events that the office has assigned to this phone but whose doors are closed on the server:
   * no list will come.
   */
  closed_events: readonly string[];
  /** A person simulates a lost signal. */
  no_network: boolean;
}

export type StatusKeeper = ReturnType<typeof keepStatus>;

export function keepStatus(online: boolean) {
  const { read, write, subscribe } = observable<LineStatus>({
    online,
    syncing: false,
    trouble: null,
    live: false,
    update_required: false,
    download: null,
    closed_events: [],
    no_network: false,
  });
  return {
    read,
    subscribe,
    change(change: Partial<LineStatus>): void {
      const before = read();
      const keys = Object.keys(change) as (keyof LineStatus)[];
      if (keys.some((key) => change[key] !== before[key])) write({ ...before, ...change });
    },
  };
}
