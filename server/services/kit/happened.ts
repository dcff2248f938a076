/** The one place that is told what happened to an order, ticket, seat or event: acts.ts says who else hears of it. */
import { addAudit } from '#db/audit/audit.ts';
import type { Db } from '#db/engine/dialect.ts';
import type { AuditRow } from '#db/rows.ts';
import type { AuditAction } from '#server/domain/audit/audit.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { tellHappening } from './tell-programs.ts';

interface Happening {
  actor: Actor;
  action: AuditAction;
  subject: string;
  detail?: unknown;
}

/** The row, for who writes it together with others. */
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
export async function happened(ctx: Ctx, db: Db, happening: Happening): Promise<void> {
  await addAudit(db, auditOf(ctx, happening));
  await tellHappening(ctx, db, happening);
}
