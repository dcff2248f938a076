/**
 * Deletes an event that is over or no longer this phone's, or everything when the office revokes
 * the phone; first on the disk, then in memory.
 */
import { rememberHeads, rememberScan, tellChange, type Phone } from './memory.ts';
import {
  readMeta,
  wipeEvent,
  wipeTickets,
  type Device,
  type Pairing,
  type WhyForgotten,
} from '#apps/scanner/kit/store.ts';

export async function forgetEvent(
  phone: Phone,
  event_id: string,
  why: WhyForgotten,
): Promise<void> {
  await wipeEvent(phone.db, event_id, why);
  const { events, lists, own, heads } = phone.memory;
  for (const kept of [events, lists, own, heads]) kept.delete(event_id);
  // Scans that stay on the disk must count again if the event comes back.
  for (const scan of await phone.db.queue.where('event_id').equals(event_id).sortBy('seq'))
    rememberScan(phone, scan);
  rememberHeads(phone, await phone.db.heads.where('event_id').equals(event_id).toArray());
  tellChange(phone);
}

/**
 * Deletes the lists of events that are no longer this phone's, including those whose deletion a
 * crash interrupted.
 */
export async function forgetOthers(
  phone: Phone,
  { events }: Pick<Device, 'events'>,
): Promise<void> {
  const others = await phone.db.events
    .filter(({ event_id }) => !events.some(({ id }) => id === event_id))
    .primaryKeys();
  for (const event_id of others) await forgetEvent(phone, event_id, 'not_ours');
}

/** Deletes all tickets of a revoked phone, on the disk and in memory. */
export async function forgetAll(phone: Phone, pairing: Pairing): Promise<void> {
  if (!(await wipeTickets(phone.db, pairing, phone.ports.now()))) return;
  const { memory } = phone;
  for (const kept of [memory.events, memory.lists, memory.own, memory.heads]) kept.clear();
  memory.device = await readMeta(phone.db, 'device');
  memory.keyOpenUntil = null;
  memory.openKey = null;
  tellChange(phone);
}
