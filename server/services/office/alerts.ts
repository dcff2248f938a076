/**
 * Mails the operator when a check of Salute (the server's health) fails and when it is well
 * again. What was sent is stored, so that no mail is repeated after a restart or by a second
 * process.
 */
import { claimPeriod, claimSetting, readSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import { firstAdmin } from '#db/user/users.ts';
import {
  stepAlerts,
  type Alerts,
  type AlertStep,
  type Finding,
} from '#server/domain/office/alert.ts';
import { writeAlertMail } from '#server/domain/mail/alert-mail.ts';
import { spellMail } from '#server/domain/mail/mail-body.ts';
import type { Ctx } from '#server/services/context.ts';
import { storeMail } from '#server/services/kit/mail-queue.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { lookAtAll } from './findings.ts';

const everyMs = 60_000;
const settingName = 'alerts';

/** The schedule calls this more often than needed; only one process does the work. */
export async function watchHealth(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  if (!(await claimPeriod(ctx.db, 'alerts_looked', { now, notSince: now - everyMs }))) return;
  const known = await readSetting(ctx.db, settingName);
  const found = await lookAtAll(ctx);
  const step = stepAlerts(known === null ? {} : (JSON.parse(known) as Alerts), found, now);
  const next = JSON.stringify(step.next);
  if (next === (known ?? '{}')) return;
  const mail = await writeMail(ctx, { step, found, known });
  await transact(ctx.db, async (trx) => {
    // Another process has sent the mail.
    if (!(await claimSetting(trx, settingName, { from: known, to: next }))) return;
    if (mail !== null) await storeMail(ctx, trx, mail);
  });
}

interface Look {
  step: AlertStep;
  found: ReadonlyMap<string, Finding | null>;
  known: string | null;
}

/** Stores the mail. Null if there is nothing to tell or no address to write to. */
async function writeMail(ctx: Ctx, { step, found, known }: Look) {
  const { opened, closed } = step;
  const to_address = ctx.settings.alertMail ?? (await firstAdmin(ctx.db))?.email ?? null;
  if (opened.length + closed.length === 0 || to_address === null || !ctx.mail.leaves) return null;
  const before = JSON.parse(known ?? '{}') as Alerts;
  const body = writeAlertMail({
    at: ctx.now(),
    opened: opened.flatMap((name) => found.get(name) ?? []),
    closed: closed.flatMap((name) => before[name]?.sentence ?? []),
    office_url: `${ctx.publicUrl}/admin/`,
    organiser: (await organiserOf(ctx)).name,
  });
  return {
    order_id: null,
    kind: 'health_alert' as const,
    key: `${ctx.now()}`,
    to_address,
    words: spellMail(body),
  };
}
