/** Pairing: a one-time link from the office becomes this phone's token. */
import { call, CallError, networkError } from '#apps/shared/api.ts';
import { pairPhone } from '#server/contract/phones.ts';
import { noteClock } from './clock.ts';
import { withLine } from './line.ts';
import { db, readMeta, wipeEvent, writeMeta } from './store.ts';
import { appVersion, syncNow } from './sync.ts';

/** The token in a pairing link, or typed alone; null when the text is something else (a ticket, an address). */
export function pairingTokenOf(text: string): string | null {
  const trimmed = text.trim();
  const inLink = /#pair=([\w.~-]{16,100})(?:$|&)/.exec(trimmed)?.[1];
  return inLink ?? (/^[\w.~-]{16,100}$/.test(trimmed) ? trimmed : null);
}

/** Reads the fragment once and clears it: a token must not stay in the address bar or the history. */
export function takePairingToken(): string | null {
  const token = pairingTokenOf(location.hash);
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

/** Keeps the new identity; scans of an earlier pairing that nobody has received yet move over to it, with numbers of its sequence. */
export async function pair(token: string): Promise<void> {
  const began = Date.now();
  const reply = await withLine(20_000, (signal) => call(pairPhone, { body: { token, app_version: appVersion } }, { signal }));
  if (typeof reply?.device_token !== 'string' || !Array.isArray(reply.events)) throw new CallError('unknown', 'unreadable', 'Unexpected answer');
  const { device_token, phone_id, name, gate, events } = reply;
  const before = await readMeta('device');
  await db.transaction('rw', [db.meta, db.queue], async () => {
    if (before && before.phone_id !== phone_id) {
      const waiting = await db.queue.where('fate').equals('queued').sortBy('seq');
      await db.queue.bulkPut(waiting.map((scan, seq) => ({ ...scan, phone_id, seq })));
      await writeMeta('seq', waiting.length);
    }
    await writeMeta('device', { device_token, phone_id, name, gate, events, revoked_at: null, forgotten: false });
    await writeMeta('wiped', []);
    await writeMeta('persisted', false);
  });
  for (const { id } of before?.events ?? []) if (!events.some((event) => event.id === id)) await wipeEvent(id, false);
  await noteClock(reply.server_time, { began, ended: Date.now() });
  await writeMeta('persisted', await askToPersist());
  syncNow();
}

/** Some browsers never grant it without installation; the check screen shows the answer. */
export async function askToPersist(): Promise<boolean> {
  return await navigator.storage?.persist?.().catch(() => false) ?? false;
}

const noLine = 'Non c’è rete: per abbinare il telefono serve la connessione. Riprova quando torna.';

/** What to tell the person who is pairing. */
export function pairingTrouble(error: unknown): string {
  if (error instanceof CallError) {
    if (error.code === networkError) return noLine;
    if (typeof error.status === 'number') return error.message;
    return 'La rete risponde, ma non è il nostro sito: forse il Wi-Fi chiede di accedere. Apri una pagina qualsiasi, accedi e riprova.';
  }
  if (error instanceof DOMException && error.name === 'AbortError') return noLine;
  return 'Questo telefono non riesce a salvare i dati. Controlla lo spazio libero e che non sia attiva la navigazione privata.';
}
