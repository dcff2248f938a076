/**
 * The answers to a moved or cancelled evening as the office sees and enters them, order by order
 * (RULES E6).
 */
import { latestActors } from '#db/audit/audit.ts';
import {
  countDateAnswers,
  listDateAnswers,
  silentOn,
  type AskedBuyers,
  type AskedOrder,
} from '#db/event/date-answers.ts';
import { latestPostponement } from '#db/event/postponements.ts';
import { recentMessage } from '#db/mail/messages.ts';
import { countRows } from '#db/engine/statements.ts';
import type { Db } from '#db/engine/dialect.ts';
import { findRunOfEvent } from '#db/payment/refunds.ts';
import type { EventRow } from '#db/rows.ts';
import { contactFor } from '#server/domain/counter/customers.ts';
import { isAsking } from '#server/domain/event/cancellation.ts';
import {
  answersTo,
  type AnswerFilter,
  type EnteredAnswer,
} from '#server/domain/event/date-answers.ts';
import { mayAnswer, type PostponementAnswer } from '#server/domain/event/postponement.ts';
import { messageGapMs } from '#server/domain/mail/message.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';
import { orderAndEvent } from '#server/services/order/find-order.ts';
import type { Viewer } from '#server/services/order/order-scope.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { answerCancellation, cancellationOf } from './cancelled-answers.ts';
import { answerPostponement, postponementOf } from './postponed.ts';

export interface EventQuestion extends AskedBuyers {
  answer_by: number;
  /** Answers still count. */
  open: boolean;
  if_silent: PostponementAnswer;
}

/** The last question to the buyers of an event; null: they were not asked. */
export async function questionOfEvent(
  db: Db,
  { id, status }: Pick<EventRow, 'id' | 'status'>,
  now: number,
): Promise<EventQuestion | null> {
  if (status === 'cancelled') {
    const run = await findRunOfEvent(db, id);
    if (run?.asks_until == null) return null;
    const open = isAsking(run, now);
    return { ...run, kind: 'cancelled', answer_by: run.asks_until, open, if_silent: 'refund' };
  }
  const row = await latestPostponement(db, id);
  return row ? { ...row, kind: 'postponed', open: mayAnswer(row, { now, before: null }) } : null;
}

type AnswersAsk = ListAsk & { answer?: AnswerFilter };

/** @throws Refusal event_not_found */
export async function dateAnswerList(ctx: Ctx, viewer: Viewer, event_id: string, ask: AnswersAsk) {
  const event = await knownEvent(ctx, event_id);
  const question = await questionOfEvent(ctx.db, event, ctx.now());
  if (question === null) return { items: [], next_cursor: null, question };
  const { answer, ...listed } = ask;
  const { rows, next_cursor } = await listPage(
    listed,
    (page) => listDateAnswers(ctx.db, question, { answer, page }),
    { timeOf: (row) => row.created_at, textsOf },
  );
  const seen = rows.map((row) => contactFor(viewer.role, row));
  const items = await inWords(ctx, question, seen);
  return { items, next_cursor, question: { ...question, ...(await standOf(ctx, question)) } };
}

function textsOf({ number, buyer_name, buyer_email, buyer_phone }: AskedOrder): (string | null)[] {
  return [number, number.replace('-', ''), buyer_name, buyer_email, buyer_phone];
}

const acts = {
  cancelled: 'cancellation_answered',
  postponed: 'postponement_answered',
} as const;

async function inWords(ctx: Ctx, { kind }: EventQuestion, rows: readonly AskedOrder[]) {
  const byOffice = rows.filter((row) => row.answered_by === 'office').map(({ id }) => id);
  const actors = await latestActors(ctx.db, acts[kind], byOffice);
  const nameOf = await namesOf(ctx.db, [...actors.values()]);
  return rows.map((row) => {
    const actor = actors.get(row.id);
    const answered_name = actor === undefined ? null : nameOf(actor);
    return { ...row, order_id: row.id, answered_name };
  });
}

async function standOf(ctx: Ctx, question: EventQuestion) {
  const since = ctx.now() - messageGapMs;
  const recent = await recentMessage(ctx.db, [question.event_id], since, 'question');
  const silent = silentOn(ctx.db, question).whereNotNull('orders.buyer_email');
  return {
    counts: await countDateAnswers(ctx.db, question),
    silent_orders: await countRows(silent),
    asked_again_at: recent?.created_at ?? null,
  };
}

/** @throws Refusal order_not_found */
export async function dateAnswerOf(ctx: Ctx, order_id: string) {
  const about = await orderAndEvent(ctx, order_id);
  const question = await (about.event.status === 'cancelled' ? ofCancelled : ofPostponed)(
    ctx,
    about,
  );
  return { question };
}

type About = Awaited<ReturnType<typeof orderAndEvent>>;

async function ofCancelled(ctx: Ctx, about: About) {
  const told = await cancellationOf(ctx, about);
  if (told === null) return null;
  const choices: EnteredAnswer[] = answersTo.cancelled.filter(
    (one) => told.may_answer && one !== told.answer && (one !== 'gift' || told.may_leave),
  );
  return { ...told, kind: 'cancelled' as const, choices };
}

async function ofPostponed(ctx: Ctx, about: About) {
  const told = await postponementOf(ctx, about);
  if (told === null) return null;
  const choices: EnteredAnswer[] = answersTo.postponed.filter(
    (one) => told.may_answer && one !== told.answer,
  );
  return { ...told, kind: 'postponed' as const, choices };
}

interface Entered {
  answer: EnteredAnswer;
  expected_cents: number;
  actor: Actor;
}

/**
 * An answer by telephone.
 * @throws Refusal as the contract of enterDateAnswer says
 */
export async function enterDateAnswer(ctx: Ctx, order_id: string, { answer, ...given }: Entered) {
  const { event } = await orderAndEvent(ctx, order_id);
  if (event.status === 'cancelled') {
    if (answer === 'keep') throw new Refusal('cancellation_over');
    await answerCancellation(ctx, order_id, { answer, ...given });
  } else {
    if (answer === 'gift') throw new Refusal('postponement_over');
    await answerPostponement(ctx, order_id, { answer, ...given });
  }
  return dateAnswerOf(ctx, order_id);
}
