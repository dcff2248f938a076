/**
 * The one place that is told what happened to an order, ticket, seat or event: acts.ts says who
 * else hears of it.
 */
import { addAudit } from '#db/audit/audit.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { nextAtDoor } from '#db/event/events.ts';
import type { AuditRow } from '#db/rows.ts';
import type { AuditAction } from '#server/domain/audit/audit.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { changesEventAtDoor, type DoorRowsAct, type MailOf } from './acts.ts';
import { storeMail, storeNewMails, type MailWish, type NewMailWish } from './mail-queue.ts';
import { tellHappening } from './tell-programs.ts';

interface Happening {
  actor: Actor;
  action: AuditAction;
  subject: string;
  detail?: unknown;
}

/** A mail of a kind that acts.ts names for this act. */
type Owed<Act extends AuditAction, Wish> = Wish & { kind: MailOf<Act> };

interface Owing<Act extends AuditAction> extends Happening {
  action: Act;
  mails?: readonly Owed<Act, MailWish>[];
}

/** The row, for a caller that writes it together with others. */
export function auditOf(ctx: Ctx, { actor, action, subject, detail }: Happening): AuditRow {
  return {
    id: ctx.newId(),
    at: ctx.now(),
    actor,
    action,
    subject,
    detail: detail === undefined ? null : JSON.stringify(detail),
  };
}

/** In the transaction of the change: the registry keeps it, and acts.ts names who else is told. */
export async function happened<Act extends AuditAction>(
  ctx: Ctx,
  db: Db,
  { mails = [], ...happening }: Owing<Act>,
): Promise<void> {
  if (changesEventAtDoor(happening.action)) await nextAtDoor(db as Trx, happening.subject);
  await addAudit(db, auditOf(ctx, happening));
  await tellHappening(ctx, db, happening);
  for (const mail of mails) await storeMail(ctx, db as Trx, mail);
}

/**
 * A mail of an act that is said elsewhere in the transaction, or was said in an earlier one.
 * Returns its id.
 */
export async function oweMail<Act extends AuditAction>(
  ctx: Ctx,
  trx: Trx,
  mail: { act: Act } & Owed<Act, MailWish>,
): Promise<string> {
  return storeMail(ctx, trx, mail);
}

/** Many of one act at once, whose keys are new. */
export async function oweNewMails<Act extends AuditAction>(
  ctx: Ctx,
  trx: Trx,
  { mails }: { act: Act; mails: readonly Owed<Act, NewMailWish>[] },
): Promise<void> {
  await storeNewMails(ctx, trx, mails);
}

interface DoorTurn {
  act: DoorRowsAct;
  event_id: string;
  count?: number;
}

/**
 * The next number of an event's door feed, or the last of the next `count`, for the rows that
 * `act` changes. It is taken before them: the event's row stays locked, so acts at the same event
 * follow each other.
 */
export async function takeDoorTurn(trx: Trx, { event_id, count }: DoorTurn) {
  return nextAtDoor(trx, event_id, count);
}
