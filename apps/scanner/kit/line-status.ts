/** How the line to the server stands, for the screens: one small observable, no storage. */
import { observable } from './observable.ts';

/** The phone itself could not write or read: waiting for the signal would not help. */
export const diskTrouble = 'Memoria del telefono piena o guasta: libera spazio';

export interface LineStatus {
  /** The last contact went well and is not long ago. */
  online: boolean;
  syncing: boolean;
  /**
   * What the last failed contact said, or `diskTrouble`, fit to be shown; null after a good one.
   */
  trouble: string | null;
  /** News of other phones are pushed here. */
  live: boolean;
  /** The server no longer gives its list to an app this old; what was read still goes up. */
  update_required: boolean;
  /**
   * How much of a list has come, 0 to 1, in hundredths; null when none is on its way, or its size
   * is unknown.
   */
  download: { event_id: string; share: number } | null;
  /**
   * Events that the office has given to this phone and whose doors the server keeps closed: there
   * is no list to wait for.
   */
  closed_events: readonly string[];
  /** A person plays that there is no signal. */
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
