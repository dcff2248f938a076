/** The largest input of everything that a stranger reaches, and of the heaviest that a known caller reaches. */
import { addTicketsTo } from '#tests/support/many-tickets.ts';
import { readDocument, type Operation } from '#tests/fuzz/document.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { makeForm } from '#tests/support/event-desk.ts';
import { demoEvent, makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';
import { hostileBodies, hostileHeaders, hostilePaths } from './hostile.ts';

export interface Ask {
  name: string;
  url: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

const json = { 'content-type': 'application/json' };
/** What a stranger's body may have, in bytes. */
const strangersMost = 64_000;

export async function largestInputs(server: TestServer): Promise<Ask[]> {
  const buyer = await makePaidOrder(server);
  const tickets = await addTicketsTo(server, buyer.order_id, 48);
  // Arabic letters take the most work on paper, without a space most of all.
  const holder = `${'م'.repeat(60)} ${'ش'.repeat(60)}`;
  await server.house.ctx.db('tickets').where({ order_id: buyer.order_id }).update({ holder });
  const operations = await readDocument(server);
  const params = { eventId: demoEvent, orderId: buyer.link_key, ticketId: tickets[0]! };
  const asks = [
    ...ofHeads(),
    ...ofPasswords(),
    ...operations.flatMap((operation) => ofStranger(operation, params)),
    ...falseTokens
      .flatMap((id) => operations.filter((one) => one.operationId === id))
      .map(falseToken),
    ...ofBuyer(buyer.link_key, tickets[0]!),
    ...ofVendors(server),
    ...(await ofKnown(server, operations)),
  ];
  return asks.map((ask) => ({ ...ask, url: server.url }));
}

type Sent = Omit<Ask, 'url'>;

/** Headers and paths of the greatest length, at each kind of handler. */
function ofHeads(): Sent[] {
  const targets = ['/', '/api/v1/events', '/api/scanner/live', '/standins/seatsio/chart.js'];
  const pages = ['/sitemap.xml', '/verifica.html', '/chiave-del-libro', '/api/openapi.json'];
  pages.push('/readyz', '/metrics', `/event/${demoEvent}`, '/api/site/legal/privacy');
  return [
    ...Object.entries(hostileHeaders).flatMap(([name, headers]) =>
      targets.map((path) => ({ name: `${path} ${name}`, method: 'GET', path, headers })),
    ),
    ...Object.entries(hostilePaths).map(([name, path]) => ({ name, method: 'GET', path })),
    ...pages.map((path) => ({ name: path, method: 'GET', path })),
  ];
}

/** Without a true invitation, link or account; the name's words make a meter work longer. */
function ofPasswords(): Sent[] {
  const name = Array.from('abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz')
    .join(' ')
    .slice(0, 100);
  const known = { token: 'a'.repeat(100), email: `${'a'.repeat(60)}@teatro.it`, name };
  const texts = ['p4s5w0rd', '1234567890', 'il1|!7', 'tes7ti3iti71ea1s137s7433s', '/0./-1-//11'];
  return ['/invite', '/password/reset', '/login'].flatMap((path) =>
    texts.map((text) => ({
      name: `${path} ${text}`,
      method: 'POST',
      path: `/api/auth${path}`,
      headers: json,
      body: JSON.stringify({ ...known, password: text.repeat(40).slice(0, 256) }),
    })),
  );
}

function pathOf({ path }: Operation, params: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'x');
}

function ofStranger(operation: Operation, params: Record<string, string>): Sent[] {
  const { method, tags, operationId } = operation;
  if (tags[0] !== 'public') return [];
  const path = pathOf(operation, params);
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return method === 'GET' ? [{ name: operationId, method, path }] : [];
  return [...hostileBodies(schema, strangersMost)].map(([name, body]) => ({
    name: `${operationId} ${name}`,
    method,
    path,
    headers: json,
    body,
  }));
}

/** One of each kind of caller and of each limit of bytes. */
const falseTokens = ['sendAdmissions', 'heartbeat', 'listOrdersV1', 'importAdmissions', 'makeSale'];
falseTokens.push('importDrawing', 'createEvent', 'filterImage', 'confirmIdentity');

/** Nothing is read of whoever cannot say who they are. */
function falseToken({ method, path, operationId }: Operation): Sent {
  const headers = { ...json, authorization: `Bearer ${'a'.repeat(43)}`, cookie: 'sid=a' };
  const body = `{"items":[${'{},'.repeat(300_000)}{}]}`;
  return { name: `${operationId}, false token`, method, path, headers, body };
}

function ofBuyer(order: string, ticket: string): Sent[] {
  const files = ['tickets.pdf', 'calendar.ics', 'refund_quote', 'status', 'invoice'];
  files.push(`tickets/${ticket}/wallet/apple`, `tickets/${ticket}/wallet/google`);
  return files.map((file) => ({
    name: `${file.replace(ticket, '…')} of fifty tickets`,
    method: 'GET',
    path: `/api/orders/${order}/${file}`,
  }));
}

/** Stripe's webhook, and the browser's calls to the two stand-ins. */
function ofVendors({ house }: TestServer): Sent[] {
  const workspace = house.standins!.seatsio!.workspaceKey;
  const seats = `/standins/seatsio/system/public/${workspace}`;
  const of = (type: string, items = {}) => ({ type, items });
  const fields = {
    holdToken: of('string'),
    number: of('number'),
    objects: of('array', { type: 'object' }),
  };
  const lists = { channels: of('array'), events: of('array'), except: of('array') };
  const schema = { properties: { ...fields, ...lists, categories: of('array') } };
  const acts = ['hold', 'release', 'hold-best-available', 'find-best-available'];
  const paths = acts.map((act) => `${seats}/events/${demoEvent}/actions/${act}`);
  const forms = ['a&', 'a[b]=1&', 'a[]=1&', '[a]', '%41', 'a=%41&'];
  const signatures = ['t=1,', 'v1=a,', ',', '=', `v1=${'a'.repeat(64)},`];
  return [
    ...[`${seats}/hold-tokens`, ...paths].flatMap((path) =>
      [...hostileBodies(schema, strangersMost)].map(([name, body]) => ({
        name: `${path.split('/').at(-1)} ${name}`,
        method: 'POST',
        path,
        headers: json,
        body,
      })),
    ),
    ...[100, 10].map((number) => ({
      name: `best ${number} places`,
      method: 'POST',
      path: paths[3]!,
      headers: json,
      body: JSON.stringify({ number, people: true, except: Array(500).fill('Platea-A-1') }),
    })),
    ...forms.map((text) => ({
      name: `card ${text}`,
      method: 'POST',
      path: '/standins/stripe/v1/payment_methods',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: text.repeat(60_000 / text.length),
    })),
    ...signatures.map((text) => ({
      name: `webhook ${text.slice(0, 9)}`,
      method: 'POST',
      path: '/api/webhooks/stripe',
      headers: {
        'stripe-signature': `t=${Math.floor(Date.now() / 1_000)},${text.repeat(12_000 / text.length)}`,
      },
      body: 'x'.repeat(500_000),
    })),
  ];
}

/** A phone with its token sends a megabyte, a person of the office what fields hold. */
async function ofKnown(server: TestServer, operations: readonly Operation[]): Promise<Sent[]> {
  const admin = await makeAdmin(server);
  const phone = await makePairedPhone(server, admin);
  const schemaOf = (id: string) => {
    const { requestBody } = operations.find(({ operationId }) => operationId === id)!;
    return requestBody!.content['application/json']!.schema;
  };
  const scans = hostileBodies(schemaOf('sendAdmissions'), 1_000_000);
  const prices = hostileBodies(schemaOf('saveShowPrices'), 400_000);
  const form = await makeForm(server);
  const texts = ['<!--', '<b x=', '<a href="', '<', '<p><p>', '&#x'];
  return [
    ...['many escapes', 'list of empty objects'].map((name) => ({
      name: `scans of a phone, ${name}`,
      method: 'POST',
      path: '/api/scanner/admissions',
      headers: { ...json, ...phone.headers },
      body: scans.get(name)!,
    })),
    ...['full lists', 'many escapes'].map((name) => ({
      name: `prices of a show, ${name}`,
      method: 'PUT',
      path: '/api/admin/shows/x/prices',
      headers: { ...json, ...admin },
      body: prices.get(name)!,
    })),
    ...texts.map((text, nth) => ({
      name: `description ${text}`,
      method: 'POST',
      path: '/api/admin/events',
      headers: { ...json, ...admin },
      body: JSON.stringify({
        ...form,
        id: `text-${nth}`,
        description: text.repeat(39_000 / text.length),
      }),
    })),
    ...ofTables(admin),
  ];
}

/** Files of seals whose rows cost the most to cut: other than the headings, endless, in quotes. */
function ofTables(admin: Record<string, string>): Sent[] {
  const rows = {
    ragged: 'a\n',
    endless: 'a;',
    empty: ';\n\n',
    doubled: '"";"',
    quoted: '"A";"1"\n',
  };
  const file = 'content-disposition: form-data; name="file"; filename="x.csv"\r\n\r\n';
  return Object.entries(rows).map(([name, row]) => ({
    name: `file of seals, ${name} rows`,
    method: 'POST',
    path: `/api/admin/events/${demoEvent}/seals/preview`,
    headers: {
      ...admin,
      'x-requested-with': 'fetch',
      'content-type': 'multipart/form-data; boundary=x',
    },
    body: `--x\r\n${file}posto;sigillo;fila\n${row.repeat(200_000 / row.length)}\r\n--x--\r\n`,
  }));
}
