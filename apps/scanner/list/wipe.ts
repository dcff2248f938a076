/**
 * Forgetting: an event that is over or no longer this phone's, and everything at once when the
 * office says so; disk first, then memory.
 */
import { rememberScan, tellChange, type Phone } from './memory.ts';
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
  const { events, lists, own } = phone.memory;
  for (const kept of [events, lists, own]) kept.delete(event_id);
  // What stays on the disk stays a fact, should the event come back.
  for (const scan of await phone.db.queue.where('event_id').equals(event_id).sortBy('seq'))
    rememberScan(phone, scan);
  tellChange(phone);
}

/**
 * Lists of events that are not this phone's any more: also those that it was about to forget when
 * it died.
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

/** Revoked: no ticket stays, on the disk or in memory. */
export async function forgetAll(phone: Phone, pairing: Pairing): Promise<void> {
  if (!(await wipeTickets(phone.db, pairing, phone.ports.now()))) return;
  const { memory } = phone;
  for (const kept of [memory.events, memory.lists, memory.own]) kept.clear();
  memory.device = await readMeta(phone.db, 'device');
  memory.keyOpenUntil = null;
  tellChange(phone);
}
