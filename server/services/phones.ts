/** Phones of the door: made and revoked in the office, paired once, heard of at each contact. */
import { findEvent } from '#db/events.ts';
import { eventsOfPhones, findPhone, findPhoneByToken, insertPhone, listPhones, missingScans, takePairing, updatePhone } from '#db/phones.ts';
import type { PhoneRow } from '#db/rows.ts';
import { transact } from '#db/transact.ts';
import { handInMs, pairingMs, phoneStateOf } from '#server/domain/phone.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { note } from './audit.ts';
import type { Actor, Ctx } from './context.ts';
import { hashToken, newToken } from './secrets.ts';

async function inWords(ctx: Ctx, phones: readonly PhoneRow[]) {
  const events = Map.groupBy(await eventsOfPhones(ctx.db, phones.map((phone) => phone.id)), (event) => event.phone_id);
  const missing = await missingScans(ctx.db);
  return phones.map((phone) => ({ ...phone, state: phoneStateOf(phone), events: events.get(phone.id) ?? [], missing_scans: missing.get(phone.id) ?? 0 }));
}

export async function phonesForOffice(ctx: Ctx) {
  return { items: await inWords(ctx, await listPhones(ctx.db)) };
}

async function phoneOf(ctx: Ctx, id: string): Promise<PhoneRow> {
  const phone = await findPhone(ctx.db, id);
  if (!phone) throw new Refusal('phone_not_found');
  return phone;
}

/** The link is shown once; the fragment never reaches a server log. */
async function pairingOf(ctx: Ctx, id: string, token: string) {
  const [phone] = await inWords(ctx, [await phoneOf(ctx, id)]);
  return { phone: phone!, pairing_url: `${ctx.publicUrl}/scanner/#pair=${token}`, expires_at: ctx.now() + pairingMs };
}

export async function makePhone(ctx: Ctx, ask: { name: string; gate: string | null; event_ids: readonly string[]; actor: Actor }) {
  for (const event_id of ask.event_ids) if (!(await findEvent(ctx.db, event_id))) throw new Refusal('event_not_found', { event_id });
  const token = newToken();
  const phone: PhoneRow = {
    id: ctx.newId(), name: ask.name, gate: ask.gate || null, pairing_hash: hashToken(token), pairing_expires_at: ctx.now() + pairingMs, token_hash: null,
    created_at: ctx.now(), paired_at: null, last_seen_at: null, revoked_at: null, told_revoked_at: null, queue_length: null, clock_offset_ms: null, battery: null, app_version: null,
  };
  await transact(ctx.db, async (trx) => {
    await insertPhone(trx, phone, [...new Set(ask.event_ids)]);
    await note(ctx, trx, { actor: ask.actor, action: 'phone_made', subject: phone.id, detail: { name: phone.name } });
  });
  return pairingOf(ctx, phone.id, token);
}

/** The older link and the older device token are worthless from here on. */
export async function pairAgain(ctx: Ctx, id: string, actor: Actor) {
  const phone = await phoneOf(ctx, id);
  if (phone.revoked_at !== null) throw new Refusal('phone_revoked');
  const token = newToken();
  await transact(ctx.db, async (trx) => {
    await updatePhone(trx, id, { pairing_hash: hashToken(token), pairing_expires_at: ctx.now() + pairingMs, token_hash: null, paired_at: null });
    await note(ctx, trx, { actor, action: 'phone_pairing_renewed', subject: id });
  });
  return pairingOf(ctx, id, token);
}

export async function revokePhone(ctx: Ctx, id: string, actor: Actor) {
  const phone = await phoneOf(ctx, id);
  await transact(ctx.db, async (trx) => {
    if (phone.revoked_at === null) await updatePhone(trx, id, { revoked_at: ctx.now(), pairing_hash: null, pairing_expires_at: null });
    await note(ctx, trx, { actor, action: 'phone_revoked', subject: id });
  });
  return (await inWords(ctx, [await phoneOf(ctx, id)]))[0]!;
}

/** A link works once; the device token is never shown again. */
export async function pairPhone(ctx: Ctx, ask: { token: string; app_version: string | undefined }) {
  const device_token = newToken();
  const phone = await transact(ctx.db, async (trx) => {
    const taken = await takePairing(trx, hashToken(ask.token), ctx.now(), { token_hash: hashToken(device_token), paired_at: ctx.now(), last_seen_at: ctx.now(), app_version: ask.app_version ?? null });
    if (taken) await note(ctx, trx, { actor: `phone:${taken.id}`, action: 'phone_paired', subject: taken.id });
    return taken;
  });
  if (!phone) throw new Refusal('pairing_invalid');
  const events = await eventsOfPhones(ctx.db, [phone.id]);
  return { device_token, phone_id: phone.id, name: phone.name, gate: phone.gate, events, server_time: ctx.now() };
}

export interface PhoneInCall { phone: PhoneRow; events: ReadonlySet<string> }

/** Who is this device token? A revoked phone is told so, and may from then on hand in its queue for a short while. */
export async function phoneOfToken(ctx: Ctx, token: string, evenRevoked: boolean): Promise<PhoneInCall | null> {
  const phone = await findPhoneByToken(ctx.db, hashToken(token));
  if (!phone) return null;
  if (phone.revoked_at !== null) {
    if (phone.told_revoked_at === null) await updatePhone(ctx.db, phone.id, { told_revoked_at: ctx.now() });
    if (!evenRevoked || ctx.now() > (phone.told_revoked_at ?? ctx.now()) + handInMs) throw new Refusal('phone_revoked');
  } else {
    await updatePhone(ctx.db, phone.id, { last_seen_at: ctx.now() });
  }
  return { phone, events: new Set((await eventsOfPhones(ctx.db, [phone.id])).map((event) => event.id)) };
}

export interface Heartbeat { queue_length: number; clock_offset_ms?: number | null | undefined; battery?: number | null | undefined; app_version?: string | undefined }

export async function hearPhone(ctx: Ctx, phone: PhoneRow, beat: Heartbeat) {
  await updatePhone(ctx.db, phone.id, {
    queue_length: beat.queue_length, clock_offset_ms: beat.clock_offset_ms ?? null, battery: beat.battery == null ? null : Math.round(beat.battery * 100) / 100, app_version: beat.app_version ?? phone.app_version,
  });
  return { name: phone.name, gate: phone.gate, events: await eventsOfPhones(ctx.db, [phone.id]), server_time: ctx.now() };
}
