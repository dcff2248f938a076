/** The office's first page: today's events and sales, open work, providers, the coming week. */
import { waitingSince } from '#db/office/attention.ts';
import { countByEvent } from '#db/event/events.ts';
import { countMails } from '#db/office/figures.ts';
import { eveningsIn, salesIn, type Evening } from '#db/office/today.ts';
import { providerHealth } from '#server/adapters/provider-health.ts';
import { daysAround, type Span } from '#server/domain/time/day.ts';
import type { Role } from '#server/domain/user/user.ts';
import type { Ctx } from '#server/services/context.ts';
import { waitTimes } from './attention.ts';
import { recentFindings } from './findings.ts';
import { firstStepsFor } from './first-steps.ts';

export async function todayForOffice(ctx: Ctx, { role }: { role: Role }) {
  const now = ctx.now();
  const { today, before, week } = daysAround(now);
  const mails = await countMails(ctx.db);
  return {
    at: now,
    tonight: await withCounts(ctx, today),
    week: await withCounts(ctx, week),
    sales: { today: await salesIn(ctx.db, today), before: await salesIn(ctx.db, before) },
    waiting: await waitingSince(ctx.db, waitTimes(ctx)),
    findings: await recentFindings(ctx),
    first_steps: await firstStepsFor(ctx, role),
    providers: [
      { name: 'stripe' as const, up: isUp(ctx.payments) },
      { name: 'seatsio' as const, up: isUp(ctx.seats) },
      ...(ctx.mail.leaves ? [{ name: 'mail' as const, up: isUp(ctx.mail) }] : []),
    ],
    mail: {
      leaves: ctx.mail.leaves,
      failed: mails['failed'] ?? 0,
      waiting: mails['waiting'] ?? 0,
    },
  };
}

/** Null if this process has not called the provider yet. */
function isUp(provider: object): boolean | null {
  const health = providerHealth(provider);
  if (health === null || (health.answered_at === null && health.silent_at === null)) return null;
  return health.error === null;
}

async function withCounts(ctx: Ctx, span: Span) {
  const evenings = await eveningsIn(ctx.db, span);
  const counts = await countByEvent(
    ctx.db,
    evenings.map(({ id }) => id),
  );
  return evenings.map((evening: Evening) => {
    const { places = 0, sold = 0, inside = 0 } = counts.get(evening.id) ?? {};
    return { ...evening, places, sold, inside };
  });
}
