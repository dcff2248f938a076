/**
 * Web addresses of other programs that receive webhooks: the office makes, changes, tries, and
 * switches them on or off (RULES Q2).
 */
import { transact } from '#db/engine/transact.ts';
import { wakeWorker } from '#db/engine/wake.ts';
import {
  changeAddress as change,
  deleteAddress as remove,
  findAddress,
  insertAddress,
  listAddresses,
} from '#db/program/addresses.ts';
import {
  countDeliveries,
  findDelivery,
  insertDeliveries,
  listDeliveries,
  sendAgain,
} from '#db/program/deliveries.ts';
import type { ProgramAddressRow, ProgramDeliveryRow } from '#db/rows.ts';
import {
  secretOverlapMs,
  type DeliveryState,
  type WebhookKind,
} from '#server/domain/program/webhook.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { readPage } from '#server/services/kit/page.ts';
import { canUnseal, isSealedWith, seal, unseal } from '#server/services/kit/sealing.ts';
import { happened } from '#server/services/kit/happened.ts';
import { learnListeners } from '#server/services/kit/listeners.ts';
import { newSecret } from './signature.ts';
import { deliveryOf } from '#server/services/kit/tell-programs.ts';
import { requireEvent, titlesOf } from './tokens.ts';

export async function addressesForOffice(ctx: Ctx) {
  const rows = await listAddresses(ctx.db);
  const counts = await countDeliveries(ctx.db);
  const titleOf = await titlesOf(ctx, rows);
  const now = ctx.now();
  return {
    items: rows.map((row) => {
      const { waiting = 0, given_up = 0, last_done_at = null } = counts.get(row.id) ?? {};
      const isOverlap = row.earlier_until !== null && row.earlier_until > now;
      return {
        ...row,
        kinds: kindsOf(row),
        event: titleOf(row.event_id),
        earlier_until: isOverlap ? row.earlier_until : null,
        rest_until: row.rest_until !== null && row.rest_until > now ? row.rest_until : null,
        waiting,
        given_up,
        last_done_at,
      };
    }),
  };
}

function kindsOf({ kinds }: ProgramAddressRow): WebhookKind[] {
  return JSON.parse(kinds) as WebhookKind[];
}

interface AddressWish {
  url: string;
  kinds: readonly WebhookKind[];
  event_id: string | null;
}

/** @throws Refusal event_not_found, address_not_allowed */
async function columnsOf(ctx: Ctx, { url, kinds, event_id }: AddressWish) {
  if (event_id !== null) await requireEvent(ctx, event_id);
  if (!ctx.programs.accepts(url)) throw new Refusal('address_not_allowed');
  return { url, kinds: JSON.stringify([...new Set(kinds)]), event_id };
}

/** @throws Refusal event_not_found, address_not_allowed */
export async function makeAddress(ctx: Ctx, wish: AddressWish, actor: Actor) {
  const columns = await columnsOf(ctx, wish);
  const id = ctx.newId();
  const secret = newSecret();
  await transact(ctx.db, async (trx) => {
    await insertAddress(trx, {
      id,
      ...columns,
      secret: seal(secret, ctx.secretsKey),
      earlier_secret: null,
      earlier_until: null,
      made_by: actor,
      created_at: ctx.now(),
      off_at: null,
      off_why: null,
      rest_until: null,
    });
    await happened(ctx, trx, { actor, action: 'program_address_made', subject: id, detail: wish });
  });
  await learnListeners(ctx);
  return { id, secret };
}

/** @throws Refusal address_not_found, event_not_found, address_not_allowed */
export async function changeAddress(ctx: Ctx, id: string, wish: AddressWish, actor: Actor) {
  const columns = await columnsOf(ctx, wish);
  await changeNoting(ctx, id, {
    changes: { ...columns, rest_until: null },
    happening: { actor, action: 'program_address_changed', detail: wish },
  });
}

interface NotedChange {
  changes: Partial<ProgramAddressRow>;
  happening: Omit<Parameters<typeof happened>[2], 'subject'>;
}

async function changeNoting(ctx: Ctx, id: string, { changes, happening }: NotedChange) {
  await transact(ctx.db, async (trx) => {
    if (!(await change(trx, id, changes))) throw new Refusal('address_not_found');
    await happened(ctx, trx, { ...happening, subject: id });
    wakeWorker(trx);
  });
  await learnListeners(ctx);
}

/**
 * Switches an address on or off; when it is switched on again, its waiting deliveries are sent.
 * @throws Refusal address_not_found
 */
export async function switchAddress(
  ctx: Ctx,
  id: string,
  { on, actor }: { on: boolean; actor: Actor },
) {
  await changeNoting(ctx, id, {
    changes: on
      ? { off_at: null, off_why: null, rest_until: null }
      : { off_at: ctx.now(), off_why: 'person' },
    happening: { actor, action: 'program_address_changed', detail: { on } },
  });
}

/** @throws Refusal address_not_found */
export async function deleteAddress(ctx: Ctx, id: string, actor: Actor): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const row = await findAddress(trx, id);
    if (row === undefined || !(await remove(trx, id))) throw new Refusal('address_not_found');
    const detail = { url: row.url };
    await happened(ctx, trx, { actor, action: 'program_address_deleted', subject: id, detail });
  });
  await learnListeners(ctx);
}

/**
 * Makes a new secret. For one more day the old one signs too, so that the other program can
 * change over in time.
 * @throws Refusal address_not_found
 */
export async function rotateSecret(ctx: Ctx, id: string, actor: Actor) {
  const secret = newSecret();
  const row = await findAddress(ctx.db, id);
  if (row === undefined) throw new Refusal('address_not_found');
  await changeNoting(ctx, id, {
    changes: {
      secret: seal(secret, ctx.secretsKey),
      earlier_secret: row.secret,
      earlier_until: ctx.now() + secretOverlapMs,
    },
    happening: { actor, action: 'program_secret_changed' },
  });
  return { secret };
}

/** @throws Refusal address_not_found */
export async function pingAddress(ctx: Ctx, id: string) {
  if (!(await change(ctx.db, id, { rest_until: null }))) throw new Refusal('address_not_found');
  const delivery = deliveryOf(ctx, id, { kind: 'ping', ids: {} });
  await insertDeliveries(ctx.db, [delivery]);
  return { delivery_id: delivery.id };
}

interface DeliveryAsk {
  limit?: number;
  cursor?: string;
  address_id?: string;
  state?: DeliveryState;
}

export async function deliveriesForOffice(
  ctx: Ctx,
  { limit = 50, cursor, ...filter }: DeliveryAsk,
) {
  const { rows, next_cursor } = await readPage<ProgramDeliveryRow>(
    { limit, cursor },
    (page) => listDeliveries(ctx.db, filter, page),
    ({ created_at }) => created_at,
  );
  const items = rows.map((row) => ({
    ...row,
    run_at: row.state === 'waiting' ? row.run_at : null,
  }));
  return { items, next_cursor };
}

/** @throws Refusal delivery_not_found, delivery_under_way */
export async function resendDelivery(ctx: Ctx, id: string): Promise<void> {
  const delivery = await findDelivery(ctx.db, id);
  if (delivery === undefined) throw new Refusal('delivery_not_found');
  if (!(await sendAgain(ctx.db, id, ctx.now()))) throw new Refusal('delivery_under_way');
  await change(ctx.db, delivery.address_id, { rest_until: null });
}

/** How many secrets of addresses are not sealed with this key. */
export async function countOldProgramSeals({ db }: Pick<Ctx, 'db'>, key: Buffer): Promise<number> {
  const secrets = (await listAddresses(db)).flatMap((row) => [row.secret, row.earlier_secret]);
  return secrets.filter((secret) => secret !== null && !isSealedWith(secret, key)).length;
}

/** Seals with the present key the secrets that are not; runs at the start. */
export async function sealProgramSecrets(ctx: Ctx): Promise<void> {
  const { secretsKey } = ctx;
  if (secretsKey === null) return;
  const anew = (secret: string | null) =>
    secret !== null && canUnseal(secret) && !isSealedWith(secret, secretsKey)
      ? seal(unseal(secret), secretsKey)
      : secret;
  for (const { id, secret, earlier_secret } of await listAddresses(ctx.db)) {
    const sealed = { secret: anew(secret) ?? secret, earlier_secret: anew(earlier_secret) };
    if (sealed.secret !== secret || sealed.earlier_secret !== earlier_secret)
      await change(ctx.db, id, sealed);
  }
}
