/** The link makes its holder the buyer; the order's id, which the office, phones and Stripe know, opens nothing. */
import * as v from 'valibot';
import { expect } from 'vitest';
import pino from 'pino';
import { endpoints } from '#server/contract/all.ts';
import type { EndpointShape } from '#server/contract/endpoint.ts';
import { readMail } from '#server/contract/mails.ts';
import { previewLetter } from '#server/contract/messages.ts';
import { viewAsBuyer } from '#server/contract/order/links.ts';
import { listOrderTickets } from '#server/contract/order/orders.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { everyText } from '#tests/support/every-text.ts';
import { mailsOf, testWithSmtp } from '#tests/support/mail-day.ts';
import { ask, callOk, makeAdmin, tryBook, type Booked } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const email = 'eva@example.it';
/** All endpoints at which a visitor names an order. */
const visitors: EndpointShape[] = Object.values(endpoints).filter(
  ({ who, path }: EndpointShape) => who === 'public' && path.includes(':orderId'),
);

/** The answer to a stranger who names the order by this text, and only by it. */
async function knock(server: TestServer, endpoint: EndpointShape, named: string) {
  const path = endpoint.path.replace(':orderId', named).replace(/:\w+/g, 'x');
  // Without support/make.ts, which would put the link in.
  const answer = await fetch(server.url + path, {
    method: endpoint.method,
    ...(endpoint.body ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}),
  });
  const text = await answer.text();
  const { code } = (text.startsWith('{') ? JSON.parse(text) : {}) as { code?: string };
  return { status: answer.status, code, text };
}

test('a visitor opens an order by its link alone, at every address', async (server) => {
  const order = await makePaidOrder(server, { email });
  expect(visitors.length).toBeGreaterThan(15);
  for (const endpoint of visitors) {
    const [byId, byLink] = [order.order_id, order.link_key];
    // A body that says nothing is refused before the order is looked for.
    const saysEnough = endpoint.body === undefined || v.is(endpoint.body, {});
    const refusal = saysEnough ? 'order_not_found' : 'bad_request';
    expect([endpoint.path, (await knock(server, endpoint, byId)).code]).toEqual([
      endpoint.path,
      refusal,
    ]);
    if (endpoint.method !== 'GET') continue;
    const { code } = await knock(server, endpoint, byLink);
    expect([endpoint.path, code === 'order_not_found']).toEqual([endpoint.path, false]);
  }
  const page = (named: string) => fetch(`${server.url}/orders/${named}`).then((one) => one.text());
  expect((await page(order.link_key)).includes('Platea')).toBe(true);
  expect((await page(order.order_id)).includes('Platea')).toBe(false);
});

test('the link is in its own column and in the mails, and nowhere else in the books or the log', async (server) => {
  const order = await makePaidOrder(server, { email });
  await server.runDue();
  const found = [...(await everyText(server))].filter(([, text]) => text.includes(order.link_key));
  expect(found.map(([table]) => table)).toEqual(['mails', 'orders']);
  const row = await server.house.ctx.db('orders').where({ id: order.order_id }).first();
  expect(Object.keys(row).filter((column) => String(row[column]).includes(order.link_key))).toEqual(
    ['link_key'],
  );
});

it('the log names the order, and never its link', async () => {
  let written = '';
  const log = pino({ level: 'trace' }, { write: (line: string) => void (written += line) });
  await using server = await startServer({ log });
  const order = await makePaidOrder(server, { email });
  for (const endpoint of visitors) await knock(server, endpoint, order.link_key);
  await fetch(`${server.url}/orders/${order.link_key}`);
  await server.runDue();
  expect([written.includes(order.order_id), written.includes(order.link_key)]).toEqual([
    true,
    false,
  ]);
});

const mailOf = async (server: TestServer, { order_id }: Booked, admin: { cookie: string }) => {
  const [mail] = await mailsOf(server, order_id);
  return callOk(server, readMail, { params: { mailId: mail!.id } }, admin);
};

testWithSmtp(
  'the office reads mails and previews without the link, and looks at the page without it',
  async (server) => {
    const order = await makePaidOrder(server, { email });
    await server.runDue();
    const admin = await makeAdmin(server);
    const mail = await mailOf(server, order, admin);
    expect(mail.text).toContain('/orders/…');
    const words = { subject: 'Ciao', body: 'Il tuo ordine: {link}', order_id: order.order_id };
    const preview = await ask(server, 'POST', previewLetter.path, { body: words, headers: admin });
    const params = { orderId: order.order_id };
    const view = await callOk(server, viewAsBuyer, { params }, admin);
    expect(JSON.stringify([mail, preview.body, view])).not.toContain(order.link_key);
    const { items } = await callOk(server, listOrderTickets, { params }, admin);
    expect(view.tickets.map(({ seat }) => seat)).toEqual(items.map(({ seat }) => seat));
    for (const { path } of mail.attachments)
      expect((await ask(server, 'GET', path!, { headers: admin })).status).toBe(200);
    const viewer = await asRole(server, 'viewer');
    const path = `/api/admin/orders/${order.order_id}/as_buyer`;
    expect((await ask(server, 'GET', path, { headers: viewer })).status).toBe(403);
  },
  { databases: ['sqlite'] },
);

it('without a mail server the mailbox is where the buyer reads the mail, link and all', async (server) => {
  const order = await makePaidOrder(server, { email });
  await server.runDue();
  expect((await mailOf(server, order, await makeAdmin(server))).text).toContain(order.link_key);
});

const linkIn = (text: string) => /\/orders\/([\w-]{22})(?![\w-])/.exec(text)![1]!;

testWithSmtp(
  'a new link ends the old one at once and is mailed to the buyer; who asks for it does not see it',
  async (server, smtp) => {
    const order = await makePaidOrder(server, { email });
    await server.runDue();
    const admin = await makeAdmin(server);
    const status = async (named: string) =>
      (await fetch(`${server.url}/api/orders/${named}/status`)).status;
    const renewals = [
      () => ask(server, 'POST', `/api/orders/${linkIn(newest())}/link`),
      () => ask(server, 'POST', `/api/admin/orders/${order.order_id}/link`, { headers: admin }),
    ];
    const newest = () => smtp.received.at(-1)!.email.text!;
    for (const renew of renewals) {
      const before = linkIn(newest());
      expect(await status(before)).toBe(200);
      const { status: code, body } = await renew();
      expect([code, body]).toEqual([204, '']);
      for (const endpoint of visitors.filter(({ body }) => !body))
        expect([endpoint.path, await knock(server, endpoint, before)]).toEqual([
          endpoint.path,
          expect.objectContaining({ status: 410, code: 'link_replaced' }),
        ]);
      await server.runDue();
      expect(newest()).toContain('quello che avevi prima non si apre più');
      expect(await status(linkIn(newest()))).toBe(200);
    }
    // Nor does the browser that booked, by sending its booking again.
    const { status: again, body: refused } = await tryBook(server, order);
    expect([again, JSON.stringify(refused).includes(linkIn(newest()))]).toEqual([409, false]);
    const told = await server.house.ctx.db('audit').where({ action: 'link_replaced' });
    expect(told.map(({ actor, subject }) => [String(actor).split(':')[0], subject])).toEqual([
      ['visitor', order.order_id],
      ['user', order.order_id],
    ]);
    expect(server.logged).toEqual([]);
  },
);

testWithSmtp(
  'orders that belong together get new links together, because the page of each names the others',
  async (server) => {
    const admin = await makeAdmin(server);
    await openDrawer(server, admin);
    const first = await makePaidOrder(server, { email });
    const part = await sellAtCounter(server, admin, { nth: 3, part_of: first.order_id });
    const read = () => server.house.ctx.db('orders').orderBy('created_at').pluck('link_key');
    const before: string[] = await read();
    const path = `/api/admin/orders/${part.order_id}/link`;
    expect((await ask(server, 'POST', path, { headers: admin })).status).toBe(204);
    expect((await read()).filter((key) => before.includes(key))).toEqual([]);
    for (const key of before)
      expect((await fetch(`${server.url}/api/orders/${key}`)).status).toBe(410);
    expect(await server.house.ctx.db('audit').where({ action: 'link_replaced' })).toHaveLength(1);
  },
  { databases: ['sqlite'] },
);
