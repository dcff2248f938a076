/**
 * Pages of the door's list as the server writes them, for any number of places, with the codes
 * that match.
 */
import { createHash } from 'node:crypto';
import type { DoorChanges } from '#server/contract/door/door-list.ts';
import { startAnswer } from '#server/domain/door/door-block.ts';
import type { ListedAdmission, ListedPlace, ListedTicket } from '#server/domain/door/door-list.ts';
import { hashBytes, hashInput, writeTicketCode } from '#server/domain/door/ticket-code.ts';
import { blockWriter } from '#server/services/door/block-writer.ts';
import { placeOnWire } from '#server/services/door/list.ts';

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
    entrance: null,
    issued,
    hashes: Array.from({ length: issued + 2 }, (_, i) => hashOfRow(n, i + 1)),
    lost: [],
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
            reentry: null,
            note: null,
            moved_from: [],
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

interface PageAsk {
  from?: string;
  cursor?: string;
  places?: ListedPlace[];
  admissions?: ListedAdmission[];
  event?: Partial<DoorChanges['event']>;
  names?: boolean;
}

/** The changes since `from`, or the whole list for `blockAnswerOf`. */
export function doorPageOf({
  from = '',
  cursor = 'epoch.1',
  places = [],
  admissions = [],
  event = {},
  names = true,
}: PageAsk): DoorChanges {
  const iso = (ms: number) => new Date(ms).toISOString();
  const known = names ? {} : { name: null, order_number: null };
  return {
    from,
    cursor,
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
      moved_policy: 'admit',
      reentry: true,
      rehearsal: false,
      ...event,
    },
    places: places.map(({ ticket, ...place }) =>
      placeOnWire({ ...place, ticket: ticket && { ...ticket, ...known } }),
    ),
    admissions: admissions.map((scan) => ({ ...scan, at: iso(scan.at) })),
    heads: [],
  };
}

/** A whole list as the server answers it. */
export function blockAnswerOf({ places, admissions, cursor, event, other_events }: DoorChanges) {
  const some = (has: (ticket: ListedTicket) => boolean) =>
    places.some(({ ticket }) => ticket !== null && has(ticket));
  const writer = blockWriter({
    named: some(({ name }) => name !== null),
    buyers: some(({ buyer }) => buyer !== undefined),
  });
  writer.addPlaces(
    places.map(({ ended, ...place }) => ({
      ...place,
      ...(ended && { ended: ended.map((code) => ({ ...code, at: Date.parse(code.at) })) }),
    })),
  );
  writer.addScans(admissions.map((scan) => ({ ...scan, at: Date.parse(scan.at) })));
  const block = writer.finish();
  const head = Buffer.from(JSON.stringify({ cursor, event, other_events }));
  return new Uint8Array(Buffer.concat([startAnswer(block), block, head])).buffer;
}
