/** Mail as the office sees it: what could not leave and why, sending it again, and every letter to read. */
import { expect } from 'vitest';
import { listMails, readMail, resendMail, resendTickets } from '#server/contract/mails.ts';
import { listOrders } from '#server/contract/order/orders.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { mailsOf, testWithSmtp } from '#tests/support/mail-day.ts';
import { ask, callOk, makeAdmin } from '#tests/support/make.ts';

const hour = 3_600_000;
const email = 'eva@example.it';

testWithSmtp(
  'a refused mail is in front of the office, with the server’s words, and can be sent again to a corrected address',
  async (server, smtp) => {
    const admin = await makeAdmin(server);
    const { order_id } = await makePaidOrder(server, { email });
    await server.runDue();
    server.clock.advance(2 * hour);
    await server.runDue();
    const { items } = await callOk(server, listMails, { query: { state: 'failed' } }, admin);
    expect(items).toMatchObject([
      {
        order_id,
        kind: 'tickets',
        state: 'failed',
        attempts: 1,
        trouble: { trouble: 'rejected', said: '550 No such user here' },
      },
    ]);
    // To the same address the same answer, in a row of its own.
    const again = await callOk(
      server,
      resendMail,
      { params: { mailId: items[0]!.mail_id } },
      admin,
    );
    await server.runDue();
    expect(
      await callOk(server, readMail, { params: { mailId: again.mail_id } }, admin),
    ).toMatchObject({ state: 'failed', resend_to: email });
    const sent = await callOk(
      server,
      resendTickets,
      { params: { orderId: order_id }, body: { email: ' eva.neri@example.it ' } },
      admin,
    );
    expect(sent.to_address).toBe('eva.neri@example.it');
    await server.runDue();
    expect(smtp.received.map(({ to }) => to)).toEqual([['eva.neri@example.it']]);
    expect(
      await callOk(server, readMail, { params: { mailId: sent.mail_id } }, admin),
    ).toMatchObject({ state: 'sent', to_address: 'eva.neri@example.it' });
    const rows = await mailsOf(server, order_id);
    expect([rows.length, new Set(rows.map((row) => row.message_id)).size]).toEqual([3, 3]);
    const audit = await server.house.ctx
      .db('audit')
      .where({ subject: order_id })
      .whereIn('action', ['buyer_email_changed', 'mail_resent'])
      .orderBy(['at', 'id']);
    expect(audit.map((row) => row.action).toSorted()).toEqual([
      'buyer_email_changed',
      'mail_resent',
      'mail_resent',
    ]);
    expect(JSON.stringify(audit)).not.toContain('@');
    expect(
      (await callOk(server, listOrders, { query: { q: 'eva.neri@example.it' } }, admin)).items.map(
        (order) => order.order_id,
      ),
    ).toEqual([order_id]);
  },
  { answers: { rcpt: (address) => (address === email ? '550 No such user here' : null) } },
);

testWithSmtp('an order without an address is not written to, and says so', async (server, smtp) => {
  const admin = await makeAdmin(server);
  const { order_id } = await makePaidOrder(server);
  await server.house.ctx.db('orders').where({ id: order_id }).update({ buyer_email: null });
  await server.runDue();
  const { items } = await callOk(server, listMails, {}, admin);
  expect(items).toMatchObject([
    {
      state: 'failed',
      attempts: 0,
      to_address: null,
      trouble: { trouble: 'no_address', said: null },
    },
  ]);
  expect(
    await ask(server, 'POST', `/api/admin/mails/${items[0]!.mail_id}/resend`, { headers: admin }),
  ).toMatchObject({ status: 422, body: { code: 'mail_address_missing' } });
  expect(
    await ask(server, 'POST', `/api/admin/orders/${order_id}/resend`, { headers: admin, body: {} }),
  ).toMatchObject({ status: 422, body: { code: 'mail_address_missing' } });
  for (const wrong of ['eva', 'a@b.it, c@d.it', 'a@b.it\r\nBcc: c@d.it', ''])
    expect([
      wrong,
      (
        await ask(server, 'POST', `/api/admin/orders/${order_id}/resend`, {
          headers: admin,
          body: { email: wrong },
        })
      ).status,
    ]).toEqual([wrong, 400]);
  await server.house.ctx
    .db('orders')
    .where({ id: order_id })
    .update({ buyer_email: 'nobody at all' });
  const again = await callOk(server, resendMail, { params: { mailId: items[0]!.mail_id } }, admin);
  await server.runDue();
  expect(
    await callOk(server, readMail, { params: { mailId: again.mail_id } }, admin),
  ).toMatchObject({ state: 'failed', trouble: { trouble: 'bad_address' } });
  expect(smtp.received).toEqual([]);
});

test('without a mail server the letters stay in the house, where the office reads them', async (server, admin) => {
  const orders = [];
  for (let nth = 0; nth < 3; nth += 1) {
    orders.push((await makePaidOrder(server, { email: `eva${nth}@example.it` })).order_id);
    await server.runDue();
  }
  const list = (query: Record<string, string> = {}) =>
    callOk(server, listMails, { query } as never, admin);
  const all = await list();
  expect([all.leaves, all.items.map((mail) => mail.order_id), all.items[0]]).toMatchObject([
    false,
    orders.toReversed(),
    {
      state: 'sent',
      kind: 'tickets',
      to_address: 'eva2@example.it',
      event_title: 'La locandiera',
      // Not said to have left: nobody but the office has it.
      trouble: { trouble: 'not_set_up', said: null },
    },
  ]);
  const first = await list({ limit: '2' });
  expect(
    (await list({ limit: '2', cursor: first.next_cursor! })).items.map((mail) => mail.order_id),
  ).toEqual([orders[0]]);
  for (const [query, found] of [
    [{ q: 'EVA1@' }, [orders[1]]],
    [{ q: all.items[0]!.order_number! }, [orders[2]]],
    [{ state: 'failed' }, []],
    [{ kind: 'refunded' }, []],
    [{ order_id: orders[0] }, [orders[0]]],
    [{ q: '%' }, []],
    [{ q: 'neri eva0' }, [orders[0]]],
  ] as [Record<string, string>, string[]][]) {
    expect([query, (await list(query)).items.map((mail) => mail.order_id)]).toEqual([query, found]);
  }
  const mail = await callOk(server, readMail, { params: { mailId: all.items[0]!.mail_id } }, admin);
  expect(mail).toMatchObject({
    text: expect.stringContaining('Ciao Eva Neri,'),
    html: expect.stringContaining('<!DOCTYPE html>'),
    next_try_at: null,
    resend_to: 'eva2@example.it',
  });
  expect(mail.attachments.map(({ type, path, bytes }) => [type, path, bytes > 500])).toEqual([
    ['application/pdf', `/api/admin/orders/${orders[2]}/tickets.pdf`, true],
    [
      'text/calendar; charset=utf-8; method=PUBLISH',
      `/api/admin/orders/${orders[2]}/calendar.ics`,
      true,
    ],
  ]);
  for (const { path } of mail.attachments)
    expect((await ask(server, 'GET', path!, { headers: admin })).status).toBe(200);
  expect((await ask(server, 'GET', '/api/admin/mails/nobody', { headers: admin })).status).toBe(
    404,
  );
  expect(
    (await ask(server, 'GET', '/api/admin/mails/?cursor=nonsense', { headers: admin })).status,
  ).toBe(400);
  expect(server.logged).toEqual([]);
});
