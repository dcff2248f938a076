/**
 * Rules that our own tables must obey, as SQL queries for violations. They run in tests, in the
 * simulation, and hourly in production.
 */
import { findBrokenSeals, findLateSeals } from '#db/audit/audit-seals.ts';
import { hasPlace } from '#db/joins.ts';
import { findWrongCounts } from '#db/report/kept.ts';
import type { Db } from '#db/engine/dialect.ts';
import { tasks } from '#db/tasks.ts';

/**
 * What a violation's `subject` names: an id; for a place its event and label; for a task its kind
 * and subject.
 */
type InvariantAbout =
  | 'order'
  | 'place'
  | 'refund'
  | 'mail'
  | 'phone'
  | 'task'
  | 'seal'
  | 'payout'
  | 'code'
  | 'event';

export interface Violation {
  subject: string;
}

interface Invariant {
  name: string;
  /** The rule in Italian, for the office. */
  words: string;
  about: InvariantAbout;
  /**
   * True if the rule holds at any instant; the others hold after some minutes of work (RULES I1).
   */
  always: boolean;
  /** Finds at most `mostViolations` subjects, each once. */
  find: (db: Db, now: number) => Promise<Violation[]>;
}

const mostViolations = 1_000;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Times that a query may use, by a colon and the name of the time. */
function momentsOf(now: number) {
  return {
    five_minutes_ago: now - 5 * minuteMs,
    ten_minutes_ago: now - 10 * minuteMs,
    three_days_ago: now - 3 * dayMs,
    eleven_days_ago: now - 11 * dayMs,
  };
}

interface Rule extends Pick<Invariant, 'name' | 'words' | 'about'> {
  sql: string;
}

function invariantOf({ sql, ...rule }: Rule, always: boolean): Invariant {
  return {
    ...rule,
    always,
    find: (db, now) =>
      db
        .from(db.raw(`(${sql}) AS broken`, namedIn(sql, momentsOf(now))))
        .distinct('subject')
        .orderBy('subject')
        .limit(mostViolations),
  };
}

/** The times that the query names, because Knex refuses others. */
function namedIn(sql: string, moments: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(moments).filter(([name]) => sql.includes(`:${name}`)));
}

/**
 * States of refunds that reduce what is left to give back (server/domain/payment/refund.ts
 * `countedRefunds`).
 */
const counted = `('requested', 'pending', 'requires_action', 'succeeded')`;
const open = `('booking', 'awaiting_payment')`;

/** The refund has not failed and been made anew, which takes over its rests. */
const isNotMadeAnew = (refund: string) => `COALESCE(${refund}.failure, '') <> 'tried_again'`;

const trueAtAnyInstant: readonly Rule[] = [
  {
    name: 'place_has_one_ticket',
    words: 'Ogni posto ha al massimo un biglietto valido',
    about: 'place',
    sql: `SELECT event_id || ' ' || place AS subject FROM tickets WHERE state = 'valid' GROUP BY event_id, place HAVING count(*) > 1`,
  },
  {
    name: 'place_has_one_order',
    words: 'Ogni posto appartiene al massimo a un ordine',
    about: 'place',
    sql: `SELECT event_id || ' ' || place AS subject FROM order_lines WHERE ${hasPlace('order_lines')} GROUP BY event_id, place HAVING count(*) > 1`,
  },
  {
    name: 'whole_object_has_one_order',
    words: 'Un tavolo, un séparé o un’area venduti interi appartengono a un solo ordine',
    about: 'place',
    sql: `SELECT event_id || ' ' || object_label AS subject FROM order_lines WHERE whole_size > 0 AND ${hasPlace('order_lines')}
     GROUP BY event_id, object_label HAVING count(DISTINCT order_id) > 1 OR count(*) > max(whole_size)`,
  },
  {
    name: 'place_in_whole_is_sold_so',
    words: 'Un posto di un oggetto venduto intero è sempre venduto con il suo oggetto',
    about: 'place',
    sql: `SELECT l.event_id || ' ' || l.place AS subject FROM order_lines l JOIN places p ON p.event_id = l.event_id AND p.place = l.place
     WHERE ${hasPlace('l')} AND p.in_hall = 1 AND (p.in_whole = 1) <> (l.whole_size > 0)`,
  },
  {
    name: 'part_of_a_first_order',
    words: 'I posti aggiunti appartengono a un ordine confermato dello stesso evento',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o JOIN orders f ON f.id = o.part_of
     WHERE f.event_id <> o.event_id OR f.part_of IS NOT NULL OR f.state <> 'confirmed'`,
  },
  {
    name: 'ticket_keeps_its_place',
    words: 'Chi ha un biglietto valido ha ancora il suo posto, se non è stato liberato',
    about: 'order',
    sql: `SELECT t.order_id AS subject FROM tickets t LEFT JOIN order_lines l ON l.order_id = t.order_id AND l.place = t.place AND l.released_at IS NULL
     WHERE t.state = 'valid' AND (l.place IS NULL) = (t.let_go_at IS NULL)`,
  },
  {
    name: 'tickets_only_when_confirmed',
    words: 'Ci sono biglietti validi solo per ordini confermati',
    about: 'order',
    sql: `SELECT t.order_id AS subject FROM tickets t JOIN orders o ON o.id = t.order_id WHERE t.state = 'valid' AND o.state <> 'confirmed'`,
  },
  {
    name: 'confirmed_has_its_tickets',
    words: 'Un ordine confermato ha un biglietto per ogni posto',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o LEFT JOIN order_lines l ON l.order_id = o.id LEFT JOIN tickets t ON t.order_id = o.id AND t.place = l.place
     WHERE o.state = 'confirmed' AND t.id IS NULL`,
  },
  {
    name: 'ticket_is_the_issued_one',
    words: 'Nessun biglietto è più nuovo di quelli emessi per il suo posto',
    about: 'place',
    sql: `SELECT t.event_id || ' ' || t.place AS subject FROM tickets t JOIN places p ON p.event_id = t.event_id AND p.place = t.place
     WHERE t.revision > p.issued OR (t.state = 'valid' AND t.revision <> p.issued)`,
  },
  {
    name: 'moved_code_is_dead',
    words: 'Il codice di un posto lasciato non vale più',
    about: 'place',
    sql: `SELECT t.event_id || ' ' || t.place AS subject FROM moved_tickets m JOIN tickets t ON t.event_id = m.event_id AND t.place = m.from_place AND t.revision = m.from_revision
     WHERE m.to_place IS NOT NULL AND t.state = 'valid'
     UNION SELECT p.event_id || ' ' || p.place FROM moved_tickets m JOIN places p ON p.event_id = m.event_id AND p.place = m.from_place WHERE m.to_place IS NOT NULL AND p.issued <= m.from_revision`,
  },
  {
    name: 'ticket_is_in_the_hall',
    words: 'Nessun biglietto valido è in una sala che l’evento ha lasciato',
    about: 'place',
    sql: `SELECT l.event_id || ' ' || l.place AS subject FROM order_lines l JOIN places p ON p.event_id = l.event_id AND p.place = l.place WHERE l.released_at IS NULL AND p.in_hall = 0
     UNION SELECT t.event_id || ' ' || t.place FROM tickets t JOIN places p ON p.event_id = t.event_id AND p.place = t.place WHERE t.state = 'valid' AND t.let_go_at IS NULL AND p.in_hall = 0`,
  },
  {
    name: 'queue_counts_up',
    words: 'Una sala d’attesa chiama solo numeri dati, e apre il seme solo dopo la lista',
    about: 'event',
    sql: `SELECT event_id AS subject FROM queues WHERE serving > last OR drawn > last OR (root IS NULL AND drawn > 0) OR fixed_at > opened_at`,
  },
  {
    name: 'queue_number_was_given',
    words: 'Nessuno in una sala d’attesa ha un numero che non è stato dato, o è chiamato prima',
    about: 'event',
    sql: `SELECT p.event_id AS subject FROM queue_places p JOIN queues q ON q.event_id = p.event_id
     WHERE p.number > q.last OR (p.number > q.serving AND p.called_at IS NOT NULL AND p.skips = 0)`,
  },
  {
    name: 'queue_pass_was_called',
    words: 'Dalla sala d’attesa entra solo chi è stato chiamato o ha il codice',
    about: 'event',
    sql: `SELECT event_id AS subject FROM queue_places WHERE (pass_until IS NOT NULL AND called_at IS NULL) OR (hold_token IS NOT NULL AND pass_until IS NULL)`,
  },
  {
    name: 'rehousing_pauses_the_sale',
    words: 'Durante un cambio di sala non si vende',
    about: 'place',
    sql: `SELECT r.event_id || ' ' || r.chart_key AS subject FROM rehousings r JOIN events e ON e.id = r.event_id
     WHERE r.state IN ('taking', 'waiting', 'moved') AND e.sale_paused = 0`,
  },
  {
    name: 'rehousing_books_everybody',
    words:
      'Prima che una sala cambi, ognuno ha un posto in quella nuova e nessun posto è dato due volte',
    about: 'place',
    sql: `SELECT r.event_id || ' ' || x.to_object AS subject FROM rehousings r JOIN rehoused_lines x ON x.rehousing_id = r.id
     JOIN order_lines l ON l.order_id = x.order_id AND l.id = x.line_id JOIN places p ON p.event_id = l.event_id AND p.place = l.place
     WHERE r.state IN ('planned', 'taking', 'waiting') AND l.released_at IS NULL AND x.to_object IS NOT NULL AND (p.kind <> 'area' OR l.whole_size > 0) AND l.object_label = x.from_object
     GROUP BY r.id, r.event_id, x.to_object HAVING count(DISTINCT l.order_id || ' ' || CASE WHEN l.whole_size > 0 THEN l.object_label ELSE l.id END) > 1
     UNION SELECT r.event_id || ' ' || l.place FROM rehousings r JOIN rehoused_lines x ON x.rehousing_id = r.id JOIN order_lines l ON l.order_id = x.order_id AND l.id = x.line_id
     JOIN orders o ON o.id = l.order_id JOIN tickets t ON t.order_id = l.order_id AND t.place = l.place AND t.state = 'valid'
     WHERE r.state = 'waiting' AND l.released_at IS NULL AND (x.to_object IS NULL OR x.taken = 0) AND x.refund_marked = 0 AND o.confirmed_at <= r.started_at
     UNION SELECT r.event_id || ' ' || l.place FROM rehousings r JOIN rehoused_lines x ON x.rehousing_id = r.id JOIN order_lines l ON l.order_id = x.order_id AND l.id = x.line_id
     WHERE r.state = 'planned' AND (x.to_object IS NULL) = (x.reason IS NULL)`,
  },
  {
    name: 'rehousing_seats_everybody',
    words: 'Dopo un cambio di sala ognuno ha il posto che gli era stato dato nella proposta',
    about: 'place',
    // An order that was not confirmed when the hall changed may have lost these places and taken
    // others; a guest who moved sits elsewhere.
    sql: `SELECT r.event_id || ' ' || l.place AS subject FROM rehousings r JOIN rehoused_lines x ON x.rehousing_id = r.id JOIN order_lines l ON l.order_id = x.order_id AND l.id = x.line_id
     WHERE r.state IN ('moved', 'done') AND (x.to_object IS NULL OR x.taken = 0) AND (l.released_at IS NULL OR l.released_at > r.done_at)
     UNION SELECT r.event_id || ' ' || l.place FROM rehousings r JOIN rehoused_lines x ON x.rehousing_id = r.id JOIN order_lines l ON l.order_id = x.order_id AND l.id = x.line_id
     JOIN orders o ON o.id = l.order_id
     WHERE r.state IN ('moved', 'done') AND l.released_at IS NULL AND o.confirmed_at <= r.commit_at AND l.object_label <> x.to_object
     AND NOT EXISTS (SELECT 1 FROM rehousings n WHERE n.event_id = r.event_id AND n.state IN ('moved', 'done') AND n.started_at > r.started_at)
     AND NOT EXISTS (SELECT 1 FROM moved_tickets t JOIN moves m ON m.id = t.move_id
       WHERE m.order_id = l.order_id AND t.from_object = x.to_object AND m.moved_at >= r.commit_at)`,
  },
  {
    name: 'move_settles_its_difference',
    words: 'La differenza di prezzo di uno spostamento è pagata, rimborsata o condonata',
    about: 'order',
    sql: `SELECT m.order_id AS subject FROM moves m LEFT JOIN refunds r ON r.id = m.refund_id WHERE m.state IN ('moved', 'done') AND (
     (m.difference_cents = 0 AND m.difference_end <> 'none') OR (m.difference_cents <> 0 AND m.difference_end = 'none')
     OR (m.difference_cents > 0 AND m.difference_end = 'refunded') OR (m.difference_cents < 0 AND m.difference_end = 'paid')
     OR (m.difference_end = 'refunded' AND (r.id IS NULL OR (${isNotMadeAnew('r')} AND r.amount_cents +
       (SELECT COALESCE(sum(b.amount_cents), 0) FROM refunds b WHERE ${isNotMadeAnew('b')} AND (b.rest_of = r.id OR b.idempotency_key = 'hand:' || r.id)) <> -m.difference_cents))))`,
  },
  {
    name: 'exchange_is_one_or_the_other',
    words: 'Di un cambio di data valgono i biglietti di prima o quelli nuovi, mai tutti e due',
    about: 'order',
    sql: `SELECT x.to_order_id AS subject FROM exchanges x JOIN orders n ON n.id = x.to_order_id
     WHERE (x.state = 'done') <> (n.state = 'confirmed') OR (x.state = 'open') <> (n.state IN ${open})
     UNION SELECT x.from_order_id FROM exchanges x JOIN exchange_tickets e ON e.exchange_id = x.id JOIN tickets t ON t.id = e.ticket_id WHERE x.state = 'done' AND t.state = 'valid'
     UNION SELECT x.from_order_id FROM exchanges x JOIN exchange_tickets e ON e.exchange_id = x.id WHERE x.state IN ('open', 'done') GROUP BY x.from_order_id, e.ticket_id HAVING count(*) > 1
     UNION SELECT n.id FROM orders n LEFT JOIN exchanges x ON x.to_order_id = n.id WHERE n.exchange_credit_cents IS NOT NULL AND (x.id IS NULL OR x.credit_cents <> n.exchange_credit_cents)`,
  },
  {
    name: 'exchange_balances',
    words: 'Ciò che un cambio di data toglie a una serata lo dà all’altra, al centesimo',
    about: 'order',
    sql: `SELECT x.to_order_id AS subject FROM exchanges x LEFT JOIN refunds r ON r.id = x.refund_id LEFT JOIN refunds b ON b.id = x.back_refund_id
     WHERE x.state = 'done' AND (r.id IS NULL OR r.order_id <> x.from_order_id OR r.kind <> 'exchange' OR r.state <> 'succeeded' OR r.amount_cents <> x.credit_cents
       OR (x.back_cents > 0) <> (b.id IS NOT NULL)
       OR x.credit_cents <> (SELECT COALESCE(sum(p.amount_cents), 0) FROM payments p WHERE p.order_id = x.to_order_id AND p.kind = 'exchange'))
     UNION SELECT p.order_id FROM payments p WHERE p.kind = 'exchange' AND NOT EXISTS (SELECT 1 FROM exchanges x WHERE x.to_order_id = p.order_id AND x.state = 'done')
     UNION SELECT r.order_id FROM refunds r WHERE r.kind = 'exchange' AND NOT EXISTS (SELECT 1 FROM exchanges x WHERE x.refund_id = r.id AND x.state = 'done')`,
  },
  {
    name: 'left_money_was_given_up',
    words:
      'Il denaro lasciato alla casa è di chi lo ha scelto per una serata annullata, e senza biglietti validi',
    about: 'order',
    sql: `SELECT r.order_id AS subject FROM refunds r JOIN orders o ON o.id = r.order_id JOIN events e ON e.id = o.event_id
     LEFT JOIN cancellation_answers c ON c.order_id = r.order_id AND c.run_id = r.run_id AND c.answer = 'gift'
     WHERE r.kind = 'gift' AND (c.order_id IS NULL OR e.status <> 'cancelled' OR r.state <> 'succeeded' OR r.amount_cents <= 0 OR r.payment_intent IS NOT NULL
       OR EXISTS (SELECT 1 FROM tickets t WHERE t.order_id = r.order_id AND t.state = 'valid'))`,
  },
  {
    name: 'deposit_is_a_part',
    words:
      'L’acconto di una prenotazione è in cassa e non è tutto il prezzo; trattenuto, è di una prenotazione finita',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o LEFT JOIN payments p ON p.order_id = o.id WHERE o.state = 'awaiting_payment' AND o.deposit_end IS NOT NULL
     GROUP BY o.id, o.paid_cents, o.total_cents HAVING o.paid_cents <> COALESCE(sum(p.amount_cents), 0) OR o.paid_cents <= 0 OR o.paid_cents >= o.total_cents
     UNION SELECT r.order_id FROM refunds r JOIN orders o ON o.id = r.order_id WHERE r.kind = 'kept'
     AND (o.deposit_end IS NULL OR o.deposit_end <> 'kept' OR o.state IN ${open} OR r.state <> 'succeeded' OR r.amount_cents <= 0 OR r.payment_intent IS NOT NULL)`,
  },
  {
    name: 'dates_fit_the_state',
    words: 'Un ordine è confermato oppure annullato, mai entrambi',
    about: 'order',
    sql: `SELECT id AS subject FROM orders WHERE (confirmed_at IS NOT NULL AND deleted_at IS NOT NULL)
     OR (state = 'confirmed') <> (confirmed_at IS NOT NULL) OR (state = 'deleted') <> (deleted_at IS NOT NULL)`,
  },
  {
    name: 'dead_order_keeps_no_place',
    words: 'Un ordine annullato non tiene occupati dei posti',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o JOIN order_lines l ON l.order_id = o.id WHERE o.state = 'deleted' AND l.released_at IS NULL`,
  },
  {
    name: 'dead_order_uses_no_code',
    words: 'Un ordine annullato non tiene occupato l’uso di un codice',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o JOIN code_uses u ON u.order_id = o.id WHERE o.state = 'deleted' AND u.given_back_at IS NULL`,
  },
  {
    name: 'code_counts_its_uses',
    words: 'Un codice conta proprio gli ordini e i biglietti che lo usano',
    about: 'code',
    sql: `SELECT c.id AS subject FROM price_codes c LEFT JOIN code_uses u ON u.code_id = c.id AND u.given_back_at IS NULL
     GROUP BY c.id, c.orders_used, c.tickets_used HAVING count(u.id) <> c.orders_used OR COALESCE(sum(u.tickets), 0) <> c.tickets_used`,
  },
  {
    name: 'open_order_is_waited_for',
    words: 'Di ogni ordine in sospeso il sistema si occuperà da solo',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o WHERE o.state IN ${open} AND o.needs_attention IS NULL AND o.pay_by < :five_minutes_ago
     AND NOT EXISTS (SELECT 1 FROM outbox x WHERE x.task = 'settle_order' AND x.subject = o.id)`,
  },
  {
    name: 'order_has_one_open_session',
    words: 'Un ordine ha al massimo un pagamento aperto',
    about: 'order',
    sql: `SELECT order_id AS subject FROM checkout_sessions WHERE status = 'open' GROUP BY order_id HAVING count(*) > 1`,
  },
  {
    name: 'order_is_paid_once',
    words: 'Un ordine è pagato al massimo una volta',
    about: 'order',
    sql: `SELECT order_id AS subject FROM checkout_sessions WHERE payment_status = 'paid' GROUP BY order_id HAVING count(*) > 1`,
  },
  {
    name: 'session_is_known',
    words: 'Il pagamento di un ordine è nell’elenco dei suoi pagamenti',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o LEFT JOIN checkout_sessions s ON s.id = o.session_id AND s.order_id = o.id WHERE o.session_id IS NOT NULL AND s.id IS NULL`,
  },
  {
    name: 'confirmed_is_paid',
    words: 'Un ordine confermato è pagato, o gratuito per scelta dell’ufficio',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o WHERE o.state = 'confirmed' AND (o.paid_by IS NULL
     OR (o.paid_by = 'stripe' AND NOT EXISTS (SELECT 1 FROM checkout_sessions s WHERE s.order_id = o.id AND s.payment_status = 'paid'
       AND s.amount_total = o.paid_cents - (SELECT COALESCE(sum(p.amount_cents), 0) FROM payments p WHERE p.order_id = o.id AND p.kind <> 'stripe')))
     OR (o.paid_by <> 'stripe' AND o.paid_cents <> (SELECT COALESCE(sum(p.amount_cents), 0) FROM payments p WHERE p.order_id = o.id)))`,
  },
  {
    name: 'counter_sale_is_paid',
    words: 'Una vendita alla cassa è pagata per intero, e il contante è di un turno',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o WHERE o.channel = 'counter' AND o.state = 'confirmed'
     AND o.total_cents + (SELECT COALESCE(sum(r.amount_cents), 0) FROM refunds r WHERE r.order_id = o.id AND r.origin = 'deposit' AND r.state IN ${counted})
       <> (SELECT COALESCE(sum(p.amount_cents), 0) FROM payments p WHERE p.order_id = o.id)
       + (SELECT COALESCE(sum(m.difference_cents), 0) FROM moves m WHERE m.order_id = o.id AND m.difference_end = 'refunded' AND m.moved_at IS NOT NULL)
     UNION SELECT p.order_id AS subject FROM payments p JOIN shifts s ON s.id = p.shift_id WHERE s.closed_at IS NOT NULL AND p.paid_at > s.closed_at`,
  },
  {
    name: 'lines_add_up',
    words: 'Il totale di un ordine è la somma dei suoi posti',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o LEFT JOIN order_lines l ON l.order_id = o.id GROUP BY o.id, o.total_cents, o.fee_cents, o.service_cents
     HAVING o.total_cents <> COALESCE(sum(l.price_cents + l.fee_cents), 0) OR o.fee_cents <> COALESCE(sum(l.fee_cents), 0)
      OR o.service_cents <> COALESCE(sum(l.service_cents), 0) OR o.service_cents > o.fee_cents`,
  },
  {
    name: 'refunds_within_payment',
    words: 'Non si rimborsa più di quanto è stato pagato',
    about: 'order',
    sql: `SELECT id AS subject FROM orders WHERE refunded_cents < 0 OR refunded_cents > paid_cents`,
  },
  {
    name: 'refund_parts_within_payment',
    words: 'Di biglietti, prevendita e commissione non si rimborsa più di quanto è stato pagato',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o JOIN refunds r ON r.order_id = o.id AND r.state IN ${counted} GROUP BY o.id, o.fee_cents, o.service_cents, o.paid_cents
     HAVING sum(r.fee_cents) > o.fee_cents OR sum(r.service_cents) > o.service_cents OR sum(r.fee_cents - r.service_cents) > o.fee_cents - o.service_cents OR sum(r.amount_cents - r.fee_cents) > o.paid_cents - CASE WHEN o.fee_cents < o.paid_cents THEN o.fee_cents ELSE o.paid_cents END`,
  },
  {
    name: 'hand_parts_add_up',
    words: 'Le parti di un rimborso a mano sono almeno due e fanno il suo importo',
    about: 'refund',
    sql: `SELECT r.id AS subject FROM refunds r JOIN refund_parts p ON p.refund_id = r.id GROUP BY r.id, r.amount_cents, r.kind, r.state, r.method, r.shift_id
     HAVING sum(p.amount_cents) <> r.amount_cents OR count(*) < 2 OR min(p.amount_cents) <= 0 OR r.kind <> 'manual' OR r.state <> 'succeeded' OR r.method IS NOT NULL OR r.shift_id IS NOT NULL`,
  },
  {
    name: 'refunds_add_up',
    words: 'Il rimborsato di un ordine è la somma dei suoi rimborsi',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o LEFT JOIN refunds r ON r.order_id = o.id AND r.state IN ${counted} GROUP BY o.id, o.refunded_cents
     HAVING o.refunded_cents <> COALESCE(sum(r.amount_cents), 0)`,
  },
  {
    name: 'line_refunded_once',
    words: 'Ogni posto è rimborsato al massimo una volta, e mai più del suo prezzo',
    about: 'order',
    sql: `SELECT order_id AS subject FROM refund_lines WHERE live = 1 GROUP BY order_id, line_id HAVING count(*) > 1
     UNION SELECT d.order_id AS subject FROM refund_lines d JOIN order_lines l ON l.order_id = d.order_id AND l.id = d.line_id JOIN orders o ON o.id = d.order_id
     WHERE d.live = 1 AND o.priced_by IS NULL AND (d.price_cents > l.price_cents OR d.fee_cents > l.fee_cents)
     UNION SELECT d.order_id AS subject FROM refund_lines d WHERE NOT EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = d.order_id AND l.id = d.line_id)`,
  },
  {
    name: 'refund_is_its_lines',
    words: 'L’importo di un rimborso, con ciò che lo completa, è quello dei suoi posti',
    about: 'refund',
    sql: `SELECT r.id AS subject FROM refunds r JOIN refund_lines d ON d.refund_id = r.id WHERE ${isNotMadeAnew('r')} GROUP BY r.id, r.amount_cents
     HAVING sum(d.price_cents + d.fee_cents) <> r.amount_cents + (SELECT COALESCE(sum(b.amount_cents), 0) FROM refunds b WHERE b.rest_of = r.id AND ${isNotMadeAnew('b')})`,
  },
  {
    name: 'live_lines_of_live_refunds',
    words: 'Un rimborso respinto o fallito non blocca più i suoi posti',
    about: 'refund',
    sql: `SELECT r.id AS subject FROM refunds r JOIN refund_lines d ON d.refund_id = r.id
     WHERE (d.live = 1 AND r.state NOT IN ('asked', 'requested', 'pending', 'requires_action', 'succeeded')) OR (d.live = 0 AND r.state IN ${counted})`,
  },
  {
    name: 'one_way_in',
    words: 'Con un biglietto si entra una volta sola',
    about: 'place',
    sql: `SELECT event_id || ' ' || place AS subject FROM admissions WHERE counts = 1 AND conflict_with IS NULL AND annulled_by IS NULL AND place IS NOT NULL GROUP BY event_id, place, revision
     HAVING sum(CASE WHEN direction = 'in' THEN 1 ELSE 0 END) - sum(CASE WHEN direction = 'out' THEN 1 ELSE 0 END) > 1`,
  },
];

/** True if the office sees a payout's difference or has taken note of it. */
const payoutIsTold = (payout: string) =>
  `EXISTS (SELECT 1 FROM breaks b WHERE b.kind = 'payout_differs' AND b.subject = ${payout} AND (b.settled_at IS NULL OR b.settlement = 'take_note'))`;

/** What other orders have of the refund at Stripe whose first part is `r`. */
const furtherParts = `COALESCE((SELECT sum(m.amount_cents) FROM refunds m WHERE m.part_of_stripe = r.stripe_refund_id), 0)`;

const trueAfterMinutes: readonly Rule[] = [
  {
    name: 'payout_agrees',
    words:
      'Ogni riga di un accredito corrisponde a un incasso o a un rimborso, o la differenza è segnalata',
    about: 'payout',
    sql: `SELECT l.payout_id AS subject FROM payout_lines l JOIN payments p ON p.charge_id = l.source_id
     WHERE l.payout_id <> '' AND l.kind = 'charge' AND (p.amount_cents <> l.gross_cents OR p.stripe_fee_cents <> l.fee_cents) AND NOT ${payoutIsTold('l.payout_id')}
     UNION SELECT l.payout_id FROM payout_lines l JOIN refunds r ON r.stripe_refund_id = l.source_id
     WHERE l.payout_id <> '' AND l.kind = 'refund' AND r.amount_cents + ${furtherParts} <> abs(l.gross_cents) AND NOT ${payoutIsTold('l.payout_id')}`,
  },
  {
    name: 'payout_adds_up',
    words: 'Ogni accredito è la somma delle sue righe, o la differenza è segnalata',
    about: 'payout',
    sql: `SELECT y.id AS subject FROM payouts y LEFT JOIN payout_lines l ON l.payout_id = y.id AND NOT (l.category = 'payout' AND l.source_id = y.id)
     WHERE y.automatic = 1 AND y.read_at IS NOT NULL AND NOT ${payoutIsTold('y.id')}
     GROUP BY y.id, y.amount_cents HAVING COALESCE(sum(l.net_cents), 0) <> y.amount_cents`,
  },
  {
    name: 'paid_out_once',
    words: 'Nessun incasso è accreditato due volte, o la differenza è segnalata',
    about: 'payout',
    sql: `SELECT max(l.payout_id) AS subject FROM payout_lines l WHERE l.kind = 'charge' AND NOT ${payoutIsTold('l.payout_id')}
     GROUP BY l.source_id HAVING count(*) > 1`,
  },
  {
    name: 'payment_is_paid_out',
    words: 'Ogni incasso online è in un accredito o in viaggio, o la differenza è segnalata',
    about: 'order',
    sql: `SELECT p.order_id AS subject FROM payments p WHERE p.kind = 'stripe' AND p.charge_id IS NOT NULL AND p.stripe_fee_cents IS NOT NULL
     AND p.paid_at < :three_days_ago AND p.paid_at < (SELECT max(l.created_at) FROM payout_lines l) - 86400000
     AND NOT EXISTS (SELECT 1 FROM payout_lines l WHERE l.source_id = p.charge_id)
     AND NOT EXISTS (SELECT 1 FROM breaks b WHERE b.kind = 'payment_not_paid_out' AND b.subject = p.payment_intent AND (b.settled_at IS NULL OR b.settlement = 'take_note'))`,
  },
  {
    name: 'block_has_no_order',
    words: 'Nessun posto bloccato dall’ufficio è stato venduto',
    about: 'place',
    sql: `SELECT p.event_id || ' ' || p.place AS subject FROM blocked_places p JOIN blocks b ON b.id = p.block_id
     JOIN order_lines l ON l.event_id = p.event_id AND l.place = p.place AND ${hasPlace('l')} JOIN orders o ON o.id = l.order_id
     WHERE p.state = 'live' AND b.created_at < :ten_minutes_ago AND o.state IN ('awaiting_payment', 'confirmed')`,
  },
  {
    name: 'block_is_settled',
    words: 'Ogni blocco di posti sta o se ne va, e al suo tempo torna in vendita',
    about: 'task',
    sql: `SELECT 'settle_block ' || b.id AS subject FROM blocks b WHERE b.created_at < :ten_minutes_ago
     AND (b.release_at IS NOT NULL OR EXISTS (SELECT 1 FROM blocked_places p WHERE p.block_id = b.id AND p.state <> 'live')
       OR EXISTS (SELECT 1 FROM blocked_areas a WHERE a.block_id = b.id AND a.state <> 'live'))
     AND NOT EXISTS (SELECT 1 FROM outbox x WHERE x.task = 'settle_block' AND x.subject = b.id)`,
  },
  {
    name: 'contingent_is_settled',
    words: 'Ogni contingente di posti sta o è libero, e al suo tempo si libera',
    about: 'task',
    sql: `SELECT 'settle_contingent ' || c.id AS subject FROM contingents c WHERE c.changed_at < :ten_minutes_ago
     AND (c.state IN ('placing', 'releasing') OR (c.state = 'live' AND c.release_at IS NOT NULL)
       OR EXISTS (SELECT 1 FROM contingent_places p WHERE p.contingent_id = c.id AND p.state = 'placing')
       OR EXISTS (SELECT 1 FROM contingent_areas a WHERE a.contingent_id = c.id AND a.places_before IS NOT NULL))
     AND NOT EXISTS (SELECT 1 FROM outbox x WHERE x.task = 'settle_contingent' AND x.subject = c.id)`,
  },
  {
    name: 'contingent_keeps_its_seats',
    words: 'Un contingente tiene tutti i suoi posti, o nessuno',
    about: 'place',
    sql: `SELECT p.event_id || ' ' || p.place AS subject FROM contingent_places p JOIN contingents c ON c.id = p.contingent_id
     WHERE (c.state = 'released') <> (p.kept_place IS NULL)`,
  },
  {
    name: 'move_is_settled',
    words: 'Ogni spostamento di biglietti arriva alla fine',
    about: 'task',
    sql: `SELECT 'settle_move ' || m.id AS subject FROM moves m WHERE m.created_at < :ten_minutes_ago AND m.state IN ('taking', 'moved')
     AND NOT EXISTS (SELECT 1 FROM outbox x WHERE x.task = 'settle_move' AND x.subject = m.id)`,
  },
  {
    name: 'rehousing_is_settled',
    words: 'Ogni cambio di sala arriva alla fine',
    about: 'task',
    sql: `SELECT 'run_rehousing ' || r.id AS subject FROM rehousings r WHERE r.started_at < :ten_minutes_ago AND r.state IN ('taking', 'waiting', 'moved', 'giving_back')
     AND NOT EXISTS (SELECT 1 FROM outbox x WHERE x.task = 'run_rehousing' AND x.subject = r.id)`,
  },
  {
    name: 'price_is_settled',
    words: 'Ogni prezzo scritto dall’ufficio è fatto su Stripe, o archiviato',
    about: 'task',
    sql: `SELECT 'settle_price ' || p.id AS subject FROM made_prices p WHERE p.created_at < :ten_minutes_ago AND p.state IN ('making', 'retiring')
     AND NOT EXISTS (SELECT 1 FROM outbox x WHERE x.task = 'settle_price' AND x.subject = p.id)`,
  },
  {
    name: 'area_holds_its_blocks',
    words: 'Un settore in piedi ha posto per chi ha comprato e per i posti bloccati',
    about: 'place',
    sql: `SELECT k.event_id || ' ' || k.object AS subject FROM (SELECT a.event_id, a.object, sum(a.places) AS kept FROM blocked_areas a
     JOIN blocks b ON b.id = a.block_id WHERE a.state = 'live' AND b.created_at < :ten_minutes_ago GROUP BY a.event_id, a.object) k
     WHERE k.kept + (SELECT count(*) FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE l.event_id = k.event_id AND l.object_label = k.object
       AND ${hasPlace('l')} AND o.state IN ('awaiting_payment', 'confirmed'))
     > (SELECT count(*) FROM places p WHERE p.event_id = k.event_id AND p.object_label = k.object AND p.in_hall = 1)`,
  },
  {
    name: 'reminder_is_looked_after',
    words: 'Chi aspetta l’apertura di una vendita viene avvisato, o il suo indirizzo cancellato',
    about: 'task',
    sql: `SELECT 'tell_reminders ' || r.event_id AS subject FROM reminders r WHERE NOT EXISTS (SELECT 1 FROM outbox x WHERE x.task = 'tell_reminders' AND x.subject = r.event_id)`,
  },
  {
    name: 'message_is_sent',
    words: 'Ogni invio a più acquirenti va fino in fondo, se non è stato annullato',
    about: 'task',
    sql: `SELECT 'send_message ' || m.id AS subject FROM messages m WHERE m.withdrawn_at IS NULL AND m.finished_at IS NULL
     AND NOT EXISTS (SELECT 1 FROM outbox x WHERE x.task = 'send_message' AND x.subject = m.id)`,
  },
  {
    name: 'session_asks_the_total',
    words: 'Il pagamento chiede l’importo dell’ordine',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o JOIN checkout_sessions s ON s.order_id = o.id WHERE s.amount_total <> o.total_cents - COALESCE(o.exchange_credit_cents, 0) AND o.needs_attention IS NULL
     AND o.state IN ${open}`,
  },
  {
    name: 'paid_is_settled',
    words: 'Chi ha pagato ha i biglietti o il rimborso',
    about: 'order',
    sql: `SELECT o.id AS subject FROM checkout_sessions s JOIN orders o ON o.id = s.order_id
     WHERE s.payment_status = 'paid' AND s.paid_at < :five_minutes_ago AND o.state <> 'confirmed' AND o.needs_attention IS NULL AND o.refunded_cents < s.amount_total`,
  },
  {
    name: 'dead_order_keeps_no_money',
    words: 'Un ordine annullato non trattiene denaro',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o WHERE o.state = 'deleted' AND o.paid_cents > o.refunded_cents AND o.needs_attention IS NULL
     AND NOT EXISTS (SELECT 1 FROM checkout_sessions s WHERE s.order_id = o.id AND s.paid_at >= :five_minutes_ago)`,
  },
  {
    name: 'payments_add_up',
    words: 'Il pagato di un ordine è la somma dei suoi incassi',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o LEFT JOIN payments p ON p.order_id = o.id WHERE o.paid_cents > 0 AND COALESCE(o.confirmed_at, o.deleted_at) < :ten_minutes_ago
     AND NOT EXISTS (SELECT 1 FROM checkout_sessions s WHERE s.order_id = o.id AND s.paid_at >= :ten_minutes_ago)
     GROUP BY o.id, o.paid_cents HAVING o.paid_cents <> COALESCE(sum(p.amount_cents), 0)`,
  },
  {
    name: 'order_comes_to_its_end',
    words: 'Nessun ordine resta in sospeso oltre il suo tempo',
    about: 'order',
    sql: `SELECT id AS subject FROM orders WHERE state IN ${open} AND pay_by < :ten_minutes_ago AND needs_attention IS NULL AND (session_status IS NULL OR session_status <> 'complete')`,
  },
  {
    name: 'dead_order_has_no_open_session',
    words: 'Un ordine finito non si può più pagare',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o JOIN checkout_sessions s ON s.order_id = o.id
     WHERE o.state NOT IN ${open} AND s.status = 'open' AND COALESCE(o.confirmed_at, o.deleted_at) < :ten_minutes_ago AND o.needs_attention IS NULL`,
  },
  {
    name: 'confirmed_is_written_to',
    words: 'A ogni ordine confermato con un indirizzo spetta l’e-mail dei biglietti',
    about: 'order',
    sql: `SELECT o.id AS subject FROM orders o WHERE o.state = 'confirmed' AND o.buyer_email IS NOT NULL AND o.confirmed_at < :ten_minutes_ago
     AND NOT EXISTS (SELECT 1 FROM mails m WHERE m.order_id = o.id AND m.kind = 'tickets')`,
  },
  {
    name: 'mail_leaves',
    words: 'Ogni e-mail parte entro dieci minuti, o si vede perché no',
    about: 'mail',
    sql: `SELECT m.id AS subject FROM mails m WHERE m.state = 'waiting' AND m.created_at < :ten_minutes_ago
     AND (m.last_error IS NULL OR NOT EXISTS (SELECT 1 FROM outbox x WHERE x.task = 'send_mail' AND x.subject = m.id))`,
  },
  {
    name: 'work_is_done',
    words: 'Nessun lavoro in attesa è in ritardo',
    about: 'task',
    sql: `SELECT task || ' ' || subject AS subject FROM outbox WHERE task IN (${tasks.map((task) => `'${task}'`).join(', ')}) AND run_at < :five_minutes_ago AND (locked_until IS NULL OR locked_until < :five_minutes_ago)`,
  },
  {
    name: 'refund_is_carried_out',
    words: 'Ogni rimborso deciso viene eseguito',
    about: 'refund',
    sql: `SELECT r.id AS subject FROM refunds r JOIN orders o ON o.id = r.order_id WHERE r.state = 'requested' AND r.kind = 'stripe'
     AND COALESCE(r.decided_at, r.created_at) < :ten_minutes_ago AND o.needs_attention IS NULL AND NOT EXISTS (SELECT 1 FROM outbox x WHERE x.task = 'run_refund' AND x.subject = r.id)`,
  },
  {
    name: 'refund_comes_to_its_end',
    words: 'Nessun rimborso resta in corso per più di undici giorni',
    about: 'refund',
    sql: `SELECT r.id AS subject FROM refunds r JOIN orders o ON o.id = r.order_id WHERE r.state IN ('pending', 'requires_action') AND r.created_at < :eleven_days_ago AND o.needs_attention IS NULL`,
  },
  {
    name: 'no_scan_is_lost',
    words: 'Tutte le letture dei telefoni sono arrivate',
    about: 'phone',
    sql: `SELECT phone_id AS subject FROM admissions WHERE phone_id IS NOT NULL AND seq IS NOT NULL GROUP BY phone_id
     HAVING max(seq) + 1 <> count(*) AND max(received_at) < :ten_minutes_ago`,
  },
];

export const registryIsWhole: Invariant = {
  name: 'registry_is_whole',
  words: 'Nessuno ha toccato il Registro dopo che è stato sigillato',
  about: 'seal',
  always: true,
  find: findBrokenSeals,
};

const registryIsInTime: Invariant = {
  name: 'registry_is_in_time',
  words: 'Ogni voce del Registro è stata sigillata a suo tempo',
  about: 'seal',
  always: false,
  find: findLateSeals,
};

const figuresAreTrue: Invariant = {
  name: 'figures_are_true',
  words: 'I numeri dei rapporti sono quelli di ordini, posti e ingressi',
  about: 'event',
  always: false,
  find: findWrongCounts,
};

export const invariants: readonly Invariant[] = [
  registryIsWhole,
  registryIsInTime,
  ...trueAtAnyInstant.map((rule) => invariantOf(rule, true)),
  ...trueAfterMinutes.map((rule) => invariantOf(rule, false)),
  figuresAreTrue,
];
