/** Pages of the door's list as the server would write them, for as many places as a test wants, with the codes that open them. */
import { createHash } from 'node:crypto';
import type { DoorPage } from '#server/contract/door-list.ts';
import { startAnswer } from '#server/domain/door-block.ts';
import { finish, writeBlock } from '#server/domain/door-block-write.ts';
import {
  packAdmissions,
  packPlaces,
  type ListedAdmission,
  type ListedPlace,
  type ListedTicket,
} from '#server/domain/door-list.ts';
import { hashBytes, hashInput, writeTicketCode } from '#server/domain/ticket-code.ts';

export const pageTag = 'AAAA';
const salt = 'salt';
export const pageTime = Date.parse('2026-11-22T20:00:00Z');

export function codeOfRow(row: number, revision = 1): string {
  return writeTicketCode(
    pageTag,
    createHash('sha256').update(`${row}|${revision}`).digest().subarray(0, 16),
  );
}

function hashOfRow(row: number, revision: number): string {
  return createHash('sha256')
    .update(hashInput(salt, codeOfRow(row, revision)))
    .digest()
    .subarray(0, hashBytes)
    .toString('base64url');
}

/** 26 rows of seats, four seats an order, two sectors. */
export function listedPlace(
  n: number,
  { issued = 1, ticket = {} }: { issued?: number; ticket?: Partial<ListedTicket> | null } = {},
): ListedPlace {
  const row = String.fromCharCode(65 + (n % 26));
  const section = n % 2 === 0 ? 'Platea' : 'Galleria';
  const seat = Math.floor(n / 26) + 1;
  return {
    place: `${section}-${row}-${seat}`,
    seat: `${section}, fila ${row}, posto ${seat}`,
    section,
    category: section,
    issued,
    hashes: Array.from({ length: issued + 2 }, (_, i) => hashOfRow(n, i + 1)),
    ticket:
      ticket === null
        ? null
        : {
            revision: issued,
            state: 'valid',
            type_label: 'Intero',
            order_group: `ordine${Math.floor(n / 4)}`,
            initials: 'N. D.',
            sealed_name: null,
            gates: [],
            name: `Nicolò D’Amico ${n}`,
            order_number: `A7K2-${1_000 + n}`,
            ...ticket,
          },
  };
}

export function listedScan(n: number, changes: Partial<ListedAdmission> = {}): ListedAdmission {
  return {
    admission_id: `scan-of-another-${String(n).padStart(6, '0')}`,
    place: listedPlace(n).place,
    revision: 1,
    direction: 'in',
    at: pageTime - 600_000 + n,
    gate: 'Varco B',
    phone_id: 'p2',
    by: 'Sara',
    conflict_with: null,
    undone: false,
    ...changes,
  };
}

export interface PageAsk {
  from?: string | null;
  cursor?: string;
  more?: boolean;
  places?: ListedPlace[];
  admissions?: ListedAdmission[];
  of?: number;
  event?: Partial<DoorPage['event']>;
  names?: boolean;
}

export function doorPageOf({
  from = null,
  cursor = 'epoch.1',
  more = false,
  places = [],
  admissions = [],
  of = places.length,
  event = {},
  names = true,
}: PageAsk): DoorPage {
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    wire: 2,
    kind: from === null ? 'snapshot' : 'delta',
    from,
    cursor,
    more,
    server_time: iso(pageTime),
    other_events: [
      { tag: 'BBBB', title: 'Concerto di Natale', starts_at: iso(pageTime + 86_400_000) },
    ],
    event: {
      id: 'serata',
      title: 'Serata',
      starts_at: iso(pageTime),
      admits_from: null,
      admits_until: null,
      wipe_at: iso(pageTime + 48 * 3_600_000),
      cancelled: false,
      tag: pageTag,
      salt,
      verify_policy: 'ask',
      reentry: true,
      rehearsal: false,
      places: of,
      ...event,
    },
    places: packPlaces(places, { names, sealed: false }),
    admissions: packAdmissions(admissions),
  };
}

/** The same page as the server answers it with `form=block`. */
export function blockAnswerOf({ places, admissions, ...head }: DoorPage): ArrayBuffer {
  const block = finish(writeBlock(places, admissions));
  return new Uint8Array(
    Buffer.concat([startAnswer(block), block, Buffer.from(JSON.stringify(head))]),
  ).buffer;
}
