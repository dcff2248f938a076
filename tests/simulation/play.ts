/**
 * Plays one history from the first action to the quiet at the end, and reports the broken rules.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { checkEnd, checkNow, prepareChecks } from './checks.ts';
import { begin, deliver, look, watchClocks } from './deeds.ts';
import type { History, Op } from './history.ts';
import type { Played } from './hunt.ts';
import { followHall } from './rehousing-deeds.ts';
import type { Store, Turns } from './store.ts';
import { makeWorld, type World } from './world.ts';

type Play = (history: History, options?: { tellsStory?: boolean }) => Promise<Played>;

const minute = 60_000;
/** Longer than the life of any session or lease. */
const healingMs = 40 * minute;
const healingRounds = 6;

export async function preparePlay(store: Store, turns: Turns): Promise<Play> {
  const always = await prepareChecks(store);
  return async (history, { tellsStory = false } = {}) => {
    await store.reset(history);
    const world = await makeWorld(store, turns, { history, tellsStory });
    await live(world, history, async () => {
      await followHall(world);
      await checkNow(world, always.few);
    });
    await checkNow(world, always.all);
    if (world.problems.length === 0) {
      await heal(world, history);
      await followHall(world);
      await checkEnd(world);
    }
    for (const { machine } of world.machines.filter(Boolean))
      if (!machine.dead) world.scheduler.kill(machine);
    await turn();
    return {
      problems: [...new Set(world.problems)],
      story: world.story,
      figures: { ...world.figures, ...(await countRows(store)) },
    };
  };
}

/** The data that the history left in our books. */
async function countRows({ db }: Store): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  const count = async (table: string, ...columns: string[]) => {
    const rows: Record<string, string | number>[] = await db(table)
      .select(columns)
      .count({ n: '*' })
      .groupBy(columns);
    for (const { n, ...row } of rows)
      figures[`${table} ${columns.map((column) => row[column] ?? '-').join(' ')}`] = Number(n);
  };
  await count('orders', 'state');
  await count('orders', 'needs_attention');
  await count('refunds', 'origin', 'state');
  await count('mails', 'kind', 'state');
  await count('breaks', 'kind');
  return figures;
}

async function live(
  world: World,
  { ops, clocks = [] }: History,
  check: () => Promise<void>,
): Promise<void> {
  for (const [index, op] of ops.entries()) {
    for (const { before, hours } of clocks) if (before === index) await setClock(world, hours);
    if (!op.meanwhile || index === 0) {
      await world.scheduler.drain();
      await check();
      if (world.problems.length > 0) return;
      world.scheduler.advance(op.gap * 1_000);
    }
    world.tell(`${index + 1}. ${op.deed}`);
    await begin(world, op, index + 1);
  }
  await world.scheduler.drain();
}

/** Also while actions are running; each process looks at its clock before it is set again. */
async function setClock(world: World, hours: number): Promise<void> {
  const { scheduler, tell, count } = world;
  if (world.clockWasSet) await scheduler.drain();
  world.clockWasSet = true;
  scheduler.setHouse(hours * 60 * minute);
  count('times the clock was set');
  tell(`the house’s clock is ${hours} hours ahead`);
  watchClocks(world);
}

const quiet: Omit<Op, 'deed'> = { which: 0, how: 0, gap: 0, meanwhile: false, faults: [] };

/**
 * Without further faults: people pay if they can, time passes, sessions expire, and the worker
 * runs. Webhooks may never arrive.
 */
async function heal(world: World, history: History): Promise<void> {
  const { stripe, scheduler } = world;
  world.loses = '';
  if (world.clockWasSet) await setClock(world, 0);
  if (history.pays)
    for (const session of stripe.sessions)
      if (session.seen && stripe.pay(session.id, 'card'))
        world.tell(`${session.id} is paid at the end`);
  const asWorker = async (words: string, run: (number: number) => Promise<void>) => {
    world.tell(words);
    for (let number = 0; number < (world.store.kind === 'sqlite' ? 1 : 2); number += 1)
      await run(number);
    await scheduler.drain();
  };
  for (let round = 0; round < healingRounds; round += 1) {
    scheduler.advance(healingMs);
    stripe.tick();
    if (round === 1) settleAtBank(world, history);
    if (round === 0 || round === 2) await deliverLeft(world, history);
    await asWorker('the worker works', (number) =>
      begin(world, { ...quiet, deed: 'work', how: number }, 0),
    );
    await asWorker('open orders are looked at', (number) =>
      begin(world, { ...quiet, deed: 'reconcile', how: number }, 0),
    );
    if (world.problems.length > 0) return;
  }
  // The visitors finally see what they were told before.
  const { ctx } = await world.server(0);
  for (const order of world.orders)
    for (const page of [true, false]) await look(world, ctx, { order, page });
}

function settleAtBank({ stripe }: World, { endsWell }: History): void {
  for (const payment of stripe.payments) {
    if (payment.status === 'processing') stripe.endSlowPayment(payment, endsWell);
    for (const refund of payment.refunds)
      if (refund.status === 'pending') stripe.moveRefund(refund, endsWell ? 'succeeded' : 'failed');
  }
  stripe.refundsArePending = false;
}

async function deliverLeft(world: World, { deliveries }: History): Promise<void> {
  if (deliveries === 0) return;
  const { ctx } = await world.server(0);
  const left = world.stripe.events.filter((event) => !event.delivered);
  for (const event of deliveries === 1 ? left : [...left.toReversed(), ...left])
    await deliver(world, ctx, event, 'signed by stripe');
}
