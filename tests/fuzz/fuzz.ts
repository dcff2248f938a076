/** Asks every endpoint as everybody, with what fits, nearly fits and does not fit; says what the server did wrong. */
import { wireVersion } from '#server/domain/door/wire.ts';
import { demoEvent, makeHoldToken } from '#tests/support/make.ts';
import { seedStates } from '#tests/support/seed-states.ts';
import type { TestServer } from '#tests/support/server.ts';
import { Callers, callers, isEntitled, type Caller } from './callers.ts';
import { makeChance, type Chance } from './chance.ts';
import { readDocument, type Operation } from './document.ts';
import { Findings, type Asked, type Report } from './faults.ts';
import { faultOf, readJson } from './judge.ts';
import { Orders } from './orders.ts';
import { makeRequest, type Request } from './request.ts';
import { send, type Reply } from './send.ts';
import { Pool } from './values.ts';
import { Watch } from './watch.ts';

export async function fuzz(
  server: TestServer,
  { requests, seed }: { requests: number; seed: number },
): Promise<Report> {
  const fuzzer = await Fuzzer.open(server, makeChance(seed));
  const asOutsiders = Math.floor(requests / 5);
  const asBuyers = Math.floor(requests / 10);
  await fuzzer.asOutsiders(asOutsiders);
  await fuzzer.asBuyers(asBuyers);
  await fuzzer.asEverybody(requests - asOutsiders - asBuyers);
  return fuzzer.report();
}

/** Where the ids in paths come from. */
const tables = {
  block_id: 'blocks',
  contingent_id: 'contingents',
  event_id: 'events',
  job_id: 'outbox',
  admission_id: 'admissions',
  head_id: 'heads',
  break_id: 'breaks',
  mail_id: 'mails',
  print_id: 'print_jobs',
  program_token_id: 'program_tokens',
  address_id: 'program_addresses',
  delivery_id: 'program_deliveries',
  message_id: 'messages',
  note_id: 'order_notes',
  order_id: 'orders',
  phone_id: 'phones',
  refund_id: 'refunds',
  run_id: 'refund_runs',
  shift_id: 'shifts',
  show_id: 'shows',
  ticket_id: 'tickets',
  user_id: 'users',
};

/** What a refused call may write: how long a session lasts from now, what a phone was heard and told, what a book still owes, work that is noted while it runs, wrong guesses, and a count that does not come out; tries at a login are in the log of deeds and told to the account's owner, and a proxy that is not believed is noted for the office. */
function mayChange(table: string, { operation, request }: Asked): boolean {
  return (
    ['sessions', 'phones', 'guesses', 'started_work'].includes(table) ||
    (table.startsWith('book') && operation.path.startsWith('/api/admin/books/')) ||
    (table === 'audit' && operation.path.endsWith('/shifts/close')) ||
    (['audit', 'mails', 'outbox'].includes(table) && operation.path.startsWith('/api/auth/')) ||
    (table === 'settings' && 'x-forwarded-for' in request.headers)
  );
}

class Fuzzer {
  readonly #server: TestServer;
  readonly #chance: Chance;
  readonly #callers: Callers;
  readonly #operations: Operation[];
  readonly #orders: Orders;
  readonly #watch: Watch;
  readonly #pool = new Pool();
  readonly #findings = new Findings();
  #logged = 0;

  private constructor(
    server: TestServer,
    {
      chance,
      people,
      all,
      orders,
      watch,
    }: { chance: Chance; people: Callers; all: Operation[]; orders: Orders; watch: Watch },
  ) {
    this.#server = server;
    this.#chance = chance;
    this.#callers = people;
    this.#operations = all;
    this.#orders = orders;
    this.#watch = watch;
  }

  static async open(server: TestServer, chance: Chance): Promise<Fuzzer> {
    const { db } = server.house.ctx;
    const ids = await seedStates(server);
    const people = await Callers.open(server);
    // It asks seats.io itself, which is not here.
    const all = (await readDocument(server)).filter(
      ({ operationId }) => operationId !== 'fetchDrawing',
    );
    const own = [ids.confirmed, ids['awaiting payment'], ids['refund asked for']];
    const orders = await Orders.read(db, own);
    const watch = await Watch.open(db);
    const fuzzer = new Fuzzer(server, { chance, people, all, orders, watch });
    for (const id of Object.values(ids)) fuzzer.#pool.add('order_id', id);
    await fuzzer.#look();
    return fuzzer;
  }

  /** Whatever can be read without knowing anything, so that there are ids to try. */
  async #look(): Promise<void> {
    this.#pool.add('wire', String(wireVersion));
    this.#pool.add('chart_key', 'teatro-goldoni');
    await this.#refresh();
    for (const operation of this.#operations.filter(({ method }) => method === 'GET'))
      for (const target of [operation.path.replace(/\{eventId\}/, 'la-locandiera')])
        if (!target.includes('{'))
          await this.#ask(operation, 'admin', {
            method: 'GET',
            target,
            headers: this.#callers.of('admin'),
            body: null,
          });
  }

  /** What there is by now, under the names that paths have for it. */
  async #refresh(): Promise<void> {
    const { db, seats } = this.#server.house.ctx;
    for (const [name, table] of Object.entries(tables)) {
      const rows: Record<string, unknown>[] = await db(table).orderBy('id', 'desc').limit(8);
      const ids = rows.map(({ id }) => id);
      this.#pool.rows.set(name, rows);
      this.#pool.real.set(name, ids);
      for (const id of ids) this.#pool.add(name, id);
    }
    // The office names an order by its id, a visitor by its link.
    const orders = this.#pool.real.get('order_id') ?? [];
    this.#pool.real.set('order_id', [...orders, ...this.#orders.links]);
    this.#pool.real.set('event_id', [demoEvent, demoEvent, demoEvent, 'sconosciuto']);
    for (const id of [demoEvent, 'sconosciuto']) {
      this.#pool.add('event_id', id);
      this.#pool.add('event_key', id);
      this.#pool.add('show_id', id);
    }
    const free = (await seats.objects(demoEvent)).filter(({ status }) => status === 'free');
    for (let nth = 0; nth < 12; nth += 1) {
      const { label } = this.#chance.one(free);
      for (const name of ['object', 'objects', 'object_id', 'obj_ids']) this.#pool.add(name, label);
    }
    this.#pool.add('hold_token', await makeHoldToken(this.#server));
    // What was begun goes on, as it would by itself.
    await this.#server.runDue();
  }

  /** Those who may not. */
  async asOutsiders(requests: number): Promise<void> {
    const pairs = this.#operations.flatMap((operation) =>
      callers
        .filter((caller) => !isEntitled(caller, operation.operationId))
        .map((caller) => ({ operation, caller })),
    );
    for (let nth = 0; nth < requests; nth += 1) {
      const { operation, caller } = pairs[nth % pairs.length]!;
      await this.#try(operation, caller);
    }
  }

  /** Each with the link of an order of their own, and whatever they know of others' orders beside it. */
  async asBuyers(requests: number): Promise<void> {
    const { links } = this.#orders;
    const ofOrders = this.#operations.filter(({ path }) =>
      path.startsWith('/api/orders/{orderId}'),
    );
    for (let nth = 0; nth < requests; nth += 1) {
      if (nth % 300 === 0) await this.#refresh();
      this.#pool.real.set('order_id', [this.#chance.one(links)]);
      await this.#try(ofOrders[nth % ofOrders.length]!, 'buyer');
    }
  }

  async asEverybody(requests: number): Promise<void> {
    for (let nth = 0; nth < requests; nth += 1) {
      if (nth % 300 === 0) await this.#refresh();
      const operation = this.#operations[nth % this.#operations.length]!;
      const entitled = callers.filter((caller) => isEntitled(caller, operation.operationId));
      const caller = this.#chance.is(0.9) ? this.#chance.one(entitled) : this.#chance.one(callers);
      await this.#try(operation, caller === 'buyer' ? 'nobody' : caller);
    }
  }

  async #try(operation: Operation, caller: Caller): Promise<void> {
    const request = makeRequest(operation, this.#callers.of(caller), {
      chance: this.#chance,
      pool: this.#pool,
      careful: this.#chance.is(0.6),
      onlyReal: caller === 'buyer',
    });
    const reply = await this.#ask(operation, caller, request);
    const knowsCaller = Object.entries(this.#callers.of(caller)).every(
      ([name, value]) => request.headers[name] === value,
    );
    const isOut =
      (reply.status === 401 || reply.status === 403) && isEntitled(caller, operation.operationId);
    if (isOut && knowsCaller) await this.#callers.renew(caller);
  }

  async #ask(operation: Operation, caller: Caller, request: Request): Promise<Reply> {
    // What was done between two requests is no request's.
    await this.#watch.changes();
    const reply = await send(this.#server.url, request);
    const asked = { operation, caller, request, reply };
    const note = (what: string) => this.#findings.note(what, asked);
    const right = request.method === operation.method && !/\.\.|%2e%2e/.test(request.target);
    const letIn = right && reply.status >= 200 && reply.status < 300;
    this.#findings.count(asked, letIn);
    const fault = faultOf(operation, reply, right);
    if (fault !== null) note(fault);
    if (letIn) {
      if (!isEntitled(caller, operation.operationId)) note('let in who may not');
      // Another of our callers may have a greater role now.
      if (operation.path.startsWith('/api/admin/people/') && request.method !== 'GET')
        await this.#callers.renew(caller);
      this.#harvest(operation, readJson(reply.text) ?? null);
    }
    const place = reply.headers['set-cookie']?.find((cookie) => cookie.startsWith('place='));
    if (place !== undefined) this.#pool.add('place_cookie', place.split(';')[0]);
    for (const what of await this.#trespasses(asked)) note(what);
    const news = this.#server.logged.slice(this.#logged);
    this.#logged = this.#server.logged.length;
    for (const line of news) note(`logged ${line.slice(0, 1_500)}`);
    return reply;
  }

  /** A refused call changes nothing; a buyer's changes and shows nothing of anybody else's order. */
  async #trespasses(asked: Asked): Promise<string[]> {
    const { operation, caller, request, reply } = asked;
    const all = await this.#watch.changes();
    // Stripe's word may come at any time, and says what was done before.
    const changes = all.some((one) => one.table_name === 'webhook_events') ? [] : all;
    const isRefused = reply.status >= 400 || !isEntitled(caller, operation.operationId);
    const changed = changes
      .filter((change) => isRefused && !mayChange(change.table_name, asked))
      .map((change) => `refused, and changed the table ${change.table_name}`);
    if (caller !== 'buyer') return changed;
    return [...changed, ...this.#orders.trespasses({ changes, request, reply })];
  }

  /** The rows of a list are named after its path: `/api/admin/orders/` has orders. */
  #harvest({ path }: Operation, value: unknown): void {
    const rows = (value as { items?: unknown } | null)?.items ?? value;
    const name = path.split('/').findLast((part) => /^[a-z_]+$/.test(part)) ?? 'id';
    this.#pool.harvest(rows, name, name);
  }

  report(): Report {
    return this.#findings.report(this.#operations);
  }
}
