/** Asks every endpoint as everybody, with what fits, nearly fits and does not fit; says what the server did wrong. */
import { createHash } from 'node:crypto';
import { wireVersion } from '#server/contract/version.ts';
import { demoEvent, makeHoldToken } from '#tests/support/make.ts';
import { seedStates } from '#tests/support/seed-states.ts';
import type { TestServer } from '#tests/support/server.ts';
import { Callers, callers, isEntitled, type Caller } from './callers.ts';
import { makeChance, type Chance } from './chance.ts';
import { readDocument, type Operation } from './document.ts';
import { faultOf, readJson } from './judge.ts';
import { makeRequest, type Request } from './request.ts';
import { send, type Reply } from './send.ts';
import { Pool } from './values.ts';

export interface Fault {
  what: string;
  operation: string;
  caller: Caller;
  method: string;
  target: string;
  body: string;
  answer: string;
  /** How often it was seen. */
  times: number;
}

export interface Report {
  faults: Fault[];
  /** How many answers had which status. */
  statuses: Map<number, number>;
  /** Operations that nobody was let through once: what stands behind them was not tried. */
  never: { name: string; refusals: [why: string, times: number][] }[];
}

export async function fuzz(
  server: TestServer,
  { requests, seed }: { requests: number; seed: number },
): Promise<Report> {
  const fuzzer = await Fuzzer.open(server, makeChance(seed));
  // First those who may not: nothing at all may be other afterwards.
  await fuzzer.asOutsiders(Math.floor(requests / 5));
  await fuzzer.asEverybody(requests - Math.floor(requests / 5));
  return fuzzer.report();
}

/** Where the ids in paths come from. */
const tables = {
  block_id: 'blocks',
  contingent_id: 'contingents',
  event_id: 'events',
  job_id: 'outbox',
  admission_id: 'admissions',
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

class Fuzzer {
  readonly #server: TestServer;
  readonly #chance: Chance;
  readonly #callers: Callers;
  readonly #operations: Operation[];
  readonly #pool = new Pool();
  readonly #faults = new Map<string, Fault>();
  readonly #statuses = new Map<number, number>();
  readonly #reached = new Set<string>();
  readonly #refusals = new Map<string, Map<string, number>>();
  #logged = 0;

  private constructor(server: TestServer, chance: Chance, people: Callers, all: Operation[]) {
    this.#server = server;
    this.#chance = chance;
    this.#callers = people;
    this.#operations = all;
  }

  static async open(server: TestServer, chance: Chance): Promise<Fuzzer> {
    const ids = await seedStates(server);
    const people = await Callers.open(server);
    const all = await readDocument(server);
    // It asks seats.io itself, which is not here.
    const near = all.filter(({ operationId }) => operationId !== 'fetchDrawing');
    const fuzzer = new Fuzzer(server, chance, people, near);
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
      const ids: unknown[] = await db(table).orderBy('id', 'desc').limit(8).pluck('id');
      this.#pool.real.set(name, ids);
      for (const id of ids) this.#pool.add(name, id);
    }
    this.#pool.real.set('event_id', [demoEvent, 'sconosciuto']);
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

  async asOutsiders(requests: number): Promise<void> {
    const pairs = this.#operations.flatMap((operation) =>
      callers
        .filter((caller) => !isEntitled(caller, operation.operationId))
        .map((caller) => ({ operation, caller })),
    );
    const before = await fingerprint(this.#server);
    for (let nth = 0; nth < requests; nth += 1) {
      const { operation, caller } = pairs[nth % pairs.length]!;
      await this.#try(operation, caller);
    }
    const after = await fingerprint(this.#server);
    for (const [table, print] of after)
      if (before.get(table) !== print)
        this.#faults.set(`outsiders changed ${table}`, {
          ...nobodysFault,
          what: `somebody who may not changed the table ${table}`,
        });
  }

  async asEverybody(requests: number): Promise<void> {
    for (let nth = 0; nth < requests; nth += 1) {
      if (nth % 300 === 0) await this.#refresh();
      const operation = this.#operations[nth % this.#operations.length]!;
      const entitled = callers.filter((caller) => isEntitled(caller, operation.operationId));
      const caller = this.#chance.is(0.9) ? this.#chance.one(entitled) : this.#chance.one(callers);
      await this.#try(operation, caller);
    }
  }

  async #try(operation: Operation, caller: Caller): Promise<void> {
    const request = makeRequest(operation, this.#callers.of(caller), {
      chance: this.#chance,
      pool: this.#pool,
      careful: this.#chance.is(0.6),
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
    const reply = await send(this.#server.url, request);
    this.#statuses.set(reply.status, (this.#statuses.get(reply.status) ?? 0) + 1);
    const right = request.method === operation.method && !/\.\.|%2e%2e/.test(request.target);
    const note = (what: string) => this.#note(what, { operation, caller, request, reply });
    const fault = faultOf(operation, reply, right);
    if (fault !== null) note(fault);
    if (right && reply.status >= 200 && reply.status < 300) {
      if (!isEntitled(caller, operation.operationId)) note('let in who may not');
      this.#reached.add(operation.operationId);
      this.#harvest(operation, readJson(reply.text) ?? null);
    }
    if (reply.status >= 400) this.#countRefusal(operation, reply);
    const news = this.#server.logged.slice(this.#logged);
    this.#logged = this.#server.logged.length;
    for (const line of news) note(`logged ${line.slice(0, 1_500)}`);
    return reply;
  }

  #countRefusal({ operationId }: Operation, { status, text }: Reply): void {
    const { code, detail } = (readJson(text) ?? {}) as { code?: string; detail?: unknown };
    const why = `${status} ${code} ${detail === undefined ? '' : JSON.stringify(detail)}`;
    const known = this.#refusals.get(operationId) ?? new Map<string, number>();
    known.set(why, (known.get(why) ?? 0) + 1);
    this.#refusals.set(operationId, known);
  }

  /** The rows of a list are named after its path: `/api/admin/orders/` has orders. */
  #harvest({ path }: Operation, value: unknown): void {
    const rows = (value as { items?: unknown } | null)?.items ?? value;
    const name = path.split('/').findLast((part) => /^[a-z_]+$/.test(part)) ?? 'id';
    this.#pool.harvest(rows, name, name);
  }

  #note(
    what: string,
    {
      operation,
      caller,
      request,
      reply,
    }: { operation: Operation; caller: Caller; request: Request; reply: Reply },
  ): void {
    // One of a kind is enough to mend it.
    const kind = `${operation.operationId} ${what.replace(/\d+/g, '#').slice(0, 60)}`;
    const known = this.#faults.get(kind);
    if (known) known.times += 1;
    else
      this.#faults.set(kind, {
        what,
        operation: operation.operationId,
        caller,
        method: request.method,
        target: request.target.slice(0, 500),
        body: request.body?.toString('utf8').slice(0, 1_000) ?? '',
        answer: `${reply.status} ${reply.text.slice(0, 300)}`,
        times: 1,
      });
  }

  report(): Report {
    return {
      faults: [...this.#faults.values()],
      statuses: this.#statuses,
      never: this.#operations
        .map(({ operationId }) => operationId)
        .filter((name) => !this.#reached.has(name))
        .map((name) => ({ name, refusals: [...(this.#refusals.get(name) ?? [])] })),
    };
  }
}

const nobodysFault: Omit<Fault, 'what'> = {
  operation: '',
  caller: 'nobody',
  method: '',
  target: '',
  body: '',
  answer: '',
  times: 1,
};

/** When somebody was last seen changes with every call, also with a refused one. */
const alwaysChanging = ['sessions', 'phones', 'program_tokens'];

/** A hash of each table's rows. */
async function fingerprint(server: TestServer): Promise<Map<string, string>> {
  const { db } = server.house.ctx;
  const tables = (await db('sqlite_master').where({ type: 'table' }).pluck('name')) as string[];
  const prints = new Map<string, string>();
  for (const table of tables.filter((name) => !alwaysChanging.includes(name))) {
    const rows: unknown = await db(table).select();
    prints.set(table, createHash('sha256').update(JSON.stringify(rows)).digest('hex'));
  }
  return prints;
}
