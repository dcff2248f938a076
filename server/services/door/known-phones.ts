/** Finds the calling phone, and stores when each phone last called. */
import { hash } from 'node:crypto';
import { writeContacts } from '#db/door/door.ts';
import { updatePhone } from '#db/door/phones.ts';
import type { PhoneRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { handInMs } from '#server/domain/door/phone.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { doorMemory, type PhoneInCall } from './state.ts';

export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Answers from memory. Undefined: call phoneOfToken(), which reads the phone or refuses. */
export function phoneAtOnce(ctx: Ctx, token_hash: string): PhoneInCall | undefined {
  const found = doorMemory(ctx).phones.atOnce(token_hash);
  if (found === undefined || found.ended || found.phone.revoked_at !== null) return undefined;
  hear(ctx, found.phone);
  return found;
}

/**
 * Null: the phone is unknown, or the caller is an old handset whose phone is not paired with a
 * new one yet; that handset keeps its data. A revoked or replaced handset is refused, but with
 * `evenRevoked` it may send its queue for a short while.
 * @throws Refusal phone_revoked
 */
export async function phoneOfToken(
  ctx: Ctx,
  token_hash: string,
  evenRevoked: boolean,
): Promise<PhoneInCall | null> {
  const found = await doorMemory(ctx).phones.read(token_hash);
  if (!found) return null;
  const { phone, ended } = found;
  if (phone.revoked_at === null && !ended) {
    hear(ctx, phone);
    return found;
  }
  if (phone.revoked_at === null && phone.token_hash === null) return null;
  const column = ended ? 'ended_told_at' : 'told_revoked_at';
  if (phone[column] === null) await updatePhone(ctx.db, phone.id, { [column]: ctx.now() });
  if (!evenRevoked || ctx.now() > (phone[column] ?? ctx.now()) + handInMs)
    throw new Refusal('phone_revoked');
  return found;
}

/** A phone's last call is written at most once in this time, together with other phones'. */
const writtenEveryMs = 10_000;
const gatheredMs = 1_000;

interface Contacts {
  pending: Map<string, number>;
  timer: NodeJS.Timeout | null;
}
const contactsOf = new WeakMap<Ctx['memory'], Contacts>();

function hear(ctx: Ctx, phone: PhoneRow): void {
  const now = ctx.now();
  if (phone.last_seen_at !== null && Math.abs(now - phone.last_seen_at) < writtenEveryMs) return;
  const contacts = contactsOf.get(ctx.memory) ?? {
    pending: new Map<string, number>(),
    timer: null,
  };
  contactsOf.set(ctx.memory, contacts);
  contacts.pending.set(phone.id, now);
  contacts.timer ??= setTimeout(() => {
    flushContacts(ctx).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'contacts of phones were not written');
    });
  }, gatheredMs).unref();
}

/** Writes pending contacts; call it before reading them, and when the server stops. */
export async function flushContacts(ctx: Ctx): Promise<void> {
  const contacts = contactsOf.get(ctx.memory);
  if (!contacts || contacts.pending.size === 0) return;
  const { pending, timer } = contacts;
  if (timer !== null) clearTimeout(timer);
  contactsOf.delete(ctx.memory);
  await transact(ctx.db, (trx) => writeContacts(trx, pending));
}
