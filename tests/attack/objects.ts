/** Role × object: every text that an answer gives to a caller is tried as an id, at all visitors' addresses and at all of the caller's own, and opens nothing that the caller may not see. */
import { endpoints } from '#server/contract/all.ts';
import type { EndpointShape } from '#server/contract/endpoint.ts';
import { wireVersion } from '#server/domain/door/wire.ts';
import type { OrderRow } from '#db/rows.ts';
import { seesOrder } from '#server/services/order/order-scope.ts';
import { callers as all, Callers, isEntitled, type Caller } from '#tests/fuzz/callers.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { sender } from '#tests/support/mail-day.ts';
import { feeEvent } from '#tests/support/refunds.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { startSmtp } from '#tests/support/smtp.ts';

export interface ObjectRow {
  caller: Caller;
  /** Addresses that answered, texts in their answers, and calls with those texts. */
  answers: number;
  texts: number;
  tried: number;
  /** What was opened and should not have been. */
  opened: string[];
}

/** A buyer without a link is a stranger. */
const callers = all.filter((caller) => caller !== 'buyer');

const gets = Object.entries(endpoints as Record<string, EndpointShape>).filter(
  ([, { method, stream }]) => method === 'GET' && !stream,
);
const paramsOf = ({ path }: EndpointShape): string[] => path.match(/:\w+/g) ?? [];
/** Files for a printer or a spreadsheet show what the answers of the same caller show. */
const isFile = /pdf|zip|officedocument|pkpass/;

/** One GET with this text for each parameter; the body if it was answered. */
async function read(
  { url }: { url: string },
  { path, who, file }: EndpointShape,
  { text, headers }: { text: string; headers: Record<string, string> },
): Promise<string | null> {
  const target = `${path.replace(/:\w+/g, encodeURIComponent(text))}${who === 'phone' ? `?wire=${wireVersion}` : ''}`;
  const answer = await fetch(url + target, { headers: { ...headers, connection: 'close' } });
  const body = await answer.text();
  if (answer.status >= 300) return null;
  return isFile.test(file ?? '') ? '' : body;
}

/** Anything that could be a link: its secret has 22 characters, an id 30. */
function textsIn(body: string): string[] {
  return (body.match(/[\w-]{16,64}/g) ?? []).filter(
    (text) => /\d/.test(text) || text.length === 22,
  );
}

/** All texts of all answers that this caller gets, with the ids of the house for what is asked by id. */
async function collect(
  server: TestServer,
  {
    caller,
    headers,
    ids,
  }: { caller: Caller; headers: Record<string, string>; ids: readonly string[] },
): Promise<{ answers: number; texts: Set<string> }> {
  const texts = new Set<string>();
  let answers = 0;
  for (const [name, endpoint] of gets) {
    if (!isEntitled(caller, name) || endpoint.who === 'public') continue;
    for (const text of paramsOf(endpoint).length === 0 ? [''] : ids) {
      const body = await read(server, endpoint, { text, headers });
      if (body === null) continue;
      answers += 1;
      for (const found of textsIn(body)) texts.add(found);
    }
  }
  return { answers, texts };
}

/** What a body shows of orders that this caller may not see at all. */
type Oracle = (body: string) => string[];

async function oracleOf(server: TestServer, caller: Caller): Promise<Oracle> {
  const { ctx } = server.house;
  const orders = await ctx.db<OrderRow>('orders').select('id', 'link_key', 'number', 'buyer_email');
  const hidden: string[] = [];
  for (const { id, link_key, number, buyer_email } of orders) {
    hidden.push(link_key);
    const role =
      caller === 'cassa' ? await seesOrder(ctx, { id: 'cassa', role: 'cassa' }, id) : null;
    const seesNone = ['viewer', 'door', 'phone', 'supervisor', 'narrow program'].includes(caller);
    if (buyer_email !== null && (role === false || seesNone)) hidden.push(buyer_email);
    if (role === false) hidden.push(number);
  }
  return (body) => hidden.filter((secret) => body.includes(secret));
}

/** Two buyers; no cashier sees the orders of an evening that is not on sale. */
async function fillHouse(server: TestServer): Promise<void> {
  const [hidden, seen] = [{ event: feeEvent }, { nth: 2 }];
  await makePaidOrder(server, { name: 'Nora Nascosta', email: 'nora@example.it' }, hidden);
  await makePaidOrder(server, { name: 'Vera Vista', email: 'vera@example.it' }, seen);
  await server.runDue();
  await server.house.ctx.db('events').where({ id: feeEvent }).update({ status: 'draft' });
}

/** Prints the table of a house with a mail server. */
export async function attackObjects(): Promise<void> {
  await using smtp = await startSmtp();
  await using server = await startServer({ env: { SMTP_URL: smtp.url, ...sender } });
  console.log(objectTable(await tryObjects(server)));
}

/**
 * The strongest form: what any caller was given is tried by every caller, because people of a house
 * talk to each other.
 */
export async function tryObjects(server: TestServer): Promise<ObjectRow[]> {
  await fillHouse(server);
  const held = await Callers.open(server);
  const ids = await someIds(server);
  const given = new Map<Caller, Awaited<ReturnType<typeof collect>>>();
  for (const caller of callers)
    given.set(caller, await collect(server, { caller, headers: held.of(caller), ids }));
  const everything = [...new Set([...given.values()].flatMap(({ texts }) => [...texts]))];
  const records = new Set(ids);
  const status = endpoints.orderStatus as EndpointShape;
  const rows: ObjectRow[] = [];
  for (const caller of callers) {
    const headers = held.of(caller);
    const shows = await oracleOf(server, caller);
    const opened = new Set<string>();
    let tried = 0;
    const attempt = async (name: string, endpoint: EndpointShape, text: string) => {
      tried += 1;
      const body = await read(server, endpoint, { text, headers });
      if (body === null) return;
      if (endpoint.who === 'public' && paramsOf(endpoint).includes(':orderId'))
        opened.add(`${name} with ${text}`);
      for (const secret of shows(body)) opened.add(`${name} shows ${secret}`);
    };
    // All visitors' addresses name an order by one rule, so one of them is asked with every text.
    for (const text of caller === 'nobody' ? everything : [])
      await attempt('orderStatus', status, text);
    for (const [name, endpoint] of gets) {
      if (paramsOf(endpoint).length === 0 || !isEntitled(caller, name)) continue;
      if (endpoint.who === 'public' && caller !== 'nobody') continue;
      for (const text of records) await attempt(name, endpoint, text);
    }
    const { answers, texts } = given.get(caller)!;
    rows.push({ caller, answers, texts: texts.size, tried, opened: [...opened] });
  }
  return rows;
}

/** The ids of a few rows of each kind that an address may name. */
async function someIds({ house }: TestServer): Promise<string[]> {
  const { db } = house.ctx;
  const tables = ['orders', 'tickets', 'refunds', 'mails', 'phones', 'events', 'shows', 'shifts'];
  const lists: string[][] = await Promise.all(
    tables.map((table) =>
      db(table)
        .orderBy('id')
        .limit(table === 'orders' ? 20 : 3)
        .pluck('id'),
    ),
  );
  return [...lists.flat(), ...(await db('orders').pluck('number'))];
}

/** Who got what, and what it opened. */
export function objectTable(rows: readonly ObjectRow[]): string {
  return rows
    .map(
      ({ caller, answers, texts, tried, opened }) =>
        `${caller.padEnd(15)} ${String(answers).padStart(5)} answers ${String(texts).padStart(6)} texts ${String(tried).padStart(6)} tried ${String(opened.length).padStart(3)} opened`,
    )
    .join('\n');
}
