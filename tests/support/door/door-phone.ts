/** A phone as the server sees it: its calls, without the app. */
import { randomBytes } from 'node:crypto';
import { base64urlOf } from '#apps/scanner/kit/base64url.ts';
import { placeOf, scansOfRow } from '#apps/scanner/list/image.ts';
import {
  pullChanges,
  pullList,
  sendAdmissions,
  type ScanSent,
} from '#server/contract/door/admissions.ts';
import type { DoorChanges, DoorHead } from '#server/contract/door/door-list.ts';
import { addressOf, type ReplyOf } from '#server/contract/endpoint.ts';
import { makePhone, pairAgain, pairPhone } from '#server/contract/door/phones.ts';
import { wireVersion } from '#server/domain/door/wire.ts';
import { openBlock, splitAnswer, type Block } from '#server/domain/door/door-block.ts';
import { hashBytes } from '#server/domain/door/ticket-code.ts';
import { placeOnWire } from '#server/services/door/list.ts';
import { ask, callOk, demoEvent } from '#tests/support/make.ts';
import type { DoorHall } from './door-hall.ts';
import { proved } from './proof.ts';

type Headers = Record<string, string>;
const wire = String(wireVersion);

/** The whole list, as the bytes of an answer. */
export async function fetchList(
  server: { url: string },
  event_id: string,
  headers: Headers,
): Promise<Response> {
  return fetch(server.url + addressOf(pullList, { eventId: event_id }, { wire }), { headers });
}

/** The rows of a whole list, in the form of changes. */
export function listIn(bytes: ArrayBuffer): DoorChanges {
  const { block: part, rest } = splitAnswer(bytes);
  const block = openBlock(part);
  const rows = Array.from({ length: block.count }, (_, row) => row);
  return {
    ...(JSON.parse(rest) as DoorHead),
    from: '',
    server_time: '',
    places: rows.map((row) =>
      placeOnWire({ ...placeOf(block, row), hashes: hashesOfRow(block, row) }),
    ),
    admissions: rows
      .flatMap((row) => scansOfRow(block, row))
      .map((scan) => ({ ...scan, at: new Date(scan.at).toISOString() })),
  };
}

/** The hashes of a place in base64url, unchanged. */
export function hashesOfRow(block: Block, row: number): string[] {
  const texts: string[] = [];
  for (let code = block.code_from[row]!; code < block.code_from[row + 1]!; code += 1) {
    texts.push(base64urlOf(block.codes.subarray(code * hashBytes, (code + 1) * hashBytes)));
  }
  return texts;
}

/** The whole list, or the changes since a cursor. */
export async function pullDoor(
  server: { url: string },
  event_id: string,
  headers: Headers,
  since?: string,
): Promise<DoorChanges> {
  if (since !== undefined)
    return callOk(
      server,
      pullChanges,
      { params: { eventId: event_id }, query: { wire, since } },
      headers,
    );
  const response = await fetchList(server, event_id, headers);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return listIn(await response.arrayBuffer());
}

export function resultsOf(results: readonly { result: string }[]): string[] {
  return results.map(({ result }) => result);
}

/** The status of any answer. */
export async function statusOf(
  server: { url: string },
  [method, path]: readonly [method: string, path: string],
  headers: Headers = {},
  body?: unknown,
): Promise<number> {
  return (await ask(server, method, path, { headers, body })).status;
}

/** Pairs a phone with a new code of the office; null: it is a new phone. */
export async function pairAnew(
  server: { url: string },
  admin: Headers,
  phoneId: string | null,
  {
    previous_token,
    ...made
  }: { previous_token?: string; name?: string; event_ids?: string[] } = {},
): Promise<ReplyOf<typeof pairPhone>> {
  const body = { name: 'Nuovo', gate: null, event_ids: [demoEvent], ...made };
  const { pairing_url } =
    phoneId === null
      ? await callOk(server, makePhone, { body }, admin)
      : await callOk(server, pairAgain, { params: { phoneId } }, admin);
  const token = new URL(pairing_url).hash.split('=')[1]!;
  return callOk(server, pairPhone, { body: { token, ...(previous_token && { previous_token }) } });
}

export type DoorPhone = ReturnType<typeof phoneOf>;

/**
 * The n-th phone of a hall; with another `token` once it is paired anew. Its scans are numbered
 * from 0.
 */
export function phoneOf(
  server: { url: string },
  { event_id, tokens, codes }: Pick<DoorHall, 'event_id' | 'tokens'> & Partial<DoorHall>,
  nth = 0,
  token = tokens[nth]!,
) {
  const headers = { authorization: `Bearer ${token}` };
  let seq = -1;
  return {
    headers,
    scan(place: string | null, changes: Partial<ScanSent> = {}): ScanSent {
      const at = changes.corrected_at ?? new Date().toISOString();
      seq += 1;
      const scan: ScanSent = {
        admission_id: randomBytes(16).toString('base64url'),
        seq,
        event_id,
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
      return codes ? proved(codes, scan) : scan;
    },
    send: async (...items: unknown[]) =>
      (await callOk(server, sendAdmissions, { body: { items } }, headers)).results,
    /** Sends scans with the time of the phone's own clock. */
    sendAt: async (sent_at: unknown, ...items: unknown[]) =>
      (await callOk(server, sendAdmissions, { body: { items, sent_at } }, headers)).results,
    pull: (since?: string) => pullDoor(server, event_id, headers, since),
  };
}

/** A scan that undoes another one. */
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
    corrected_at: scan.corrected_at,
    ...changes,
  });
}

type Place = DoorChanges['places'][number];
type Admission = DoorChanges['admissions'][number];

export function placesIn({ places }: DoorChanges): Map<string, Place> {
  return new Map(places.map((place) => [place.place, place]));
}

export function admissionsIn({ admissions }: DoorChanges): Map<string, Admission> {
  return new Map(admissions.map((scan) => [scan.admission_id, scan]));
}
