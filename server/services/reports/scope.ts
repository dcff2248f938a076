/** What a report is of: one event, all dates of a show, a season, or what happened on some days. */
import { findEvent } from '#db/events.ts';
import { findShow } from '#db/shows.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';

export interface ScopeAsk {
  event_id?: string;
  show_id?: string;
  /** The year in which it begins. */
  season?: string;
  /** Days in Rome, both included. */
  from?: string;
  to?: string;
  against?: string;
}

export interface Scope {
  /** In words, for the title of screen and paper. */
  name: string;
  event_id: string | null;
  show_id: string | null;
}

export async function readScope(ctx: Ctx, { event_id, show_id }: ScopeAsk): Promise<Scope> {
  if (event_id !== undefined) {
    const event = await findEvent(ctx.db, event_id);
    if (event === undefined) throw new Refusal('event_not_found');
    return { name: event.title, event_id, show_id: event.show_id };
  }
  if (show_id !== undefined) {
    const show = await findShow(ctx.db, show_id);
    if (show === undefined) throw new Refusal('show_not_found');
    return { name: show.title, event_id: null, show_id };
  }
  return { name: 'Tutto', event_id: null, show_id: null };
}
