/**
 * Part of the start schema: what a job has counted for reports, event by event, and which counts
 * are outdated.
 */
import { bigInteger, integer, text, table } from './table.ts';

/** After the events. */
export const reportTables = {
  kept_figures: table({
    event_id: text(100).primary().references('events.id'),
    // The event's version when it was counted; with another one the count is outdated.
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
   * Changes that the event's own row does not show: one row each, only ever added, so that no
   * transaction waits for another.
   */
  figure_changes: table({
    // What changed, and its new value, so that a repetition is recognised.
    id: text(150).primary(),
    event_id: text(100),
  }),
};
