/** A phone as the server sees it: its calls, without the app. */
import { randomBytes } from 'node:crypto';
import { pullDoorPage, sendAdmissions, type ScanSent } from '#server/contract/admissions.ts';
import type { DoorPage } from '#server/contract/door-list.ts';
import {
  placeAt,
  readAdmissions,
  ticketPositions,
  type ListedAdmission,
  type ListedPlace,
} from '#server/domain/door-list.ts';
import { callOk } from '#tests/support/make.ts';
import type { DoorHall } from './door-hall.ts';

export interface DoorPhone {
  headers: { authorization: string };
  scan: (place: string | null, changes?: Partial<ScanSent>) => ScanSent;
  send: (...items: unknown[]) => Promise<{ result: string; conflict_with: string | null }[]>;
  pull: (since?: string, limit?: number) => Promise<DoorPage>;
}

/** The n-th phone of a hall; its numbers count from 0. */
export function phoneOf(server: { url: string }, hall: DoorHall, nth = 0): DoorPhone {
  const headers = { authorization: `Bearer ${hall.tokens[nth]!}` };
  let seq = -1;
  return {
    headers,
    scan(place, changes = {}) {
      const at = new Date().toISOString();
      seq += 1;
      return {
        admission_id: randomBytes(16).toString('base64url'),
        seq,
        event_id: hall.event_id,
        place,
        revision: place === null ? null : 1,
        read: null,
        direction: 'in',
        gate: `Varco ${nth + 1}`,
        verdict: place === null ? 'invalid' : 'admit',
        counts: place !== null,
        override: null,
        scanned_at: at,
        corrected_at: at,
        offline: false,
        ...changes,
      };
    },
    send: async (...items) =>
      (await callOk(server, sendAdmissions, { body: { items } }, headers)).results,
    pull: (since, limit) =>
      callOk(
        server,
        pullDoorPage,
        {
          params: { eventId: hall.event_id },
          query: { wire: '2', since, limit: limit === undefined ? undefined : String(limit) },
        } as never,
        headers,
      ) as Promise<DoorPage>,
  };
}

/** A scan that takes another back. */
export function undoOf(
  phone: DoorPhone,
  scan: ScanSent,
  changes: Partial<ScanSent> = {},
): ScanSent {
  return phone.scan(scan.place, {
    verdict: 'undone',
    counts: false,
    annuls: scan.admission_id,
    note: 'Letto per sbaglio',
    direction: scan.direction,
    ...changes,
  });
}

/** A page's places as objects, by name. */
export function placesIn(page: DoorPage): Map<string, Omit<ListedPlace, 'hashes'>> {
  const tickets = ticketPositions(page.places);
  return new Map(
    page.places.issued
      .map((_, at) => placeAt(page.places, at, tickets[at]!))
      .map((place) => [place.place, place]),
  );
}

export function admissionsIn(page: DoorPage): Map<string, ListedAdmission> {
  return new Map(readAdmissions(page.admissions).map((scan) => [scan.admission_id, scan]));
}
