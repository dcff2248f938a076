/**
 * The tills of this house with their printers, and how many tickets one person may give away. All
 * this is one setting and is changed as a whole.
 */
import type { Db } from '#db/engine/dialect.ts';
import { claimSetting, readSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import { isLocalAddress } from '#server/adapters/local-network.ts';
import type { DepositEnd } from '#server/domain/order/payment.ts';
import type { TicketLayout } from '#server/domain/counter/printing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';

export interface Till {
  id: string;
  name: string;
  layout: TicketLayout;
  /** A network printer that takes raw ESC/POS; null: the browser prints. */
  printer: { host: string; port: number } | null;
}

/** `version` rises with each change. */
interface CounterSettings {
  version: number;
  gifts_per_event: number;
  /** What becomes of the part payment of a reservation that nobody pays in full (RULES K5). */
  deposit_end: DepositEnd;
  tills: Till[];
}

const key = 'counter';

/** The setting of a house that has changed nothing: one till, and the browser prints. */
const usual: CounterSettings = {
  version: 0,
  gifts_per_event: 10,
  deposit_end: 'returned',
  tills: [{ id: 'cassa-1', name: 'Cassa 1', layout: '80mm', printer: null }],
};

async function readStored(db: Db): Promise<{ settings: CounterSettings; from: string | null }> {
  const from = await readSetting(db, key);
  return {
    from,
    settings:
      from === null ? usual : { ...usual, ...(JSON.parse(from) as Partial<CounterSettings>) },
  };
}

export async function counterSettings({ db }: { db: Db }): Promise<CounterSettings> {
  return (await readStored(db)).settings;
}

/** @throws Refusal till_unknown */
export async function tillOf(ctx: Ctx, till_id: string): Promise<Till> {
  const { tills } = await counterSettings(ctx);
  const till = tills.find(({ id }) => id === till_id);
  if (!till) throw new Refusal('till_unknown');
  return till;
}

/**
 * Accepts only printers in the local network, so that this server never connects elsewhere.
 * Refuses site_changed, printer_address_wrong.
 */
export async function changeTills(
  ctx: Ctx,
  wish: CounterSettings,
  actor: Actor,
): Promise<CounterSettings> {
  const hosts = wish.tills.flatMap(({ printer }) => printer?.host ?? []);
  const host = hosts.find((one) => !isLocalAddress(one));
  if (host !== undefined) throw new Refusal('printer_address_wrong', { host });
  const ids = new Set(wish.tills.map(({ id }) => id));
  if (ids.size < wish.tills.length) throw new Refusal('bad_request', { fields: ['tills'] });
  const changed = { ...wish, version: wish.version + 1 };
  await transact(ctx.db, async (trx) => {
    const { settings, from } = await readStored(trx);
    const isLatest = settings.version === wish.version;
    if (!isLatest || !(await claimSetting(trx, key, { from, to: JSON.stringify(changed) })))
      throw new Refusal('site_changed');
    await happened(ctx, trx, { actor, action: 'tills_changed', subject: key, detail: changed });
  });
  return changed;
}
