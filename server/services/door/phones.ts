/** The door's phones: made and revoked in the office, paired once, updated at each contact. */
import { findEvent } from '#db/event/events.ts';
import {
  arrivedScans,
  eventsOfPhones,
  findPhone,
  inheritScans,
  insertPhone,
  listPhones,
  noteQueues,
  renewPairing,
  replaceEvents,
  takePairing,
  topSeq,
  updatePhone,
} from '#db/door/phones.ts';
import type { PhoneRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { pairingMs, phoneStateOf, type PhoneRole } from '#server/domain/door/phone.ts';
import { reckonQueue } from '#server/domain/door/presence.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { houseForPhones } from '#server/services/site/site.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';
import { dropKeys, takeKey, trustedBy } from './approvals.ts';
import { guestsForPhone } from './entries-against.ts';
import { gatesOfEvent, takeGateChoice, type GateChoice } from './gate-choice.ts';
import { flushContacts } from './known-phones.ts';
import { doorPinOf } from './pin.ts';
import { hashToken, newToken } from '#server/services/user/secrets.ts';

async function inWords(ctx: Ctx, phones: readonly PhoneRow[]) {
  const ids = phones.map((phone) => phone.id);
  const assigned = await eventsOfPhones(ctx.db, ids, { drafts: true });
  const events = Map.groupBy(assigned, (event) => event.phone_id);
  const arrived = await arrivedScans(ctx.db, ids);
  return phones.map((phone) => {
    const { absent, missing } = reckonQueue(phone, arrived.get(phone.id) ?? { top: -1, count: 0 });
    return {
      ...phone,
      chooses_gate: phone.chooses_gate === 1,
      state: phoneStateOf(phone),
      events: events.get(phone.id) ?? [],
      // Without what has arrived since the phone told it.
      queue_length: phone.queue_length && Math.min(phone.queue_length, absent),
      missing_scans: missing,
    };
  });
}

export async function phonesForOffice(
  ctx: Ctx,
  { revoked, ...ask }: ListAsk & { revoked?: boolean },
) {
  await flushContacts(ctx);
  const { rows, next_cursor } = await listPage(
    ask,
    async (page) => inWords(ctx, await listPhones(ctx.db, { revoked }, page)),
    {
      timeOf: (phone) => phone.created_at,
      textsOf: ({ id, name, gate, events }) => [id, name, gate, ...events.map((one) => one.title)],
    },
  );
  return { items: rows, next_cursor };
}

async function phoneOf(ctx: Ctx, id: string): Promise<PhoneRow> {
  const phone = await findPhone(ctx.db, id);
  if (!phone) throw new Refusal('phone_not_found');
  return phone;
}

async function phoneInWords(ctx: Ctx, id: string) {
  const [phone] = await inWords(ctx, [await phoneOf(ctx, id)]);
  return requireValue(phone, 'phone');
}

/**
 * The pairing link; the office sees it only once. The token is in the fragment, which never
 * reaches a server log.
 */
async function pairingOf(ctx: Ctx, id: string, token: string) {
  return {
    phone: await phoneInWords(ctx, id),
    pairing_url: `${ctx.publicUrl}/scanner/#pair=${token}`,
    expires_at: ctx.now() + pairingMs,
  };
}

export async function makePhone(
  ctx: Ctx,
  ask: {
    name: string;
    gate: string | null;
    event_ids: readonly string[];
    role: PhoneRole;
    chooses_gate?: boolean;
    actor: Actor;
  },
) {
  await requireEvents(ctx, ask.event_ids);
  const token = newToken();
  const phone = {
    id: ctx.newId(),
    name: ask.name,
    gate: ask.gate || null,
    role: ask.role,
    pairing_hash: hashToken(token),
    pairing_expires_at: ctx.now() + pairingMs,
    created_at: ctx.now(),
    chooses_gate: asTruth(ask.chooses_gate ?? true),
  };
  await transact(ctx.db, async (trx) => {
    await insertPhone(trx, phone, [...new Set(ask.event_ids)]);
    await happened(ctx, trx, {
      actor: ask.actor,
      action: 'phone_made',
      subject: phone.id,
      detail: { name: phone.name, role: phone.role },
    });
  });
  return pairingOf(ctx, phone.id, token);
}

function asTruth(is: boolean): 0 | 1 {
  return is ? 1 : 0;
}

async function requireEvents(ctx: Ctx, event_ids: readonly string[]): Promise<void> {
  for (const event_id of event_ids)
    if (!(await findEvent(ctx.db, event_id))) throw new Refusal('event_not_found', { event_id });
}

interface PhoneChanges {
  name?: string;
  gate?: string | null;
  event_ids?: readonly string[];
  role?: PhoneRole;
  chooses_gate?: boolean;
}

/** Fields left out stay as they are; the phone learns of the changes at its next contact. */
export async function changePhone(
  ctx: Ctx,
  id: string,
  { actor, ...wanted }: PhoneChanges & { actor: Actor },
) {
  const phone = await phoneOf(ctx, id);
  if (phone.revoked_at !== null) throw new Refusal('phone_revoked');
  const event_ids = wanted.event_ids && [...new Set(wanted.event_ids)];
  if (event_ids) await requireEvents(ctx, event_ids);
  const changes = {
    name: wanted.name ?? phone.name,
    gate: wanted.gate === undefined ? phone.gate : wanted.gate || null,
    role: wanted.role ?? phone.role,
    chooses_gate: asTruth(wanted.chooses_gate ?? phone.chooses_gate === 1),
  };
  await transact(ctx.db, async (trx) => {
    await updatePhone(trx, id, changes);
    if (event_ids) await replaceEvents(trx, id, { event_ids, now: ctx.now() });
    if (changes.role === 'steward') await dropKeys(ctx, trx, id);
    await happened(ctx, trx, {
      actor,
      action: 'phone_changed',
      subject: id,
      detail: {
        from: {
          name: phone.name,
          gate: phone.gate,
          role: phone.role,
          chooses_gate: phone.chooses_gate,
        },
        to: changes,
        ...(event_ids ? { event_ids } : {}),
      },
    });
  });
  return phoneInWords(ctx, id);
}

/** Makes a new pairing link; the older link and the older device token stop working. */
export async function pairAgain(ctx: Ctx, id: string, actor: Actor) {
  await phoneOf(ctx, id);
  const token = newToken();
  await transact(ctx.db, async (trx) => {
    if (
      !(await renewPairing(trx, id, {
        pairing_hash: hashToken(token),
        pairing_expires_at: ctx.now() + pairingMs,
      }))
    )
      throw new Refusal('phone_revoked');
    await dropKeys(ctx, trx, id);
    await happened(ctx, trx, { actor, action: 'phone_pairing_renewed', subject: id });
  });
  return pairingOf(ctx, id, token);
}

export async function revokePhone(ctx: Ctx, id: string, actor: Actor) {
  const phone = await phoneOf(ctx, id);
  await transact(ctx.db, async (trx) => {
    if (phone.revoked_at === null)
      await updatePhone(trx, id, {
        revoked_at: ctx.now(),
        pairing_hash: null,
        pairing_expires_at: null,
      });
    await dropKeys(ctx, trx, id);
    await happened(ctx, trx, { actor, action: 'phone_revoked', subject: id });
  });
  return phoneInWords(ctx, id);
}

/**
 * Pairs a handset. The link works once, and the device token is never shown again.
 * `previous_token`: the device token that this phone has had until now.
 */
export async function pairPhone(
  ctx: Ctx,
  ask: { token: string; app_version?: string; previous_token?: string; browser?: string },
) {
  const device_token = newToken();
  const phone = await transact(ctx.db, async (trx) => {
    const taken = await takePairing(trx, hashToken(ask.token), ctx.now(), {
      token_hash: hashToken(device_token),
      paired_at: ctx.now(),
      last_seen_at: ctx.now(),
      app_version: ask.app_version ?? null,
      browser: ask.browser ?? null,
    });
    if (taken && ask.previous_token !== undefined)
      await inheritScans(trx, taken.id, {
        from_token_hash: hashToken(ask.previous_token),
        now: ctx.now(),
      });
    if (taken)
      await happened(ctx, trx, {
        actor: `phone:${taken.id}`,
        action: 'phone_paired',
        subject: taken.id,
      });
    return taken;
  });
  if (!phone) throw new Refusal('pairing_invalid');
  return {
    device_token,
    phone_id: phone.id,
    ...(await identityOf(ctx, phone)),
    next_seq: await nextSeq(ctx, phone),
  };
}

/**
 * The number of the phone's next scan. If the phone never reported one, the numbers of its unsent
 * scans are left free.
 */
async function nextSeq(ctx: Ctx, { id, next_seq, queue_length }: PhoneRow): Promise<number> {
  const afterLast = (await topSeq(ctx.db, id)) + 1;
  return next_seq === null ? afterLast + (queue_length ?? 0) : Math.max(afterLast, next_seq);
}

/** What a phone learns about itself at each contact. */
async function identityOf(ctx: Ctx, phone: PhoneRow) {
  const events = await eventsOfPhones(ctx.db, [phone.id], { drafts: false });
  return {
    house: await houseForPhones(ctx),
    name: phone.name,
    gate: phone.gate,
    chooses_gate: phone.chooses_gate === 1,
    role: phone.role,
    events: events.map((event) => ({
      ...event,
      rehearsal: event.rehearsal === 1,
      gates: gatesOfEvent({ seat_pricing: requireValue(event.seat_pricing, 'pricing') }),
    })),
    ...(await rightsOf(ctx, phone)),
    server_time: ctx.now(),
  };
}

/** The same after a choice of the person at the door. */
async function identityAfter(ctx: Ctx, phone: PhoneRow, choice: GateChoice | undefined) {
  const identity = await identityOf(ctx, phone);
  if (!choice) return identity;
  const gates = identity.events.flatMap((event) => event.gates);
  const { gate, chooses_gate } = await takeGateChoice(ctx, phone, { choice, gates });
  return { ...identity, gate, chooses_gate: chooses_gate === 1 };
}

/** Only supervisors' phones get the PIN; a steward's gets the supervisors that it accepts. */
async function rightsOf(ctx: Ctx, { id, role }: PhoneRow) {
  const pin = await doorPinOf(ctx.db);
  const asks_supervisor = role === 'steward' && pin !== null;
  return {
    supervisor_pin: role === 'supervisor' ? pin : null,
    asks_supervisor,
    supervisors: asks_supervisor ? await trustedBy(ctx.db, id) : [],
  };
}

interface Heartbeat {
  queue_length: number;
  shelf_length?: number;
  next_seq?: number;
  events?: readonly { event_id: string; unsent_entries: number; heads_told: number }[];
  clock_offset_ms?: number | null;
  battery?: number | null;
  app_version?: string;
  browser?: string;
  wire_version?: number;
  signing_key?: string;
  gate_choice?: GateChoice;
}

/** @throws Refusal bad_request for an invalid signing key */
export async function hearPhone(ctx: Ctx, phone: PhoneRow, beat: Heartbeat) {
  await takeKey(ctx, phone, beat.signing_key);
  const changes = {
    last_seen_at: ctx.now(),
    queue_length: beat.queue_length,
    shelf_length: beat.shelf_length ?? phone.shelf_length,
    next_seq: beat.next_seq ?? (await nextSeqAt(ctx, phone, beat)),
    clock_offset_ms: beat.clock_offset_ms ?? null,
    battery: beat.battery == null ? null : Math.round(beat.battery * 100) / 100,
    app_version: beat.app_version ?? phone.app_version,
    browser: beat.browser ?? phone.browser,
    wire_version: beat.wire_version ?? phone.wire_version,
  };
  await transact(ctx.db, async (trx) => {
    await updatePhone(trx, phone.id, changes);
    await noteQueues(trx, phone.id, beat.events ?? null);
  });
  const identity = await identityAfter(ctx, phone, beat.gate_choice);
  if (phone.role !== 'supervisor') return identity;
  const ids = identity.events.map(({ id }) => id);
  return { ...identity, guests_against: await guestsForPhone(ctx, ids) };
}

/**
 * The number of the next scan of a phone that told only how many wait, as an app of before 1.3.0
 * does from its service worker; null: it never told a number.
 */
async function nextSeqAt(
  ctx: Ctx,
  { id, next_seq }: PhoneRow,
  { queue_length }: Heartbeat,
): Promise<number | null> {
  if (next_seq === null || queue_length === 0) return next_seq;
  return Math.max(next_seq, (await topSeq(ctx.db, id)) + 1 + queue_length);
}
