/**
 * The question to the buyers of a moved or cancelled evening, in SQL: who has answered what, and
 * who is silent (RULES E3, E5).
 */
import type { Knex } from 'knex';
import { newestFirst, type Page } from '#db/engine/page.ts';
import { countRows } from '#db/engine/statements.ts';
import type { AnswerFilter, DateAnswer, QuestionKind } from '#server/domain/event/date-answers.ts';
import type { Answerer } from '#server/domain/event/postponement.ts';
import type { Db } from '#db/engine/dialect.ts';
import type { OrderRow } from '#db/rows.ts';

/** `id`: the postponement, or the refunds of the cancelled evening. */
export interface AskedBuyers {
  kind: QuestionKind;
  id: string;
  event_id: string;
  created_at: number;
}

const stores = {
  cancelled: { table: 'cancellation_answers', question: 'run_id' },
  postponed: { table: 'postponement_answers', question: 'postponement_id' },
} as const satisfies Record<QuestionKind, object>;

/** Orders that wait for an answer: with valid tickets and, if cancelled, money to give back. */
export function silentOn(db: Db, asked: AskedBuyers): Knex.QueryBuilder {
  const { table, question } = stores[asked.kind];
  const query = db('orders')
    .where({ 'orders.event_id': asked.event_id, 'orders.state': 'confirmed' })
    .whereExists(
      db('tickets')
        .whereRaw('tickets.order_id = orders.id')
        .where('tickets.state', 'valid')
        .select(db.raw('1')),
    )
    .whereNotExists(
      db(table)
        .whereRaw(`${table}.order_id = orders.id`)
        .where(`${table}.${question}`, asked.id)
        .select(db.raw('1')),
    );
  return asked.kind === 'cancelled'
    ? query.whereRaw('orders.paid_cents > orders.refunded_cents')
    : query.where('orders.created_at', '<=', asked.created_at);
}

export type AnswerCounts = Record<AnswerFilter, number>;

/** Counts orders by their answer. */
export async function countDateAnswers(db: Db, asked: AskedBuyers): Promise<AnswerCounts> {
  const { table, question } = stores[asked.kind];
  const answered: { answer: DateAnswer; n: number | string }[] = await db(table)
    .where(question, asked.id)
    .groupBy('answer')
    .select('answer')
    .count({ n: '*' });
  const counts = { refund: 0, exchange: 0, gift: 0, keep: 0 };
  for (const { answer, n } of answered) counts[answer] = Number(n);
  return { ...counts, silent: await countRows(silentOn(db, asked)) };
}

type Asked = Pick<
  OrderRow,
  | 'id'
  | 'number'
  | 'buyer_name'
  | 'buyer_email'
  | 'buyer_phone'
  | 'contact_hidden'
  | 'total_cents'
  | 'created_at'
>;
/** An order that was asked. */
export interface AskedOrder extends Asked {
  /** All tickets of the order, valid or ended. */
  tickets: number;
  answer: DateAnswer | null;
  answered_by: Answerer | null;
  answered_at: number | null;
}

/** Orders that have answered or wait for an answer, the newest first. */
export async function listDateAnswers(
  db: Db,
  asked: AskedBuyers,
  { answer, page }: { answer?: AnswerFilter | undefined; page: Page },
): Promise<AskedOrder[]> {
  const { table, question } = stores[asked.kind];
  const own = db(table).where(question, asked.id);
  const tickets = db('tickets').count('*').whereRaw('tickets.order_id = orders.id');
  const query = db('orders')
    .leftJoin(own.as('given'), 'given.order_id', 'orders.id')
    .where('orders.event_id', asked.event_id)
    .select(
      'orders.id',
      'orders.number',
      'orders.buyer_name',
      'orders.buyer_email',
      'orders.buyer_phone',
      'orders.contact_hidden',
      'orders.total_cents',
      'orders.created_at',
      tickets.as('tickets'),
      'given.answer',
      'given.answered_by',
      'given.answered_at',
    );
  const silent = silentOn(db, asked).select('orders.id');
  if (answer === 'silent') query.whereIn('orders.id', silent);
  else if (answer !== undefined) query.where('given.answer', answer);
  else query.where((b) => b.whereNotNull('given.answer').orWhereIn('orders.id', silent));
  newestFirst(query, { table: 'orders', time: 'created_at' }, page);
  const rows: AskedOrder[] = await query;
  return rows.map((row) => ({ ...row, tickets: Number(row.tickets) }));
}
