/**
 * Who learns of each act besides the registry: other programs, the phones at the door, and people
 * by mail; or why no mail is sent. Reports are not listed here: a row of money marks them as
 * changed when it is written (db/payment/figure-changes.ts).
 */
import type { AuditAction } from '#server/domain/audit/audit.ts';
import { mailKinds, type MailKind } from '#server/domain/mail/kinds.ts';
import type { WebhookKind } from '#server/domain/program/webhook.ts';

interface NotTold {
  because: string;
}

interface Told {
  programs: readonly WebhookKind[] | NotTold;
  /**
   * `event`: only the event's own row has changed, and happened() takes the next number of the
   * door's feed. `rows`: the changed rows already have the number that takeDoorTurn() gave.
   */
  door: 'event' | 'rows' | NotTold;
  /** The kinds of mail that the act may send; the caller chooses the receivers. */
  mails: readonly MailKind[] | NotTold;
}

function notTold(because: string): NotTold {
  return { because };
}

function onlyRegistry(because: string) {
  return { programs: notTold(because), door: notTold(because), mails: notTold(because) };
}

const moneyStays = notTold('the money has not gone back yet');
const ticketsStay = notTold('the codes of the tickets stay the same');
const ticketsEnded = notTold('the tickets ended when the refund was decided');
/** The decision of a refund, which may end tickets and may hand the money back at once. */
const refundDecided = {
  programs: ['order.refunded', 'ticket.ended'],
  door: 'rows',
  mails: ['refunded', 'gift_receipt', 'tickets_ended', 'event_cancelled'],
} as const;
const noTickets = notTold('the order has no tickets');
const unpaid = notTold('the order is not paid yet');
const partOfSale = onlyRegistry('the sale itself tells of the order');
const officeDecides = onlyRegistry(
  'the office decides what comes of it, which is an act of its own',
);
const ownActs = onlyRegistry('what comes of it is an act of its own');
const onPaper = onlyRegistry('nothing of the order changes but a paper');
const corrected = onlyRegistry('the tickets stay the same, and the office sends them again');
const officeNote = onlyRegistry('a note is for the office alone');
const shownAtDoor = {
  programs: ticketsStay,
  door: 'rows',
  mails: notTold('the text is for the door alone'),
} as const;
const ofRehearsal = notTold('a rehearsal is not in the programme');
const ofPhone = onlyRegistry('the phone asks by itself whether it may go on');
const drafted = onlyRegistry('the event is a draft');
const neverSold = onlyRegistry('only what was never sold is deleted');
const ofQueue = onlyRegistry('the page of the waiting room asks by itself');
const ofRule = onlyRegistry('it changes no list price, and what was sold keeps its price');
const ofDrawing = onlyRegistry('a drawing changes no event until it is published');
const freeSeats = onlyRegistry('it is about seats that are not sold');
const ofTill = onlyRegistry('it concerns the till alone');
const ofPerson = onlyRegistry('it concerns one person of the office');
const ofHouse = onlyRegistry('it concerns the office alone');
const ofMessage = onlyRegistry('the letters of the message are stored by its own task');
const ofSeals = onlyRegistry('fiscal seals change no ticket');
const onPage = onlyRegistry('the page of the order shows it');
const atTheDoor = notTold('the person stands at the door');
const keptUntil = notTold('the mail with the tickets said until when the place is kept');
const scanned = {
  programs: notTold('each scan tells of itself, see tellPassages()'),
  door: 'rows',
  mails: atTheDoor,
} as const;
const withoutTicket = {
  programs: notTold('the people have no ticket'),
  door: 'rows',
  mails: notTold('the people have no ticket'),
} as const;
const moneyUnderWay = {
  programs: moneyStays,
  door: ticketsEnded,
  mails: ['refunded'],
} as const;
const moneyStayed = {
  programs: moneyStays,
  door: ticketsEnded,
  mails: ['tickets_ended'],
} as const;

export const acts = {
  order_stored: onlyRegistry('the order is not paid yet'),
  order_recovered: ownActs,
  sale_rebuilt: partOfSale,
  cancel_asked: ownActs,
  order_deleted: { programs: noTickets, door: noTickets, mails: ['cancelled'] },
  order_confirmed: {
    programs: ['order.confirmed', 'ticket.issued'],
    door: 'rows',
    mails: ['tickets', 'day_before'],
  },
  payment_processing: { programs: unpaid, door: unpaid, mails: ['awaiting'] },
  click_asked: { programs: unpaid, door: unpaid, mails: ['confirm_click'] },
  places_let_go: { programs: ticketsStay, door: 'rows', mails: keptUntil },
  place_taken_back: { programs: ticketsStay, door: 'rows', mails: atTheDoor },
  let_in_against: officeDecides,
  against_settled: onlyRegistry('the scan that it stores tells of itself'),
  place_given: { programs: ['ticket.ended'], door: 'rows', mails: keptUntil },
  amount_differs: officeDecides,
  paid_after_end: { programs: noTickets, door: noTickets, mails: ['late_refunded'] },
  holder_named: { programs: ticketsStay, door: 'rows', mails: ['tickets', 'holder_changed'] },
  holder_changed: {
    programs: ['ticket.revised'],
    door: 'rows',
    mails: ['tickets', 'holder_changed'],
  },
  attention_settled: ownActs,
  refund_asked: { programs: moneyStays, door: ticketsStay, mails: ['refund_asked'] },
  refund_requested: refundDecided,
  refund_approved: refundDecided,
  refund_refused: { programs: moneyStays, door: ticketsStay, mails: ['refund_refused'] },
  refund_withdrawn: onlyRegistry('nothing of the order changes'),
  refund_pending: moneyUnderWay,
  refund_requires_action: moneyUnderWay,
  refund_succeeded: { programs: ['order.refunded'], door: ticketsEnded, mails: ['refunded'] },
  refund_failed: moneyStayed,
  refund_canceled: moneyStayed,
  refund_taken_over: {
    programs: ['order.refunded'],
    door: notTold('the office decides what becomes of the tickets'),
    mails: notTold('Stripe’s dashboard has told the buyer'),
  },
  refund_done_elsewhere: {
    programs: notTold('the refund that was made at Stripe tells of itself'),
    door: ticketsEnded,
    mails: ['tickets_ended'],
  },
  refund_retry: refundDecided,
  refund_handed_back: { programs: ['order.refunded'], door: ticketsEnded, mails: ['refunded'] },
  refund_restore: {
    programs: ['ticket.revised'],
    door: 'rows',
    mails: ['tickets', 'holder_changed'],
  },
  refund_void: ownActs,
  refund_keep: onlyRegistry('nothing of the order changes'),
  seats_freed: onlyRegistry('the tickets ended when the refund was decided'),
  dispute_created: officeDecides,
  dispute_changed: officeDecides,
  event_cancelled: {
    programs: ['event.changed'],
    door: 'event',
    mails: ['event_cancelled', 'cancellation_asked'],
  },
  postponement_answered: onlyRegistry('the buyer has just said it'),
  cancellation_answered: onlyRegistry('the buyer has just said it'),
  buyer_forgotten: {
    programs: ticketsStay,
    door: 'rows',
    mails: notTold('the address is forgotten'),
  },
  buyer_email_changed: corrected,
  buyer_changed: { ...corrected, door: 'rows' },
  door_note_written: shownAtDoor,
  door_note_removed: shownAtDoor,
  note_added: officeNote,
  note_pinned: officeNote,
  note_unpinned: officeNote,
  note_deleted: officeNote,
  seats_added: partOfSale,
  mail_resent: {
    programs: notTold('nothing of the order changes'),
    door: notTold('nothing of the order changes'),
    mails: mailKinds,
  },
  unusual_reading: onlyRegistry('Salute tells the office of it'),
  link_replaced: {
    programs: ticketsStay,
    door: notTold('the codes of the tickets stay the same'),
    mails: ['tickets'],
  },
  mail_bounced: onlyRegistry('the address does not work'),
  order_read_again: ownActs,
  break_settled: ownActs,
  seats_reserved: onlyRegistry('the order is not paid yet'),
  reservation_changed: onlyRegistry('the order is not paid yet'),
  deposit_taken: onlyRegistry('the order is not paid yet'),
  deposit_kept: refundDecided,
  price_by_hand: partOfSale,
  group_sold: partOfSale,
  seat_rules_overridden: partOfSale,
  tickets_printed: onPaper,
  tickets_reissued: {
    programs: ['ticket.revised'],
    door: 'rows',
    mails: ['tickets', 'holder_changed'],
  },
  invoice_asked: onPage,
  invoice_changed: onPage,
  invoice_made: onPage,
  invoice_reopened: onPage,
  exchange_begun: onlyRegistry('the old tickets stay good until the new ones are paid'),
  tickets_exchanged: refundDecided,
  money_left: refundDecided,
  exchange_ended: onlyRegistry('nothing of the order changes'),
  tickets_moved: {
    programs: ['ticket.revised'],
    door: 'rows',
    mails: ['seats_changed', 'holder_changed'],
  },
  tickets_retyped: {
    programs: ['ticket.revised'],
    door: 'rows',
    mails: ['tickets', 'holder_changed'],
  },
  tickets_swapped: {
    programs: ['ticket.revised'],
    door: 'rows',
    mails: ['seats_changed', 'holder_changed'],
  },
  move_given_up: onlyRegistry('nothing of the order changes'),

  admitted: scanned,
  let_out: scanned,
  admission_undone: scanned,
  conflict_settled: onlyRegistry('the scans stay as they are'),
  doubt_settled: scanned,
  scans_imported: scanned,
  phone_scans_undone: scanned,
  heads_counted: withoutTicket,
  heads_undone: withoutTicket,
  rehearsal_made: onlyRegistry('no phone has its list yet'),
  rehearsal_turned: { programs: ofRehearsal, door: 'event', mails: ofRehearsal },
  rehearsal_closed: { programs: ofRehearsal, door: 'event', mails: ofRehearsal },
  phone_made: ofPhone,
  phone_changed: ofPhone,
  phone_pairing_renewed: ofPhone,
  phone_paired: ofPhone,
  phone_revoked: ofPhone,
  door_pin_set: ofPhone,
  door_pin_removed: ofPhone,
  phone_key_set: ofPhone,

  event_created: drafted,
  event_duplicated: drafted,
  dates_made: drafted,
  event_saved: {
    programs: ['event.changed'],
    door: 'event',
    mails: ['event_changed', 'names_asked'],
  },
  event_published: {
    programs: ['event.changed'],
    door: 'event',
    mails: notTold('those who wait for the sale are told when it opens'),
  },
  event_unpublished: {
    programs: ['event.changed'],
    door: 'event',
    mails: notTold('what was sold stays good'),
  },
  show_changed: {
    programs: ['event.changed'],
    door: 'rows',
    mails: ['event_changed', 'names_asked'],
  },
  prices_typed: {
    programs: ['event.changed'],
    door: notTold('the door asks for no price'),
    mails: notTold('what was sold keeps its price'),
  },
  prices_renewed: {
    programs: ['event.changed'],
    door: notTold('the door asks for no price'),
    mails: notTold('what was sold keeps its price'),
  },
  price_rule_added: ofRule,
  price_rule_changed: ofRule,
  price_rule_ended: ofRule,
  price_code_added: ofRule,
  price_codes_made: ofRule,
  price_code_changed: ofRule,
  price_code_ended: ofRule,
  test_orders_removed: {
    programs: notTold('no real money was paid'),
    door: 'rows',
    mails: notTold('no real money was paid'),
  },
  demo_removed: onlyRegistry('it was never sold for real'),
  event_deleted: neverSold,
  show_deleted: neverSold,
  event_postponed: { programs: ['event.changed'], door: 'event', mails: ['event_postponed'] },
  orders_transferred: onlyRegistry('each order that goes is an act of its own'),
  act_taken_back: {
    programs: ['event.changed'],
    door: 'event',
    mails: notTold('none of its mails has left'),
  },
  postponement_closed: onlyRegistry('each answer is an act of its own'),
  sale_resumed: {
    programs: ['event.changed'],
    door: notTold('the door sells nothing'),
    mails: notTold('what was sold stays as it is'),
  },
  rehousing_planned: onlyRegistry('every ticket is still on its seat'),
  rehousing_started: {
    programs: ['event.changed'],
    door: notTold('every ticket is still on its seat'),
    mails: notTold('it can still be called off'),
  },
  rehousing_called_off: onlyRegistry('every ticket is still on its seat'),
  rehousing_done: {
    programs: ['event.changed', 'ticket.revised'],
    door: 'rows',
    mails: ['seats_changed', 'holder_changed'],
  },
  queue_set: ofQueue,
  queue_paused: ofQueue,
  queue_resumed: ofQueue,
  queue_closed: ofQueue,
  queue_told: ofQueue,
  network_crowd: onlyRegistry('Salute tells the office of it'),
  image_added: onlyRegistry('no page shows it until the event is saved'),

  chart_imported: ofDrawing,
  chart_made: ofDrawing,
  chart_copied: ofDrawing,
  chart_renamed: ofDrawing,
  chart_archived: ofDrawing,
  chart_unarchived: ofDrawing,
  chart_published: {
    programs: notTold('seats keep their names'),
    door: 'rows',
    mails: notTold('seats keep their names'),
  },
  chart_restored: ofDrawing,
  chart_draft_discarded: ofDrawing,
  places_added: {
    programs: notTold('it is about seats that are not sold'),
    door: 'rows',
    mails: notTold('it is about seats that are not sold'),
  },
  seats_blocked: freeSeats,
  seats_unblocked: freeSeats,
  block_changed: freeSeats,
  contingent_made: freeSeats,
  contingent_changed: freeSeats,
  contingent_seats_added: freeSeats,
  contingent_seats_removed: freeSeats,
  contingent_released: freeSeats,
  contingent_restored: freeSeats,
  holds_freed: freeSeats,
  code_secret_changed: onlyRegistry('each order with new codes is an act of its own'),
  code_secret_ended: onlyRegistry('no good ticket has a code of it'),
  seals_imported: ofSeals,
  seals_import_undone: ofSeals,

  person_invited: {
    programs: notTold('it concerns one person of the office'),
    door: notTold('it concerns one person of the office'),
    mails: ['invitation'],
  },
  invite_accepted: ofPerson,
  invite_withdrawn: ofPerson,
  role_changed: ofPerson,
  person_suspended: ofPerson,
  person_restored: ofPerson,
  person_removed: ofPerson,
  reset_link_made: ofPerson,
  password_changed: ofPerson,
  password_reset: ofPerson,
  sessions_ended: ofPerson,
  factor_added: ofPerson,
  factor_removed: ofPerson,
  factors_reset: ofPerson,
  recovery_codes_made: ofPerson,
  recovery_code_used: ofPerson,
  code_failed: ofPerson,
  logged_in: ofPerson,
  login_failed: {
    programs: notTold('it concerns one person of the office'),
    door: notTold('it concerns one person of the office'),
    mails: ['login_alarm'],
  },

  shift_opened: ofTill,
  shift_moved: ofTill,
  shift_counted: ofTill,
  shift_closed: ofTill,
  day_counted: ofTill,
  day_signed: ofTill,
  tills_changed: ofTill,
  message_queued: ofMessage,
  message_withdrawn: ofMessage,
  message_stopped: ofMessage,
  refunds_stopped: ownActs,
  refunds_resumed: ownActs,
  file_stopped: ofHouse,
  message_resumed: ofMessage,

  site_changed: ofHouse,
  look_changed: ofHouse,
  maintenance_begun: ofHouse,
  maintenance_ended: ofHouse,
  backup_asked: ofHouse,
  clock_set_back: ofHouse,
  job_hurried: ofHouse,
  job_abandoned: ofHouse,
  personal_exported: ofHouse,
  person_erased: ownActs,
  retention_changed: ofHouse,
  retention_kept: ofHouse,
  program_token_made: ofHouse,
  program_token_revoked: ofHouse,
  program_address_made: ofHouse,
  program_address_changed: ofHouse,
  program_address_deleted: ofHouse,
  program_secret_changed: ofHouse,
} as const satisfies Record<AuditAction, Told>;

type ActsWhere<Column extends keyof Told, Value> = {
  [Act in AuditAction]: (typeof acts)[Act][Column] extends Value ? Act : never;
}[AuditAction];

/** Acts that may end tickets: those that tell programs so. */
export type EndingAct = {
  [Act in AuditAction]: 'ticket.ended' extends NewsOf<(typeof acts)[Act]['programs']> ? Act : never;
}[AuditAction];
type NewsOf<Programs> = Programs extends readonly (infer Kind)[] ? Kind : never;

/** Acts whose changed rows get a number of the door's feed. */
export type DoorRowsAct = ActsWhere<'door', 'rows'>;
/** The kinds of mail that an act may send. */
export type MailOf<Act extends AuditAction> = (typeof acts)[Act]['mails'] extends infer Kinds
  ? Kinds extends readonly (infer Kind extends MailKind)[]
    ? Kind
    : never
  : never;

/** The kinds of news that an act sends to other programs. */
export function newsKindsOf(act: AuditAction): readonly WebhookKind[] {
  const { programs }: Told = acts[act];
  return 'because' in programs ? [] : programs;
}

export function changesEventAtDoor(act: AuditAction): boolean {
  const { door }: Told = acts[act];
  return door === 'event';
}
