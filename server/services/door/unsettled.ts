/**
 * Conflicts and scans in doubt for the office: a page of them in words, how many are open, and
 * how each was settled.
 */
import {
  countUnsettled,
  listUnsettled,
  type ScanSide,
  type Unsettled,
  type UnsettledRow,
} from '#db/door/unsettled.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';
import type { Ctx } from '#server/services/context.ts';
import { namesOf, type NameOf } from '#server/services/user/actors.ts';
import { byOf } from './views.ts';

export interface UnsettledAsk extends ListAsk {
  event_id?: string;
  open: boolean;
}

/** @throws Refusal bad_request for a cursor that this server did not make */
export async function unsettledPage<Item>(
  ctx: Ctx,
  about: Unsettled,
  { event_id, open, ...ask }: UnsettledAsk,
  inWords: (row: UnsettledRow, nameOf: NameOf) => Item,
) {
  const { rows, next_cursor } = await listPage(
    ask,
    (page) => listUnsettled(ctx.db, about, { open, event_id }, page),
    { timeOf: (row) => row.received_at, textsOf },
  );
  const nameOf = await namesOf(
    ctx.db,
    rows.flatMap(({ settled_by }) => settled_by ?? []),
  );
  return {
    items: rows.map((row) => inWords(row, nameOf)),
    next_cursor,
    open: await countUnsettled(ctx.db, about, event_id),
  };
}

function textsOf({ other, ...row }: UnsettledRow): (string | null)[] {
  const sides = [other ?? [], row].flat().flatMap((side: ScanSide) => [side.gate, byOf(side)]);
  return [row.place, seatName(row), row.event_title, ...sides];
}

/** Null if it is not settled. */
export function settledOf(
  { settled_at, settled_by, settled_note }: UnsettledRow,
  nameOf: NameOf,
): { at: number; by: string; note: string | null } | null {
  if (settled_at === null) return null;
  return { at: settled_at, by: nameOf(requireValue(settled_by, 'name')), note: settled_note };
}
