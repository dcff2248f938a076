/** What a house meets in a season: a clock that jumps, a silent vendor, a lost disk. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addressOf } from '#server/contract/endpoint.ts';
import { getEvent } from '#server/contract/events.ts';
import { rebuildSale } from '#server/contract/lost-sales.ts';
import { bookSeats, listOrderTickets } from '#server/contract/order/orders.ts';
import { endMaintenance, readHouse } from '#server/contract/site.ts';
import { sell } from '#tests/soak/office.ts';
import { begin } from '#tests/soak/troubles.ts';
import { secondsUntilSold } from '#tests/soak/sold-again.ts';
import { holdPair } from '#tests/soak/visitors.ts';
import type { World } from '#tests/soak/world.ts';
import { askAdmin } from '#tests/support/admin-command.ts';
import { ask, callOk, demoEvent, until } from '#tests/support/make.ts';

const [second, minute] = [1_000, 60_000];

export interface Scene {
  /** What happens, and how long it takes until somebody can buy again at most. */
  name: string;
  longestSeconds: number;
  /** Milliseconds by which the house's clock is ahead when it starts. */
  skew?: number;
  /** Makes the trouble `rounds` times; returns the seconds until it sold again each time. */
  run: (world: World, rounds: number) => Promise<number[]>;
}

const twoHours = 120 * minute;
/** After the clock was set right: forward and back, too far and right again. */
const jumps = [40 * minute, -55 * minute, 3 * 60 * minute, -165 * minute];

async function jumpClock(world: World, rounds: number): Promise<number[]> {
  const seconds: number[] = [];
  for (const ms of [-twoHours, ...Array.from({ length: rounds }, () => jumps).flat()]) {
    const jump = () => world.house.setClocks(ms);
    seconds.push(await secondsUntilSold(world, 'jumps of the clock', jump));
  }
  return seconds;
}

async function silenceStripe(world: World, rounds: number): Promise<number[]> {
  const { house, ledger } = world;
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The prices that are known are older than a minute.
    await house.advance(minute + second);
    const trouble = begin(world);
    const rules = ['checkout/**', 'prices/**', 'payment_intents/**'].map((path) =>
      house.stripe.faults.add({
        on: 'request',
        action: 'hang',
        path: `/v1/${path}`,
        times: 'always',
      }),
    );
    const { seconds: longest } = await timed(() => bookInSilence(world));
    if (longest > 8) ledger.fault(`a visitor waited ${longest.toFixed(1)} s for an answer`);
    const page = await timed(() => ask(house, 'GET', addressOf(getEvent, { eventId: demoEvent })));
    if (page.answer.status !== 200 || page.seconds > 2)
      ledger.fault(`a page took ${page.seconds.toFixed(1)} s: ${page.answer.status}`);
    const speak = async () => rules.forEach(({ id }) => house.stripe.faults.remove(id));
    seconds.push(await secondsUntilSold(world, 'silences of Stripe', speak));
    trouble.end();
  }
  return seconds;
}

async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; seconds: number }> {
  const began = performance.now();
  const answer = await work();
  return { answer, seconds: (performance.now() - began) / second };
}

/** Refused by name; what the visitor does then is in visitors.ts: the same call once more. */
async function bookInSilence(world: World): Promise<void> {
  const held = await holdPair(world);
  if (held === null) return;
  const { event_id: eventId, from, ...body } = held;
  const path = addressOf(bookSeats, { eventId });
  const answer = await ask(world.house, 'POST', path, {
    body,
    headers: { 'x-forwarded-for': from },
  });
  const { code } = answer.body as { code?: string };
  if (answer.status !== 503 || code !== 'provider_silent')
    world.ledger.fault(`a booking in silence was answered ${answer.status} ${code}`);
}

async function loseDisk(world: World, rounds: number): Promise<number[]> {
  const { house } = world;
  const copies = await mkdtemp(join(tmpdir(), 'copie-'));
  const command = async (...words: string[]) => {
    const { code, body } = await askAdmin({ settings: house.settings(0) }, words);
    if (code !== 0) world.ledger.fault(`${words[0]}: ${JSON.stringify(body)}`);
  };
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await command('backup', copies);
    const paper = await sellOnPaper(world);
    await pause(3 * second);
    const lose = async () => {
      await house.loseDisk(async () => {
        const newest = (await readdir(copies)).toSorted().at(-1)!;
        await command('restore', join(copies, newest));
      });
      await until(() =>
        ask(house, 'GET', '/healthz').then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
      await writeAgain(world, paper);
      await letSaleGoOn(world);
    };
    seconds.push(await secondsUntilSold(world, 'disks lost', lose));
  }
  await rm(copies, { recursive: true });
  return seconds;
}

/** A sale that only the counter knows, and the codes that its buyer holds. */
interface Paper {
  order_id: string;
  codes: string[];
}

async function sellOnPaper(world: World): Promise<Paper> {
  let order_id: string | null = null;
  while (order_id === null) order_id = await sell(world);
  const params = { orderId: order_id };
  const { items } = await callOk(world.house, listOrderTickets, { params }, world.admin);
  return { order_id, codes: items.map(({ code }) => code) };
}

/** What a person does first: types the codes of the papers that the copy does not know. */
async function writeAgain(
  { house, ledger, admin }: World,
  { order_id, codes }: Paper,
): Promise<void> {
  const tickets = codes.map((ticket) => ({ ticket, ticket_type: 'intero', amount_cents: 3_200 }));
  const again = await callOk(house, rebuildSale, { body: { tickets, method: 'cash' } }, admin);
  if (!again.tickets.every(({ same_code }) => same_code)) ledger.fault('a paper is void');
  const promised = ledger.orders.get(order_id)!;
  ledger.orders.delete(order_id);
  ledger.orders.set(again.order_id, promised);
}

async function letSaleGoOn({ house, ledger, admin }: World): Promise<void> {
  const { maintenance_since: since } = await callOk(house, readHouse, {}, admin);
  if (since === null) ledger.fault('a restored house sells before a person says so');
  else await callOk(house, endMaintenance, { body: { since } }, admin);
}

export const scenes: readonly Scene[] = [
  { name: 'a clock that jumps', longestSeconds: 10, skew: twoHours, run: jumpClock },
  { name: 'a silent vendor', longestSeconds: 10, run: silenceStripe },
  { name: 'a lost disk', longestSeconds: 120, run: loseDisk },
];
