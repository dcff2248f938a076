/** The office's list of messages to many buyers, with the result for each recipient. */
import { countRecipients, findMessage, listMessages, listRecipients } from '#db/mail/messages.ts';
import { findEvent } from '#db/event/events.ts';
import type { MessageRow } from '#db/rows.ts';
import { readTrouble } from '#server/domain/mail/kinds.ts';
import { recipientStates, type RecipientState } from '#server/domain/mail/message.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { readPage } from '#server/services/kit/page.ts';
import { namesOf, type NameOf } from '#server/services/user/actors.ts';

interface PageAsk {
  limit?: number;
  cursor?: string;
}
type Counts = Record<RecipientState, number>;

/** The messages, newest first. */
export async function messageList(
  ctx: Ctx,
  { limit = 40, cursor, event_id }: PageAsk & { event_id?: string },
) {
  const { rows, next_cursor } = await readPage(
    { limit, cursor },
    (page) => listMessages(ctx.db, event_id, page),
    (row) => row.created_at,
  );
  const [counts, nameOf] = [
    await countsOf(ctx, rows),
    await namesOf(
      ctx.db,
      rows.map(({ actor }) => actor),
    ),
  ];
  const items = rows.map((row) => ({ ...inWords(row, counts, nameOf), ...eventWords(row) }));
  return { items, next_cursor, leaves: ctx.mail.leaves };
}

function eventWords(row: { event_title: string | null; event_starts_at: number | null }) {
  return { event_title: row.event_title, event_starts_at: row.event_starts_at };
}

/** @throws Refusal message_not_found */
export async function oneMessage(ctx: Ctx, id: string) {
  const row = await findMessage(ctx.db, id);
  if (!row) throw new Refusal('message_not_found');
  const event = row.event_id === null ? undefined : await findEvent(ctx.db, row.event_id);
  return {
    ...inWords(row, await countsOf(ctx, [row]), await namesOf(ctx.db, [row.actor])),
    event_title: event?.title ?? null,
    event_starts_at: event?.starts_at ?? null,
    body: row.body,
    leaves: ctx.mail.leaves,
  };
}

async function countsOf(ctx: Ctx, rows: readonly MessageRow[]): Promise<Map<string, Counts>> {
  const found = await countRecipients(
    ctx.db,
    rows.map(({ id }) => id),
  );
  return new Map(
    rows.map(({ id }) => {
      const counts = Object.fromEntries(recipientStates.map((state) => [state, 0])) as Counts;
      for (const { message_id, state, n } of found) if (message_id === id) counts[state] = n;
      return [id, counts];
    }),
  );
}

function inWords(row: MessageRow, all: Map<string, Counts>, nameOf: NameOf) {
  const counts = requireValue(all.get(row.id), 'count');
  return {
    ...row,
    message_id: row.id,
    actor: nameOf(row.actor),
    counts,
    recipients: Object.values(counts).reduce((sum, n) => sum + n, 0),
  };
}

/** @throws Refusal message_not_found */
export async function messageMails(
  ctx: Ctx,
  id: string,
  { limit = 40, cursor, state }: PageAsk & { state?: RecipientState },
) {
  if (!(await findMessage(ctx.db, id))) throw new Refusal('message_not_found');
  const { rows, next_cursor } = await readPage(
    { limit, cursor },
    (page) => listRecipients(ctx.db, id, { state, ...page }),
    (row) => row.position,
  );
  return {
    items: rows.map((row) => ({
      ...row,
      order_id: row.id,
      order_number: row.number,
      trouble: readTrouble(row.last_error),
    })),
    next_cursor,
  };
}
