/**
 * Named faults that we planted: source patches applied when a module is loaded. The simulation
 * must find each of them.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Mutant {
  name: string;
  file: string;
  find: string;
  replace: string;
}

export const mutants: readonly Mutant[] = [
  {
    name: 'release-before-expire',
    file: 'server/services/payment/settle.ts',
    find: 'return settlePayment(ctx, order, { session: await closeSession(ctx, session.id)',
    replace:
      'await releaseSeats(ctx, order);   return settlePayment(ctx, order, { session: await closeSession(ctx, session.id)',
  },
  {
    name: 'clear-before-answer',
    file: 'server/jobs/runner.ts',
    find: 'const again = await taskRuns[row.task](ctx, row.subject);',
    replace:
      'await finishTask(ctx.db, row); const again = await taskRuns[row.task](ctx, row.subject);',
  },
  {
    name: 'clock-ahead-is-believed',
    file: 'server/services/kit/clock.ts',
    find: 'if (backMs > clockStepMs) await correct(',
    replace: 'if (backMs < 0 && backMs > 0) await correct(',
  },
  {
    name: 'order-ahead-waits',
    file: 'db/ahead.ts',
    find: 'only: `state IN',
    replace: 'only: `1 = 0 AND state IN',
  },
  {
    name: 'insert-after-call',
    file: 'server/services/booking/store-order.ts',
    find: '  const bare = orderOf(ctx, draft);',
    replace: `  const bare = orderOf(ctx, draft);
  await ctx.seats.book(draft.event.seatsio_event_key, draft.lines.map((line) => ({ label: line.object_label, quantity: line.kind === 'area' ? 1 : null, ticket_type: line.ticket_type })), { orderId: bare.id, holdToken: draft.hold_token }).catch(() => { throw new Refusal('provider_silent'); });`,
  },
  {
    name: 'trust-the-event',
    file: 'server/services/payment/webhooks.ts',
    find: 'import { Refusal }',
    replace: "import { confirmOrder } from './confirmation.ts';\nimport { Refusal }",
  },
  {
    name: 'trust-the-event',
    file: 'server/services/payment/webhooks.ts',
    find: '  await transact(ctx.db, store',
    replace: `  if (order && hint.type === 'checkout.session.completed') {
    const session = { id: hint.session_id!, status: 'complete' as const, paid: true, failed: false, payment_status: 'paid', amount_total: order.total_cents, currency: 'eur', url: null, expires_at: 0, order_id: order.id, payment_intent: hint.payment_intent, receipt_number: null, buyer_name: null, buyer_email: 'ada@example.it', buyer_phone: null };
    await confirmOrder(ctx, order, { paid: { kind: 'stripe', session }, actor: 'stripe' });
  }
  await transact(ctx.db, store`,
  },
  {
    name: 'complete-is-paid',
    file: 'server/domain/order/order.ts',
    find: "if (session.status === 'open' || !session.paid) return 'wait';",
    replace: "if (session.status === 'open') return 'wait';",
  },
  {
    name: 'new-key-each-try',
    file: 'server/services/payment/checkout.ts',
    find: 'link_key }, idempotency_key);',
    replace: 'link_key }, `${idempotency_key}:${ctx.newId()}`);',
  },
  {
    name: 'refund-without-key',
    file: 'server/services/payment/refunds.ts',
    find: 'order_id: refund.order_id }, refund.idempotency_key);',
    replace: 'order_id: refund.order_id }, ctx.newId());',
  },
  {
    name: 'refund-without-key',
    file: 'server/services/payment/refunds.ts',
    find: 'if (age > readFirstMs && (await isSettledAt(ctx, refund))) return await runRefund(ctx, refund.id);',
    replace: '',
  },
  {
    name: 'no-turns',
    file: 'server/services/payment/order-lease.ts',
    find: 'const order = await takeLease(',
    replace:
      'const order = (await takeLease(ctx.db, order_id, { lease, now: ctx.now() + 1e9, until: 1 })) ?? await takeLease(',
  },
  {
    name: 'seats-not-taken-again',
    file: 'server/services/payment/late-payments.ts',
    find: 'if (!(await takeSeatsAgain(ctx, order))) return false;',
    replace: '',
  },
  {
    name: 'complete-is-expired',
    file: 'server/services/payment/checkout.ts',
    find: 'await noteSession(ctx.db, session, sessionFacts(ctx, session));\n  return session;',
    replace: "return { ...session, status: 'expired' as const };",
  },
  {
    name: 'only-succeeded-counts',
    file: 'server/domain/payment/refund.ts',
    find: "['requested', 'pending', 'requires_action', 'succeeded'];",
    replace: "['succeeded'];",
  },
  {
    name: 'mail-outside-the-transaction',
    file: 'server/services/payment/confirmation.ts',
    find: ": [{ order_id: order.id, kind: 'tickets' }],",
    replace: ': [],',
  },
  {
    name: 'mail-outside-the-transaction',
    file: 'server/services/payment/confirmation.ts',
    find: 'import { happened, takeDoorTurn }',
    replace: 'import { happened, oweMail, takeDoorTurn }',
  },
  {
    name: 'mail-outside-the-transaction',
    file: 'server/services/payment/confirmation.ts',
    find: "  ctx.fault('confirmed');\n",
    replace:
      "  ctx.fault('confirmed');\n  if (confirmed) await transact(ctx.db, (trx) => oweMail(ctx, trx, { act: 'order_confirmed', order_id: order.id, kind: 'tickets' }));\n",
  },
  {
    name: 'any-amount',
    file: 'server/domain/order/order.ts',
    find: "return session.amount_total === total_cents && session.currency === 'eur' ? 'confirm' : 'amount_differs';",
    replace: "return session.amount_total === total_cents ? 'confirm' : 'confirm';",
  },
  {
    name: 'release-what-was-asked-for',
    file: 'server/services/payment/seats.ts',
    find: '  const { seatsio_event_key, ours } = await bookedFor(ctx, order);\n  if (ours.length === 0) return;',
    replace: '  const { seatsio_event_key, requests: ours } = await bookedFor(ctx, order);',
  },
  {
    name: 'shift-not-looked-at-again',
    file: 'server/services/counter/sell.ts',
    find: '  const shift = await lockOpenShift(trx, seller.id);',
    replace: '  const shift = sale.shift;',
  },
  {
    name: 'gifts-counted-before',
    file: 'server/services/counter/sell.ts',
    find: '  if (ask.gift) await requireGiftsLeft(trx, sale);',
    replace: '',
  },
  {
    name: 'gifts-counted-before',
    file: 'server/services/counter/sell.ts',
    find: '  const stored = await storeSale(ctx, { event, seller, ask, shift, first }).catch(asRefusal);',
    replace: `  if (ask.gift) await requireGiftsLeft(ctx.db as never, { order: { event_id: event.id }, seller } as Stored);
  const stored = await storeSale(ctx, { event, seller, ask, shift, first }).catch(asRefusal);`,
  },
  {
    name: 'block-unknown-is-refused',
    file: 'server/services/seat-map/blocks.ts',
    find: 'await giveUp(ctx, block, isRefused);',
    replace: 'await giveUp(ctx, block, true);',
  },
  {
    name: 'block-without-a-task',
    file: 'server/services/seat-map/blocks.ts',
    find: "      await queueTask(ctx, trx, { task: 'settle_block', subject: block.id, run_at });",
    replace: '',
  },
  {
    name: 'contingent-without-a-task',
    file: 'server/services/seat-map/contingents.ts',
    find: 'await rows.insertContingent(trx, whole);   await queueSettling(ctx, trx, contingent.id);',
    replace: 'await rows.insertContingent(trx, whole);',
  },
  {
    name: 'contingent-unknown-is-refused',
    file: 'server/services/seat-map/contingents.ts',
    find: 'await ctx.seats.dropChannel(seatsio_event_key, contingent.channel_key);',
    replace:
      'if (contingent.released_at !== null) await ctx.seats.dropChannel(seatsio_event_key, contingent.channel_key);',
  },
  {
    name: 'contingent-never-released',
    file: 'server/services/seat-map/contingents.ts',
    find: 'if (release_at > now) return Math.min(release_at, next ?? release_at);',
    replace: 'return next;',
  },
  {
    name: 'area-block-unknown-is-refused',
    file: 'server/services/seat-map/area-blocks.ts',
    find: 'const isRefused = error instanceof ProviderRefused;',
    replace: 'const isRefused = true;',
  },
  {
    name: 'moved-code-lives',
    file: 'server/services/move/commit.ts',
    find: "  await issueRevision(trx, event_id, ticket.place, { ...issuing, why: 'moved' });",
    replace: '',
  },
  {
    name: 'guest-stays-behind',
    file: 'server/services/move/commit.ts',
    find: '      passages: inside,',
    replace: '      passages: [],',
  },
  {
    name: 'given-up-keeps-seats',
    file: 'server/services/move/settle.ts',
    find: "  await releaseSeatsOf(ctx, order, await beyondTheBook(ctx, order, { moved, side: 'to' }));",
    replace: '',
  },
];

/** Faults that only a history with tables that are sold whole can show. */
export const tableMutants: readonly Mutant[] = [
  {
    name: 'one-line-frees-the-table',
    file: 'server/services/payment/seats.ts',
    find: 'isOneStatus(line) && !kept.has(line.object_label)',
    replace: 'isOneStatus(line) && kept.size >= 0',
  },
  // If the seat map has forgotten the first order, a second one is refused three times: by the
  // plan, the storing statement, and the index of the first places.
  {
    name: 'a-table-splits-over-orders',
    file: 'server/domain/order/order.ts',
    find: 'place: placeInWhole(label, at + 1),',
    replace: 'place: placeInWhole(label, paid === 1 ? whole.places : at + 1),',
  },
  {
    name: 'a-table-splits-over-orders',
    file: 'server/services/booking/plan.ts',
    find: '  requireUnsold(known);',
    replace: '',
  },
  {
    name: 'a-table-splits-over-orders',
    file: 'server/services/booking/store-order.ts',
    find: 'return places.length === 0 ? null : noneIsSold(event.id, places);',
    replace: 'return null;',
  },
  {
    name: 'one-guest-moves-alone',
    file: 'server/services/move/steps.ts',
    find: 'const all = steps.flatMap((step) => [...party(step), step]);',
    replace: 'const all = steps.flatMap((step) => [...party(step).slice(0, 0), step]);',
  },
];

/** Faults that only a history with a change of hall can show. */
export const rehousingMutants: readonly Mutant[] = [
  {
    name: 'old-hall-code-lives',
    file: 'server/services/rehousing/commit.ts',
    find: 'for (const one of [line.place, place]) issues',
    replace: 'for (const one of [place]) issues',
  },
  {
    name: 'new-hall-keeps-who-left',
    file: 'server/services/rehousing/run.ts',
    find: "else if (object.status === 'booked' && !sold.has(object.label) && object.order_id !== null)",
    replace: "else if (object.status === 'none')",
  },
];

/** Faults that only a history with exchanges for another date can show. */
export const exchangeMutants: readonly Mutant[] = [
  {
    name: 'old-and-new-both-good',
    file: 'server/services/payment/exchange.ts',
    find: 'voids_tickets: true,',
    replace: 'voids_tickets: false,',
  },
  // The new order is confirmed in one transaction, and the old tickets end in the next.
  {
    name: 'exchanged-in-two-steps',
    file: 'server/services/payment/confirmation.ts',
    find: `    if (exchange) {
      const { giver } = confirmation;
      await settleExchange(ctx, trx, { open: exchange, order, actor, giver });
    }`,
    replace: '    opened = exchange;',
  },
  {
    name: 'exchanged-in-two-steps',
    file: 'server/services/payment/confirmation.ts',
    find: '  const confirmed = await transact(ctx.db, async (trx) => {',
    replace: `  let opened: Awaited<ReturnType<typeof openExchange>> = null;
  const confirmed = await transact(ctx.db, async (trx) => {`,
  },
  {
    name: 'exchanged-in-two-steps',
    file: 'server/services/payment/confirmation.ts',
    find: "  ctx.fault('confirmed');",
    replace: `  ctx.fault('confirmed');
  if (opened !== null) {
    const open = opened;
    await transact(ctx.db, (trx) => settleExchange(ctx, trx, { open, order, actor, giver: confirmation.giver }));
  }`,
  },
  {
    name: 'old-dead-before-the-new-is-paid',
    file: 'server/services/booking/exchange-plan.ts',
    find: `  await happened(ctx, trx, {
    actor,
    action: 'exchange_begun',`,
    replace: `  await trx('tickets')
    .whereIn('id', ticket_ids as string[])
    .update({ state: 'refunded', ended_at: ctx.now() });
  await happened(ctx, trx, {
    actor,
    action: 'exchange_begun',`,
  },
  // The credit pays for the new tickets, and can be given back for the old ones.
  {
    name: 'money-twice',
    file: 'server/services/payment/exchange.ts',
    find: '    amount_cents: exchange.credit_cents, lines',
    replace: '    amount_cents: 0, lines',
  },
  {
    name: 'credit-is-money',
    file: 'server/services/payment/exchange.ts',
    find: "    kind: 'exchange', amount_cents: exchange.credit_cents, actor,",
    replace: "    kind: 'manual', amount_cents: exchange.credit_cents, actor,",
  },
  {
    name: 'changed-ticket-is-exchanged',
    file: 'server/services/payment/exchange.ts',
    find: "  if (!isSame) throw new Refusal('exchange_changed');",
    replace: '',
  },
  {
    name: 'changed-sum-is-exchanged',
    file: 'server/services/payment/exchange.ts',
    find: 'if (obstacle !== null || quote.amount_cents !== exchange.credit_cents + exchange.back_cents)',
    replace: 'if (obstacle !== null)',
  },
  {
    name: 'guest-inside-is-exchanged',
    file: 'server/services/payment/exchange.ts',
    find: 'if (obstacle !== null || quote.amount_cents',
    replace: "if ((obstacle !== null && obstacle !== 'ticket_used') || quote.amount_cents",
  },
  {
    name: 'ticket-pays-for-two-orders',
    file: 'server/services/order/exchange-facts.ts',
    find: 'in_exchange: line.ticket_id !== null && busy.has(line.ticket_id),',
    replace: 'in_exchange: busy.has(line.id),',
  },
  {
    name: 'unpaid-exchange-stays-open',
    file: 'server/services/payment/settle.ts',
    find: "    await dropExchange(ctx, trx, order, reason === 'exchange_changed' ? 'changed' : 'unpaid');",
    replace: '',
  },
  {
    name: 'late-refund-forgets-the-credit',
    file: 'server/services/payment/way-back.ts',
    find: 'const part = Math.min(room, source.amount_cents);',
    replace: 'const part = source.amount_cents;',
  },
  {
    name: 'old-payment-forgets-the-new-order',
    file: 'server/services/payment/payment-record.ts',
    find: 'return [...(await refundsOf(trx, id)), ...others];',
    replace: 'return [...(await refundsOf(trx, id)), ...others.slice(0, 0)];',
  },
  {
    name: 'old-seats-stay-booked',
    file: 'server/services/payment/exchange.ts',
    find: 'frees_seats: !isCancelled,',
    replace: 'frees_seats: false,',
  },
];

/** Faults that only a history with swaps of seats can show. */
export const swapMutants: readonly Mutant[] = [
  {
    name: 'swapped-seats-are-free-between',
    file: 'server/services/move/swap-settle.ts',
    find: 'if (wrong.length > 0) await ctx.seats.keepBack(key, wrong);',
    replace:
      'if (wrong.length > 0) await ctx.seats.release(key, wrong.map((label) => ({ label, quantity: null, ticket_type: null })), null);',
  },
  {
    name: 'swapped-seats-are-free-between',
    file: 'server/services/move/swap-settle.ts',
    find: 'else await ctx.seats.rebook(key, seatOf(owner), owner.order_id);',
    replace: 'else await ctx.seats.take(key, [seatOf(owner)], owner.order_id);',
  },
  // After a crash no work is left that tells the seat map the rest.
  {
    name: 'swap-without-a-task',
    file: 'server/services/move/swap-commit.ts',
    find: "if (!isOne) await queueInReserve(ctx, trx, { task: 'settle_move', subject: id });",
    replace: '',
  },
  {
    name: 'swapped-tickets-keep-their-places',
    file: 'server/services/move/swap-commit.ts',
    find: 'const { place, category } = there.ticket;',
    replace: 'const { place, category } = step.ticket;',
  },
  {
    name: 'swapped-guest-stays-behind',
    file: 'server/services/move/swap-commit.ts',
    find: 'return last ? [{ ticket_id: ticket.id, from, to, last }] : [];',
    replace: 'return last ? [] : [];',
  },
  {
    name: 'swapped-guests-sit-on-one-seat',
    file: 'server/services/move/passages.ts',
    find: `const at = Math.max(after, ...passages.map(({ last }) => last.corrected_at + 1));
  const rows = passages.flatMap(({ ticket_id, from, to }) => {`,
    replace: `const rows = passages.flatMap(({ ticket_id, from, to, last }) => {
    const at = Math.max(ctx.now(), last.corrected_at + 1);`,
  },
];

/** Faults that only a history with part payments can show. */
export const depositMutants: readonly Mutant[] = [
  {
    name: 'part-taken-twice',
    file: 'server/services/payment/deposit.ts',
    find: 'id: nth === 0 ? key : ctx.newId(),',
    replace: 'id: ctx.newId(),',
  },
  {
    name: 'part-forgotten-at-the-end',
    file: 'server/services/payment/settle.ts',
    find: 'await endDeposit(ctx, trx, order, { reason, actor });',
    replace: '',
  },
];

const root = join(import.meta.dirname, '../..');

/**
 * Replaced parts that are not tested: printing a ticket or starting a thread would take longer
 * than the rest of a history.
 */
const aside = [
  {
    file: 'server/adapters/documents.ts',
    source: `export async function makeTicketsPdf() { return Buffer.from('%PDF'); }`,
  },
  {
    file: 'server/services/rehousing/solve.ts',
    source: `
      import { solveSeating } from '#server/domain/seat/rehousing-solver.ts';
      export async function solveAside({ hall, groups, ...terms }) {
        return solveSeating(hall, groups, terms);
      }`,
  },
];

/**
 * Finds a piece of code whatever its line breaks: white space may stand between any two tokens,
 * and a comma before a closing bracket, as a formatter puts them.
 */
function patternOf(code: string): RegExp {
  const tokens = code.match(/[\w$]+|[^\s\w$]/g) ?? [];
  const parts = tokens.map((token) => {
    const literal = token.replace(/\W/g, String.raw`\$&`);
    return /[)\]}]/.test(token) ? `,?\\s*${literal}` : literal;
  });
  return new RegExp(parts.join('\\s*'), 'g');
}

/** Null: the product without a fault. */
export function applyMutant(
  name: string | null,
  known: readonly Mutant[] = [
    ...mutants,
    ...tableMutants,
    ...rehousingMutants,
    ...exchangeMutants,
    ...swapMutants,
    ...depositMutants,
  ],
): void {
  const chosen = known.filter((mutant) => mutant.name === name);
  if (name !== null && chosen.length === 0)
    throw new Error(
      `no mutant is called ${name}; there are: ${[...new Set(known.map((mutant) => mutant.name))].join(', ')}`,
    );
  const sources = new Map(aside.map(({ file, source }) => [urlOf(file), source]));
  for (const { file, find, replace } of chosen) {
    const source = sources.get(urlOf(file)) ?? readFileSync(join(root, file), 'utf8');
    const pattern = patternOf(find);
    if ([...source.matchAll(pattern)].length !== 1) {
      throw new Error(`the mutant ${name} no longer fits ${file}: its code must stand there once`);
    }
    sources.set(
      urlOf(file),
      source.replace(pattern, () => replace),
    );
  }
  registerHooks({
    load(url, context, next) {
      const source = sources.get(url);
      return source === undefined
        ? next(url, context)
        : { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}

function urlOf(file: string): string {
  return pathToFileURL(join(root, file)).href;
}
