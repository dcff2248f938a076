/** Counts visits and page measurements per day; stores nothing about a single visitor. */
import { fromAbsolute, toCalendarDate, type CalendarDate } from '@internationalized/date';
import type { VisitCountRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { addVisits, readVisits } from '#db/office/visits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import {
  countedAs,
  pageKind,
  summariseVital,
  vitals,
  visitEvents,
} from '#server/domain/site/visit.ts';
import type { Ctx } from '#server/services/context.ts';

interface Visit {
  client_key: string;
  page_url: string;
  events: readonly { name: string; value?: number }[];
}

/**
 * @throws Refusal not_found if visits are counted elsewhere or not at all, not_allowed for the
 * key of another site
 */
export async function countVisit(ctx: Ctx, { client_key, page_url, events }: Visit): Promise<void> {
  const rum = ctx.settings.monitoring?.rum;
  if (!rum || !isOwn(rum.url)) throw new Refusal('not_found');
  if (client_key !== rum.client_key) throw new Refusal('not_allowed');
  const [day, page] = [today(ctx).toString(), pageKind(page_url)];
  const rows = new Map<string, VisitCountRow>();
  for (const { name, value } of events) {
    const counted = countedAs(name, value);
    if (!counted) continue;
    const key = `${counted.name} ${counted.step}`;
    rows.set(key, { day, page, ...counted, n: (rows.get(key)?.n ?? 0) + 1 });
  }
  if (rows.size > 0) await transact(ctx.db, (trx) => addVisits(trx, [...rows.values()]));
}

/** How many days the office's report has. */
const days = 7;

export async function visitReport(ctx: Ctx) {
  const counts = await readVisits(
    ctx.db,
    today(ctx)
      .subtract({ days: days - 1 })
      .toString(),
  );
  const rum = ctx.settings.monitoring?.rum;
  return {
    counting: rum !== null && rum !== undefined && isOwn(rum.url),
    days,
    visits: visitEvents.map((name) => ({
      name,
      n: counts.find((count) => count.name === name)?.n ?? 0,
    })),
    vitals: vitals.map((name) => summariseVital(name, counts)),
  };
}

/** True for this server's address: a path without a host, because the site has several. */
function isOwn(url: string): boolean {
  return url.startsWith('/');
}

function today(ctx: Ctx): CalendarDate {
  return toCalendarDate(fromAbsolute(ctx.now(), 'Europe/Rome'));
}
