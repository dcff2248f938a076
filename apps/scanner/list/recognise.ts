/** Finds the ticket for a text from the camera, only in the list on the phone. */
import type { Reading } from '#server/domain/door/admission.ts';
import { keptText } from '#server/domain/door/kept-text.ts';
import {
  hashBytes,
  hashInput,
  nameKeyInput,
  readTicketCode,
  sealing,
} from '#server/domain/door/ticket-code.ts';
import type { PlaceCode } from '#server/domain/door/moved-code.ts';
import { macBytes, macText, type CodeRead } from '#server/domain/door/scan-proof.ts';
import { base64urlOf, bytesOf } from '#apps/scanner/kit/base64url.ts';
import { codeIn, placeIn, presentOf } from './list.ts';
import { catchUp, type Phone } from './memory.ts';
import type { OtherEvent } from '#apps/scanner/kit/store.ts';

export interface Recognised {
  /** Where the code counts. */
  reading: Reading;
  /** The code that was read, which the ticket may have had before it moved; null: none was. */
  as_read: PlaceCode | null;
  /**
   * The text in a form that may be stored and sent, without any whole ticket code; null when it
   * is a ticket of this event.
   */
  read: string | null;
  other_event: OtherEvent | null;
  /**
   * The code of a place as it was read: it decrypts the holder's name and proves the scan, and is
   * stored nowhere.
   */
  code: string | null;
}

/** Never throws: a text that is not a ticket of this event is `unknown` or another event's. */
export async function recognise(phone: Phone, event_id: string, text: string): Promise<Recognised> {
  const code = readTicketCode(text);
  if (!phone.memory.lists.has(event_id)) await catchUp(phone, event_id);
  const event = phone.memory.events.get(event_id);
  if (!code || !event?.facts) return unknown(text);
  if (code.tag !== event.facts.tag) {
    const other = event.other_events.find(({ tag }) => tag === code.tag) ?? null;
    if (!other) return unknown(text);
    return { ...unknown(code.code), reading: { kind: 'other_event' }, other_event: other };
  }
  const hash = await hashCode(event.facts.salt, code.code);
  const list = phone.memory.lists.get(event_id);
  const as_read = list ? codeIn(list, hash) : null;
  if (!list || !as_read) return unknown(text);
  const reading = { kind: 'place', ...presentOf(list, as_read) } as const;
  return { reading, as_read, read: null, other_event: null, code: code.code };
}

/** For a place found by hand: its current ticket, or else the newest that was issued. */
export function recognisePlace({ memory }: Phone, event_id: string, text: string): Recognised {
  const list = memory.lists.get(event_id);
  const place = list ? placeIn(list, text) : null;
  if (!place) return unknown(text);
  const revision = place.ticket?.revision ?? Math.max(1, place.issued);
  return {
    reading: { kind: 'place', place: text, revision },
    as_read: null,
    read: null,
    other_event: null,
    code: null,
  };
}

/** The first bytes of SHA-256(salt | code), as the server sends them. */
async function hashCode(salt: string, code: string): Promise<Uint8Array> {
  return new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(hashInput(salt, code))),
  ).slice(0, hashBytes);
}

/**
 * The proof that the code was read for this very scan; null where none was read. A phone that has
 * only the list cannot make it (RULES A12).
 */
export async function proveRead(
  { code, as_read }: Recognised,
  scan: Parameters<typeof macText>[0],
): Promise<CodeRead | null> {
  if (code === null || as_read === null) return null;
  const text = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', text.encode(code), algorithm, false, ['sign']);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, text.encode(macText(scan))));
  return { ...as_read, mac: base64urlOf(mac.subarray(0, macBytes)) };
}

/**
 * The holder's name, which the server has encrypted for this code; null when it is for another
 * code, or unreadable. Never throws.
 */
export async function openName(salt: string, code: string, sealed: string): Promise<string | null> {
  try {
    const bytes = bytesOf(sealed);
    const hash = await crypto.subtle.digest(
      'SHA-256',
      new TextEncoder().encode(nameKeyInput(salt, code)),
    );
    const key = await crypto.subtle.importKey('raw', hash, 'AES-GCM', false, ['decrypt']);
    const name = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: bytes.subarray(0, sealing.nonceBytes) },
      key,
      bytes.subarray(sealing.nonceBytes),
    );
    return new TextDecoder().decode(name).replace(/\0+$/, '');
  } catch {
    return null;
  }
}

/** The contract accepts 200 whole characters without NUL; a code at the cut is masked whole. */
function unknown(text: string): Recognised {
  return {
    reading: { kind: 'unknown' },
    as_read: null,
    read: keptText(text.slice(0, 400))
      .replaceAll('\u0000', '')
      .slice(0, 200)
      .replace(/[\uD800-\uDBFF]$/, ''),
    other_event: null,
    code: null,
  };
}
