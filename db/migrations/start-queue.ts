/**
 * Part of the start schema: waiting rooms of events, their entrants, and how long bookings take.
 */
import type { QueueMode } from '#server/domain/queue/queue.ts';
import { bigInteger, integer, table, text, truth } from './table.ts';

export const queueTables = {
  queues: table({
    event_id: text(100).primary().references('events.id', 'CASCADE'),
    mode: text<QueueMode>(10).index(),
    // Null if the room opens with the sale.
    opens_at: bigInteger().orNull(),
    // Null if the rate follows the duration of bookings.
    fixed_per_minute: integer().orNull(),
    minutes: integer(),
    most_inside: integer().orNull(),
    code: text(40).orNull(),
    message: text(300).orNull(),
    paused: truth().defaultTo(0),
    closed: truth().defaultTo(0),
    // The seed is stored sealed until it is published, after the list of entrants is fixed; its
    // hash is public from the first day.
    seed: text(160),
    seed_hash: text(43),
    root: text(43).orNull(),
    fixed_at: bigInteger().orNull(),
    // Numbers are called from this time on.
    opened_at: bigInteger().orNull(),
    // The number of entrants drawn, the last number given out, and the last number called.
    drawn: integer().defaultTo(0),
    last: integer().defaultTo(0),
    serving: integer().defaultTo(0),
    credit: integer().defaultTo(0),
    // The measured rate, and when it was computed.
    per_minute: integer(),
    rated_at: bigInteger().defaultTo(0),
    slow_at: bigInteger().orNull(),
    // Set before the counter moves, so that only one process moves it.
    paced_at: bigInteger().defaultTo(0),
    // The event at the seat map that accepts only hold tokens of admitted entrants.
    guarded_key: text(100).orNull(),
  }),

  queue_places: table(
    {
      // A hash of the secret id in the entrant's cookie.
      place_hash: text(43).primary(),
      event_id: text(100).references('queues.event_id', 'CASCADE'),
      nonce: text(43),
      // Microseconds; each process gives every entrant a later time than the one before.
      arrival: bigInteger(),
      number: integer().orNull(),
      // The entrant came with the code and has no number.
      skips: truth().defaultTo(0),
      called_at: bigInteger().orNull(),
      pass_until: bigInteger().orNull(),
      done_at: bigInteger().orNull(),
      hold_token: text(100).orNull(),
      // The address for a mail when the turn is near; deleted when the mail is written.
      email: text(254).orNull(),
    },
    (t) => {
      t.unique(['event_id', 'number']);
      t.index(['event_id', 'called_at']);
    },
  ),

  /** One row per process: how long its recent bookings took (pace.ts). */
  queue_loads: table({
    process: text(40).primary(),
    at: bigInteger(),
    counts: text(200),
  }),
};

export const queueIndexes = [
  // Entrants without a number, in the order of arrival.
  'CREATE INDEX queue_places_new ON queue_places (event_id, arrival) WHERE number IS NULL',
  'CREATE INDEX queue_places_mail ON queue_places (event_id, number) WHERE email IS NOT NULL',
  'CREATE INDEX queue_places_hold ON queue_places (hold_token) WHERE hold_token IS NOT NULL',
  'CREATE INDEX queue_places_email ON queue_places (LOWER(email)) WHERE email IS NOT NULL',
];
