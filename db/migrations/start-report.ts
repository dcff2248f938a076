/**
 * Part of the start schema: counts that a job makes for reports, event by event, and which of
 * them are outdated.
 */
import { bigInteger, integer, text, table } from './table.ts';

/** Made after the events. */
export const reportTables = {
  kept_figures: table({
    event_id: text(100).primary().references('events.id'),
    // The event's numbers at the time of the count; if they differ now, the count is outdated.
    feed_seq: bigInteger(),
    version: integer(),
    counted_at: bigInteger(),
    // The first and the last day with a sale or a movement of money, counted in Rome since 1970;
    // null if there is none.
    first_day: integer().orNull(),
    last_day: integer().orNull(),
    // JSON with the shapes of server/domain/report.
    sales: text(),
    hall: text(),
    door: text(),
    money: text(),
  }),

  /**
   * Changes that the event's own row does not show and that make its counts outdated. Rows are
   * only added, so that no transaction waits for another.
   */
  figure_changes: table({
    // What changed and its new value, so that the same change is stored once.
    id: text(150).primary(),
    event_id: text(100),
  }),
};
