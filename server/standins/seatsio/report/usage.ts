/** Usage: how many objects of an event were used and when, from the log of status changes. */
import { eventsOfCompany, type EventRow } from '#server/standins/seatsio/statements/events.ts';
import { statusChangesOf } from '#server/standins/seatsio/statements/status-changes.ts';
import { requireChart, type ChartRow } from '#server/standins/seatsio/statements/charts.ts';
import { planOf } from '#server/standins/seatsio/catalog/catalog.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { TableBooking } from '#server/standins/seatsio/plan/plan.ts';

/** [DOC] Used means selected by a visitor or changed by a call, but not added to a channel. */
type UsageReason = 'SELECTED' | 'STATUS_CHANGED';

/** How many places of an object were first used in this month, `2026-11`. */
export interface Use {
  label: string;
  month: string;
  reason: UsageReason;
  count: number;
}

interface Change {
  label: string;
  status: string;
  quantity: number;
  hold_token: string | null;
  origin_type: string;
  at: number;
}

/** Months are in UTC. */
function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/**
 * How a change affects the number of taken places. A booking with a token adds none, because the
 * token already holds its places.
 */
function stepOf({ status, quantity, hold_token }: Change): number {
  if (status === 'free') return -quantity;
  return status !== 'reservedByToken' && hold_token !== null ? 0 : quantity;
}

/**
 * [DOC] An object counts once per event, however often its status changes. An area counts the
 * most places that were taken at the same time, each in the month in which that number was first
 * reached.
 */
function countUses(changes: Iterable<Change>, capacityOf: (label: string) => number): Use[] {
  const taken = new Map<string, { now: number; most: number }>();
  const uses = new Map<string, Use>();
  for (const change of changes) {
    const { label, at, origin_type } = change;
    const count = taken.get(label) ?? { now: 0, most: 0 };
    taken.set(label, count);
    count.now = Math.min(capacityOf(label), Math.max(0, count.now + stepOf(change)));
    const more = count.now - count.most;
    if (more <= 0) continue;
    count.most = count.now;
    const found = {
      label,
      month: monthOf(at),
      reason: origin_type === 'API_CALL' ? 'STATUS_CHANGED' : 'SELECTED',
    } as const;
    const key = JSON.stringify(found);
    const use = uses.get(key) ?? { ...found, count: 0 };
    use.count += more;
    uses.set(key, use);
  }
  return [...uses.values()];
}

export interface UsedEvent {
  event: EventRow;
  chart: ChartRow;
  uses: Use[];
}

export async function usesOf(ctx: Seatsio, event: EventRow): Promise<UsedEvent> {
  const chart = await requireChart(ctx.sql, event.chart_id);
  const changes = await statusChangesOf(ctx.sql, event.id);
  if (changes.length === 0) return { event, chart, uses: [] };
  const { byLabel } = await planOf(
    ctx,
    { id: chart.id, version: chart.published_version },
    JSON.parse(event.table_booking_config) as TableBooking,
  );
  return {
    event,
    chart,
    uses: countUses(changes, (label) => {
      const object = byLabel.get(label);
      return object?.objectType === 'generalAdmission' ? object.capacity : 1;
    }),
  };
}

export async function companyUses(ctx: Seatsio, companyId: number): Promise<UsedEvent[]> {
  const events = await eventsOfCompany(ctx.sql, companyId);
  const used = await Array.fromAsync(events, (event) => usesOf(ctx, event));
  return used.filter(({ uses }) => uses.length > 0);
}
