/**
 * Part of the start schema: other programs that read here, and the addresses of their webhooks.
 */
import type { DeliveryKind, DeliveryState, OffReason } from '#server/domain/program/webhook.ts';
import { bigInteger, integer, text, table } from './table.ts';

export const programTables = {
  program_tokens: table({
    id: text(40).primary(),
    name: text(80),
    token_hash: text(64).unique(),
    // The token's first letters, by which its owner recognises it.
    token_start: text(20),
    // JSON: the scopes that it may read.
    scopes: text(),
    // Null for all events.
    event_id: text(100).orNull(),
    made_by: text(100),
    created_at: bigInteger(),
    expires_at: bigInteger().orNull(),
    revoked_at: bigInteger().orNull(),
    // Exact to the minute.
    last_used_at: bigInteger().orNull(),
  }),

  /** Addresses of other programs to which webhooks are sent. */
  program_addresses: table({
    id: text(40).primary(),
    url: text(500),
    // JSON: the kinds of messages that the address wants.
    kinds: text(),
    event_id: text(100).orNull(),
    // The column is longer than a plain secret, because the secret is sealed.
    secret: text(200),
    earlier_secret: text(200).orNull(),
    earlier_until: bigInteger().orNull(),
    made_by: text(100),
    created_at: bigInteger(),
    off_at: bigInteger().orNull(),
    off_why: text<OffReason>(10).orNull(),
    // The address has asked for nothing until then.
    rest_until: bigInteger().orNull(),
  }),

  /**
   * One message to one address; its id never changes. It has no foreign key to the address, so
   * that a booking never fails because an address was just deleted.
   */
  program_deliveries: table(
    {
      id: text(40).primary(),
      address_id: text(40),
      kind: text<DeliveryKind>(30),
      body: text(),
      created_at: bigInteger().index(),
      state: text<DeliveryState>(10),
      // When the message was written, or last sent again by a person.
      since: bigInteger(),
      run_at: bigInteger(),
      failures: integer(),
      locked_until: bigInteger().orNull(),
      tried_at: bigInteger().orNull(),
      status: integer().orNull(),
      // The beginning of the last answer, or the reason why there was none.
      answer: text().orNull(),
      fault: text(200).orNull(),
      // The key of a message that is sent only once.
      once_key: text(250).orNull(),
    },
    (t) => {
      t.unique(['address_id', 'once_key']);
      t.index(['address_id', 'created_at', 'id']);
    },
  ),

  /** Categories for which a message about the last places was sent. */
  program_low_seats: table(
    {
      event_id: text(100),
      category_key: text(100),
      since: bigInteger(),
    },
    (t) => {
      t.primary(['event_id', 'category_key']);
    },
  ),
};

export const programIndexes = [
  "CREATE INDEX program_deliveries_due ON program_deliveries (run_at) WHERE state = 'waiting'",
];
