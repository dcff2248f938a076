/** Another shop on our Stripe account, whose checkouts have metadata like ours, and copies of ours. */
import { listBreaks, settleBreak } from '#server/contract/breaks.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { callOk, makeAdmin, makeOrder, payOrder, until } from '#tests/support/make.ts';
import { makePaid, passTime } from '#tests/support/refunds.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import {
  atStripe,
  openTheirs,
  sessionAtStripe,
  sessionsAtStripe,
} from '#tests/support/stripe-desk.ts';

const never = new AbortController().signal;

export async function compare(server: TestServer): Promise<number | null> {
  // One run begins after the other.
  server.clock.advance(1_000);
  return compareBooks(server.house.ctx, never);
}

type Ours = Record<'paid' | 'open' | 'cash', string>;

/** An order paid at Stripe, one that is being paid, and one paid in cash; no work waits. */
export async function makeOurs(server: TestServer, admin: { cookie: string }): Promise<Ours> {
  await compare(server);
  const paid = await makePaid(server);
  const open = await makeOrder(server, { nth: 2 });
  await openDrawer(server, admin);
  await sellAtCounter(server, admin, { nth: 4 });
  const sold = await server.house.ctx.db('orders').where({ channel: 'counter' }).first('id');
  await passTime(server, 60_000);
  return { paid: paid.order_id, open: open.order_id, cash: sold.id };
}

/**
 * Of each kind one checkout that stays open, and one that is paid and then given back or
 * disputed. Returns the open ones, when we have heard of all.
 */
export async function sellBeside(
  server: TestServer,
  { paid, open, cash }: Ours,
): Promise<string[]> {
  const { metadata } = await sessionAtStripe(server, paid);
  const kinds: Record<string, string>[] = [
    {},
    { order_id: '1001', refund_id: '7' },
    { order_id: open },
    { order_id: paid, botteghino: 'another-house' },
    metadata,
    { ...metadata, order_id: cash },
    (await sessionAtStripe(server, open)).metadata,
  ];
  const waiting: string[] = [];
  for (const [nth, metadata] of kinds.entries()) {
    waiting.push((await openTheirs(server, metadata)).id);
    const { id, url } = await openTheirs(server, metadata);
    const isDisputed = nth === kinds.length - 1;
    await payOrder(server, url, isDisputed ? 'pm_card_createDispute' : 'pm_card_visa');
    const sold = (await sessionsAtStripe(server)).find((session) => session.id === id)!;
    if (!isDisputed)
      await atStripe(server, 'POST', 'refunds', { payment_intent: sold.payment_intent! });
  }
  const told = () => server.house.ctx.db('webhook_events').pluck<string[]>('type');
  await until(async () => (await told()).includes('charge.dispute.created'));
  await server.runDue();
  return waiting;
}

/** Prints what becomes of them when the office does for each difference what is offered first. */
export async function attackBooks(): Promise<void> {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const waiting = await sellBeside(server, await makeOurs(server, admin));
  await compare(server);
  const { items } = await callOk(server, listBreaks, {}, admin);
  for (const { break_id, actions } of items)
    await callOk(
      server,
      settleBreak,
      { params: { breakId: break_id }, body: { action: actions[0]! } },
      admin,
    ).catch(() => {});
  const ended = (await sessionsAtStripe(server)).filter(
    ({ id, status }) => waiting.includes(id) && status !== 'open',
  );
  const payments = await server.house.ctx.db('payments');
  console.log(
    `a shop beside us on the Stripe account, 14 checkouts: ${items.length} differences told, ${ended.length} of its checkouts ended, ${payments.length - 2} of its payments counted as ours (2, 1 and 5 at 62d376e7)`,
  );
}
