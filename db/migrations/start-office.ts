/** Part of the start schema: waiting work, mails, pictures and counters. */
import type { Task } from '#db/tasks.ts';
import type { MailKind, MailState } from '#server/domain/mail/kinds.ts';
import type { MessageAct } from '#server/domain/mail/message.ts';
import { bigInteger, binary, integer, text, table, tableInKey } from './table.ts';

export const officeTables = {
  outbox: tableInKey({
    // The task and its subject, so that there is at most one row for both.
    id: text(141).primary(),
    task: text<Task>(40),
    subject: text(100),
    run_at: bigInteger().index(),
    attempts: integer(),
    locked_until: bigInteger().orNull(),
    // Set when the task is requested again while it runs: it must run once more.
    bell: integer(),
    last_error: text().orNull(),
  }),

  webhook_events: table({
    id: text(100).primary(),
    type: text(100),
    received_at: bigInteger().index(),
    // What the event changed here, and for which order.
    outcome: text<'order' | 'payment' | 'payout' | 'nothing'>(10),
    order_id: text(40).orNull(),
    // How often Stripe delivered it; a repeat changes nothing else.
    tries: integer().defaultTo(1),
  }),

  audit: tableInKey(
    {
      id: text(40),
      at: bigInteger(),
      actor: text(100),
      action: text(60),
      subject: text(100),
      detail: text().orNull(),
      // The seal over this entry, or null while there is none.
      seal: integer().orNull(),
      // A buyer's own data in the detail: their hash, and the salt that is deleted when the buyer
      // is erased.
      personal_hash: text(64).orNull(),
      personal_salt: text(32).orNull(),
    },
    (t) => {
      t.primary(['at', 'id']);
    },
  ),

  /** One row per batch of sealed entries: a hash over all of them and over the seal before. */
  audit_seals: table({
    n: integer().primary(),
    sealed_at: bigInteger(),
    entries: integer(),
    before: text(64),
    hash: text(64),
  }),

  settings: table({
    key: text(60).primary(),
    value: text(),
  }),

  /** The running servers of this house; one that is killed leaves its row until it is swept. */
  processes: table({
    id: text(40).primary(),
    version: text(40),
    // Where it runs, for a person who looks for it.
    host: text(255),
    pid: integer(),
    started_at: bigInteger(),
    last_beat_at: bigInteger(),
  }),

  mails: table(
    {
      id: text(40).primary(),
      order_id: text(40).orNull().references('orders.id'),
      event_id: text(100).orNull(),
      kind: text<MailKind>(30),
      // Distinguishes mails of one kind: '' for the only one, otherwise for example the refund's
      // id.
      key: text(100),
      message_id: text(250).unique(),
      state: text<MailState>(10),
      attempts: integer(),
      created_at: bigInteger().index(),
      // Set when the mail is composed, so that the office sees what was sent.
      to_address: text(254).orNull(),
      subject: text(300).orNull(),
      text: text().orNull(),
      html: text().orNull(),
      attachments: text().orNull(),
      sent_at: bigInteger().orNull(),
      last_error: text().orNull(),
      forgotten_at: bigInteger().orNull(),
    },
    (t) => {
      t.unique(['order_id', 'kind', 'key']);
      t.index(['state']);
    },
  ),

  /** A message to many buyers: words of the office, or their tickets again. */
  messages: table({
    id: text(40).primary(),
    // The client's own key makes a repeated click the same message.
    ask_key: text(40).unique(),
    act: text<MessageAct>(10),
    // Null if the message is about several events.
    event_id: text(100).orNull().references('events.id'),
    subject: text(150).orNull(),
    body: text().orNull(),
    orders: integer(),
    left_out: integer(),
    actor: text(100),
    created_at: bigInteger().index(),
    begins_at: bigInteger(),
    begun_at: bigInteger().orNull(),
    withdrawn_at: bigInteger().orNull(),
    // When it was stopped; null while it runs or after it was resumed.
    stopped_at: bigInteger().orNull(),
    finished_at: bigInteger().orNull(),
  }),

  /**
   * Every order that a message is about. The mail belongs to the first order of each address; no
   * address is stored here.
   */
  message_orders: table(
    {
      message_id: text(40).references('messages.id'),
      order_id: text(40).references('orders.id').index(),
      lead_order_id: text(40),
      position: integer(),
      mail_id: text(40).orNull(),
    },
    (t) => {
      t.primary(['message_id', 'order_id']);
    },
  ),

  /**
   * Addresses that wait for a sale to open; a row is deleted when its mail is stored, or when it
   * was not confirmed in time.
   */
  reminders: table(
    {
      id: text(40).primary(),
      event_id: text(100).references('events.id'),
      email: text(254),
      email_hash: text(64),
      token_hash: text(64).unique(),
      asked_at: bigInteger(),
      confirmed_at: bigInteger().orNull(),
    },
    (t) => {
      t.unique(['event_id', 'email_hash']);
    },
  ),

  /** Pictures are in the database because several processes may serve them. */
  images: table({
    id: text(40).primary(),
    content_hash: text(64).unique(),
    shape: text<'ball' | 'banner' | 'logo'>(10),
    width: integer(),
    height: integer(),
    created_at: bigInteger(),
  }),

  image_files: table(
    {
      image_id: text(40).references('images.id'),
      width: integer(),
      format: text<'avif' | 'webp' | 'jpg'>(5),
      content: binary(),
    },
    (t) => {
      t.primary(['image_id', 'width', 'format']);
    },
  ),

  /**
   * Our own visit counters by day, name, kind of page and step of a scale, without personal data.
   */
  visit_counts: table(
    {
      day: text(10),
      name: text(64),
      page: text(40),
      step: text(20),
      n: integer(),
    },
    (t) => {
      t.primary(['day', 'name', 'page', 'step']);
    },
  ),

  /** How often holds were prolonged is in the database because several processes count it. */
  hold_prolongations: table({
    hold_token: text(200).primary(),
    times: integer(),
    last_at: bigInteger().index(),
  }),
};

/**
 * These indexes contain sealed entries only. The sealing job fills them, so that writing an entry
 * never waits for them.
 */
export const officeIndexes = [
  'CREATE INDEX audit_seal ON audit (seal) WHERE seal IS NOT NULL',
  'CREATE INDEX audit_subject ON audit (subject) WHERE seal IS NOT NULL',
  'CREATE INDEX audit_action ON audit (action, at, id) WHERE seal IS NOT NULL',
  'CREATE INDEX audit_actor ON audit (actor, at, id) WHERE seal IS NOT NULL',
];
