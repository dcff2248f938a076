/** Records what happened to an order, ticket, seat or event; acts.ts says who learns of it. */
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

/** A mail of a kind that acts.ts allows for this act. */
type Owed<Act extends AuditAction, Wish> = Wish & { kind: MailOf<Act> };

interface Owing<Act extends AuditAction> extends Happening {
  action: Act;
  mails?: readonly Owed<Act, MailWish>[];
}

/** The row of the registry, for a caller that writes it together with other rows. */
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

/** Records an act in the transaction of its change, and informs all that acts.ts names. */
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
 * Queues a mail about an act that is recorded elsewhere in this transaction or was recorded
 * earlier. Returns the mail's id.
 */
export async function oweMail<Act extends AuditAction>(
  ctx: Ctx,
  trx: Trx,
  mail: { act: Act } & Owed<Act, MailWish>,
): Promise<string> {
  return storeMail(ctx, trx, mail);
}

/** Queues many mails about one act; none of their keys may be used yet. */
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
 * Takes the next number of an event's door feed for the rows that `act` changes; with `count`,
 * that many numbers, and returns the last. Call it before changing the rows: it locks the event's
 * row, so that acts at one event wait for each other.
 */
export async function takeDoorTurn(trx: Trx, { event_id, count }: DoorTurn) {
  return nextAtDoor(trx, event_id, count);
}
