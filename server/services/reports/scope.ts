/** What a report covers: one event, all dates of a show, a season, or a period of days. */
import { findReportEvent, reportEvents, type ReportEvent } from '#db/report/events.ts';
import { findShow } from '#db/event/shows.ts';
import { formatDate, formatListDate } from '#server/domain/time/dates.ts';
import {
  dayOf,
  daysOfSeason,
  romeDay,
  seasonOf,
  startOfDay,
} from '#server/domain/time/rome-clock.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';

export interface ScopeAsk {
  event_id?: string;
  show_id?: string;
  /** The year in which the season begins. */
  season?: string;
  /** The first and last day, in Rome. */
  from?: string;
  to?: string;
  against?: string;
}

export interface Scope {
  kind: 'event' | 'show' | 'season' | 'period';
  /** The report's title on screen and paper. */
  name: string;
  event_id: string | null;
  show_id: string | null;
  /** Earliest first; for a period the events that took place in it. */
  events: ReportEvent[];
  /**
   * Set only for a period. `first` and `last`: the first and last day in Rome, as numbers; `from`
   * and `before`: the same in milliseconds. Money belongs to the day on which it moved, for any
   * event.
   */
  days: { first: number; last: number; from: number; before: number } | null;
  /** The event to compare with. */
  against: ReportEvent | null;
  /** Earlier dates of the same show, latest first. */
  earlier: ReportEvent[];
}

/** The most earlier dates that are drawn next to an event. */
export const mostEarlier = 5;

/**
 * @throws Refusal bad_request for fields that do not go together, event_not_found, show_not_found
 */
export async function readScope(ctx: Ctx, ask: ScopeAsk): Promise<Scope> {
  requireOneKind(ask);
  if (ask.event_id !== undefined) return scopeOfEvent(ctx, ask.event_id, ask.against);
  if (ask.against !== undefined) refuseField('against', 'Serve un evento da confrontare.');
  if (ask.show_id !== undefined) return scopeOfShow(ctx, ask.show_id);
  if (ask.from !== undefined || ask.to !== undefined) return scopeOfPeriod(ctx, ask);
  const year = ask.season === undefined ? seasonOf(romeDay(ctx.now())) : Number(ask.season);
  const { from, to } = daysOfSeason(year);
  return {
    ...nothing,
    kind: 'season',
    name: `Stagione ${year}/${String(year + 1).slice(2)}`,
    events: await reportEvents(ctx.db, { from: startOfDay(from), before: startOfDay(to + 1) }),
  };
}

const nothing = { event_id: null, show_id: null, days: null, against: null, earlier: [] };

function requireOneKind({ event_id, show_id, season, from, to }: ScopeAsk): void {
  const [, second] = Object.entries({ event_id, show_id, season, from: from ?? to }).filter(
    ([, value]) => value !== undefined,
  );
  if (second)
    refuseField(
      second[0],
      'Un rapporto riguarda una cosa sola: evento, spettacolo, stagione o periodo.',
    );
}

export function refuseField(field: string, fault: string): never {
  throw new Refusal('bad_request', { part: 'query', fields: [field], faults: { [field]: fault } });
}

async function scopeOfEvent(ctx: Ctx, id: string, other: string | undefined): Promise<Scope> {
  const event = await findReportEvent(ctx.db, id);
  if (event === undefined) throw new Refusal('event_not_found');
  const dates =
    event.show_id === null ? [] : await reportEvents(ctx.db, { show_id: event.show_id });
  const earlier = dates
    .filter(({ starts_at }) => starts_at < event.starts_at)
    .toReversed()
    .slice(0, mostEarlier);
  return {
    ...nothing,
    kind: 'event',
    name: nameOf(event),
    event_id: id,
    show_id: event.show_id,
    events: [event],
    against: other === undefined ? null : await readAgainst(ctx, { event, earlier, other }),
    earlier,
  };
}

async function readAgainst(
  ctx: Ctx,
  { event, earlier, other }: { event: ReportEvent; earlier: ReportEvent[]; other: string },
): Promise<ReportEvent> {
  if (other === 'before')
    return earlier[0] ?? refuseField('against', 'Lo spettacolo non ha una data precedente.');
  if (other === event.id) refuseField('against', 'È lo stesso evento.');
  return (
    (await findReportEvent(ctx.db, other)) ?? refuseField('against', 'Questo evento non esiste.')
  );
}

async function scopeOfShow(ctx: Ctx, show_id: string): Promise<Scope> {
  const show = await findShow(ctx.db, show_id);
  if (show === undefined) throw new Refusal('show_not_found');
  const events = await reportEvents(ctx.db, { show_id });
  return { ...nothing, kind: 'show', name: show.title, show_id, events };
}

async function scopeOfPeriod(ctx: Ctx, { from, to }: ScopeAsk): Promise<Scope> {
  if (from === undefined) refuseField('from', 'Manca il primo giorno del periodo.');
  if (to === undefined) refuseField('to', 'Manca l’ultimo giorno del periodo.');
  if (to < from) refuseField('to', 'L’ultimo giorno viene prima del primo.');
  const [first, last] = [dayOf(from), dayOf(to)];
  const span = { from: startOfDay(first), before: startOfDay(last + 1) };
  return {
    ...nothing,
    kind: 'period',
    name: from === to ? formatDate(from) : `Dal ${formatDate(from)} al ${formatDate(to)}`,
    events: await reportEvents(ctx.db, span),
    days: { first, last, ...span },
  };
}

export function nameOf({ title, starts_at }: ReportEvent): string {
  return `${title}, ${formatListDate(starts_at)}`;
}
