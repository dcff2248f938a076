/**
 * Part of the start schema: what a job has counted for reports, event by event, and whose counts
 * are old.
 */
import { bigInteger, integer, text, table } from './table.ts';

/** After the events. */
export const reportTables = {
  kept_figures: table({
    event_id: text(100).primary().references('events.id'),
    // Of the event when it was counted: with another one there may be something new.
    feed_seq: bigInteger(),
    version: integer(),
    counted_at: bigInteger(),
    // Days of Rome since 1970, of its first and last sale or movement of money; null: there is
    // none.
    first_day: integer().orNull(),
    last_day: integer().orNull(),
    // JSON: server/domain/report has their shapes.
    sales: text(),
    hall: text(),
    door: text(),
    money: text(),
  }),

  /**
   * Changes that the event's own row does not tell of: one row each, only ever added, so that
   * nobody waits for anybody.
   */
  figure_changes: table({
    // What changed, and into what: the same again is no news.
    id: text(150).primary(),
    event_id: text(100),
  }),
};
