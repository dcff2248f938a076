/** Pairing: a one-time link from the office becomes this phone's token. */
import { CallError, networkError } from '#apps/shared/api.ts';
import { pairPhone } from '#server/contract/door/phones.ts';
import { base64urlOf } from '#apps/scanner/kit/base64url.ts';
import { noteClock, timeTrip } from '#apps/scanner/kit/clock.ts';
import { withReopening } from '#apps/scanner/kit/reopen.ts';
import { storeFault } from '#apps/scanner/kit/store-fault.ts';
import { takeHouse } from '#apps/scanner/device/house.ts';
import { refresh, type Phone } from '#apps/scanner/list/memory.ts';
import { readSealKey } from '#apps/scanner/list/seal-key.ts';
import { identityOf, readMeta, writeMeta, type Device } from '#apps/scanner/kit/store.ts';
import { forgetEvent } from '#apps/scanner/list/wipe.ts';

/**
 * The token in a pairing link, or typed alone; null when the text is something else (a ticket, an
 * address).
 */
export function pairingTokenOf(text: string): string | null {
  const trimmed = text.trim();
  const inLink = /#pair=([\w.~-]{16,100})(?:$|&)/.exec(trimmed)?.[1];
  return inLink ?? (/^[\w.~-]{16,100}$/.test(trimmed) ? trimmed : null);
}

/** Reads the fragment once and removes the token from the address and the history. */
export function takePairingToken(): string | null {
  const token = pairingTokenOf(location.hash);
  if (location.hash !== '')
    history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

async function hashLink(token: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return base64urlOf(new Uint8Array(hash));
}

/** Whether this phone was paired with this very link, which works only once. */
export async function isOwnLink({ link_hash }: Device, token: string): Promise<boolean> {
  return link_hash !== undefined && link_hash === (await hashLink(token));
}

/** Stores the new identity; unsent scans of an earlier pairing move to it with new numbers. */
export async function pairWith(phone: Phone, token: string): Promise<void> {
  const { db, ports, line } = phone;
  // Ends calls under the previous identity, because their answers no longer apply.
  line.cut();
  const trip = timeTrip(ports);
  const previous = await readMeta(db, 'device');
  const body = {
    token,
    app_version: ports.appVersion,
    ...(previous?.device_token ? { previous_token: previous.device_token } : {}),
  };
  const reply = await line.hold(20_000, (signal) => ports.call(pairPhone, { body }, { signal }));
  if (typeof reply?.device_token !== 'string' || !Array.isArray(reply.events))
    throw new CallError('unknown', 'unreadable', 'Unexpected answer');
  const { device_token, phone_id, role, events, next_seq } = reply;
  const device: Device = {
    device_token,
    phone_id,
    ...identityOf(reply),
    revoked_at: null,
    forgotten: false,
    link_hash: await hashLink(token),
  };
  const before = await readMeta(db, 'device');
  // The link is used up by now, so a lost database must not end the pairing.
  const write = async () => {
    if (before && before.phone_id !== phone_id) {
      const waiting = await db.queue.where('fate').equals('queued').sortBy('seq');
      await db.queue.bulkPut(
        waiting.map((scan, at) => ({ ...scan, phone_id, seq: next_seq + at })),
      );
      await writeMeta(db, 'seq', next_seq + waiting.length);
      await db.heads.where('fate').equals('queued').modify({ phone_id });
    } else if (!before) {
      await writeMeta(db, 'seq', next_seq);
    }
    await writeMeta(db, 'device', device);
    await writeMeta(db, 'wiped', []);
    await db.meta.bulkDelete(['pin_wrong', 'signing_key']);
    await writeMeta(db, 'persisted', false);
  };
  await withReopening(phone, () => db.transaction('rw', [db.meta, db.queue, db.heads], write));
  // Another role may see less, so its lists are fetched anew.
  const wasOther = before?.role !== role;
  for (const { id } of before?.events ?? []) {
    if (!events.some((event) => event.id === id)) await forgetEvent(phone, id, 'not_ours');
    else if (wasOther) await forgetEvent(phone, id, 'narrowed');
  }
  await readSealKey(db);
  await noteClock(db, reply.server_time, trip());
  await takeHouse(phone, reply.house);
  phone.status.change({ online: true, trouble: null });
  await refresh(phone);
}

/**
 * Some browsers never grant persistent storage without installation; the screen of checks shows
 * the answer.
 */
export async function askToPersist(): Promise<boolean> {
  return (await navigator.storage?.persist?.().catch(() => false)) ?? false;
}

const noLine = 'Non c’è rete: per abbinare il telefono serve la connessione. Riprova quando torna.';

/** The sentence for the person who is pairing. */
export function pairingTrouble(error: unknown): string {
  if (error instanceof CallError) {
    if (error.code === networkError) return noLine;
    if (typeof error.status === 'number') return error.message;
    return 'La rete risponde, ma non è il nostro sito: forse il Wi-Fi chiede di accedere. Apri una pagina qualsiasi, accedi e riprova.';
  }
  if (error instanceof DOMException && error.name === 'AbortError') return noLine;
  if (storeFault(error) === 'full')
    return 'La memoria di questo telefono è piena: libera spazio, poi chiedi un codice nuovo in ufficio.';
  return 'Questo telefono non riesce a salvare i dati: chiudi e riapri l’app, e controlla che non sia attiva la navigazione privata.';
}
