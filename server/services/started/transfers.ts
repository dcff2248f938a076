/** Orders that go to another date together, and acts that were taken back within their minute. */
import { countTransferOrders } from '#db/event/transfers.ts';
import { actsTakenBack, startedTransfers, type Wanted } from '#db/office/started.ts';
import type { AnnouncementRow, TransferRow } from '#db/rows.ts';
import type { AnnouncedAct } from '#server/domain/mail/announcement.ts';
import type { StartedKind } from '#server/domain/user/started.ts';
import type { Ctx } from '#server/services/context.ts';
import { blank, type StartedItem } from './item.ts';
import { undoOf } from './mails.ts';

export async function transferItems(ctx: Ctx, wanted: Wanted): Promise<StartedItem[]> {
  const rows = await startedTransfers(ctx.db, wanted);
  return Promise.all(rows.map((row) => transferItem(ctx, row)));
}

async function transferItem(ctx: Ctx, row: TransferRow): Promise<StartedItem> {
  const { waiting, done, left } = await countTransferOrders(ctx.db, row.id);
  const isRunning = row.finished_at === null;
  return {
    ...blank,
    id: row.id,
    kind: 'transfer',
    state: isRunning ? 'running' : left > 0 ? 'partly' : 'done',
    event_id: row.event_id,
    actor: row.actor as StartedItem['actor'],
    started_at: row.created_at,
    ended_at: row.finished_at,
    unit: 'orders',
    done: done + left,
    total: waiting + done + left,
    failed: left,
    ...(await undoOf(ctx, row.id)),
  };
}

/** The kinds whose own row goes with the act. */
const goneWith: Partial<Record<AnnouncedAct, StartedKind>> = {
  event_cancelled: 'refunds',
  event_postponed: 'postponement',
  orders_transferred: 'transfer',
};

export async function takenBackItems(ctx: Ctx, wanted: Wanted): Promise<StartedItem[]> {
  const acts = Object.keys(goneWith) as AnnouncedAct[];
  const rows = await actsTakenBack(ctx.db, wanted, acts);
  return rows.flatMap((row) => takenBackItem(row, goneWith[row.act]) ?? []);
}

function takenBackItem(row: AnnouncementRow, kind: StartedKind | undefined): StartedItem | null {
  if (kind === undefined) return null;
  return {
    ...blank,
    id: row.id,
    kind,
    state: 'called_off',
    event_id: row.event_id,
    actor: row.actor as StartedItem['actor'],
    started_at: row.created_at,
    ended_at: row.withdrawn_at,
  };
}
