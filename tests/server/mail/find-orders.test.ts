/** "I miei biglietti": the links go to the address and nowhere else, and nobody learns who bought what. */
import { expect } from 'vitest';
import { findOrders } from '#server/contract/order/holders.ts';
import type { MailRow } from '#db/rows.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { testWithSmtp } from '#tests/support/mail-day.ts';
import { ask, demoEvent } from '#tests/support/make.ts';
import { feeEvent, setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const email = 'eva@example.it';
const minute = 60_000;
const year = 366 * 24 * 3_600_000;

async function find(server: TestServer, address: unknown) {
  const answer = await ask(server, findOrders.method, findOrders.path, {
    body: { email: address },
  });
  return [answer.status, answer.body];
}

async function lettersOf(server: TestServer): Promise<MailRow[]> {
  return server.house.ctx
    .db<MailRow>('mails')
    .where({ kind: 'order_links' })
    .orderBy(['created_at', 'id']);
}

testWithSmtp(
  'the owner of an address gets the links to all of its orders, however it is spelled',
  async (server, smtp) => {
    const [first, second] = [
      await makePaidOrder(server, { email }),
      await makePaidOrder(server, { email: 'Eva@Example.it' }, { nth: 0, event: feeEvent }),
    ];
    const stranger = await makePaidOrder(server, { email: 'altri@example.it' }, { nth: 0 });
    await server.runDue();
    expect(await find(server, ' EVA@example.it ')).toEqual([202, '']);
    await server.runDue();
    const { subject, to, text, attachments } = smtp.received.at(-1)!.email;
    expect([subject, to![0]!.address, attachments]).toEqual([
      'I link ai tuoi biglietti',
      'EVA@example.it',
      [],
    ]);
    for (const order of [first, second])
      expect(text).toContain(`${server.house.ctx.publicUrl}/orders/${order.link_key}\n`);
    expect([text!.includes(stranger.link_key), text!.match(/2 biglietti/g)]).toEqual([
      false,
      ['2 biglietti', '2 biglietti'],
    ]);
  },
);

testWithSmtp(
  'an address with an apostrophe, accents or Punycode is found in every spelling and gets its mail',
  async (server, smtp) => {
    for (const [bought, asked, to] of [
      [
        "p.d'angelo@comune.example.it",
        "P.D'Angelo@Comune.example.it",
        "P.D'Angelo@comune.example.it",
      ],
      ['info@città.it', 'info@xn--citt-3na.it', 'info@città.it'],
      ['Posta@XN--CITT-3NA.it', 'posta@citta\u0300.it', 'posta@città.it'],
      ['NICOLÒ@città.it', 'nicolò@xn--citt-3na.it', 'nicolò@città.it'],
    ] as const) {
      const { link_key } = await makePaidOrder(server, { email: bought }, { nth: 0 });
      await server.runDue();
      expect(await find(server, asked)).toEqual([202, '']);
      await server.runDue();
      const { email: mail, ...sent } = smtp.received.at(-1)!;
      expect([mail.subject, sent.to]).toEqual(['Il link ai tuoi biglietti', [to]]);
      expect(mail.text).toContain(`/orders/${link_key}\n`);
    }
  },
);

testWithSmtp(
  'an unknown address gets the same answer, no letter, and is not kept',
  async (server, smtp) => {
    await makePaidOrder(server, { email });
    await server.runDue();
    const before = smtp.received.length;
    expect([await find(server, 'nessuno@example.it'), await find(server, email)]).toEqual([
      [202, ''],
      [202, ''],
    ]);
    await server.runDue();
    expect(smtp.received.slice(before).map(({ email: mail }) => mail.to![0]!.address)).toEqual([
      email,
    ]);
    expect(
      (await lettersOf(server)).map(({ state, to_address, order_id }) => [
        state,
        to_address,
        order_id,
      ]),
    ).toEqual([
      ['dropped', null, null],
      ['sent', email, null],
    ]);
  },
  { databases: ['sqlite'] },
);

testWithSmtp(
  'orders that were never paid, or are long past, are not listed; an evening to come always is',
  async (server, smtp) => {
    await makePaidOrder(server, { email });
    const future = await makePaidOrder(server, { email }, { event: feeEvent });
    await server.runDue();
    await server.house.ctx.db('orders').where({ event_id: demoEvent }).update({ state: 'deleted' });
    server.clock.advance(year);
    await setPolicy(server, { starts_at: server.clock.now() + minute }, feeEvent);
    await find(server, email);
    await server.runDue();
    expect(smtp.received.at(-1)!.email.text!.match(/\/orders\/\S+/g)).toEqual([
      `/orders/${future.link_key}`,
    ]);
    const sent = smtp.received.length;
    server.clock.advance(60 * minute);
    await find(server, email);
    await server.runDue();
    expect([smtp.received.length, (await lettersOf(server)).at(-1)!.state]).toEqual([
      sent,
      'dropped',
    ]);
  },
);

testWithSmtp(
  'whoever types an address again and again fills nobody’s inbox',
  async (server, smtp) => {
    await makePaidOrder(server, { email });
    await server.runDue();
    const sent = smtp.received.length;
    expect(await Promise.all(Array.from({ length: 12 }, () => find(server, email)))).toEqual(
      Array.from({ length: 12 }, () => [202, '']),
    );
    await server.runDue();
    expect(smtp.received.length - sent).toBe(1);
    for (let turn = 0; turn < 8; turn += 1) {
      server.clock.advance(11 * minute);
      await find(server, email);
      await server.runDue();
    }
    expect(smtp.received.length - sent).toBe(5);
    server.clock.advance(24 * 60 * minute);
    await find(server, email);
    await server.runDue();
    expect(smtp.received.length - sent).toBe(6);
  },
);

testWithSmtp(
  'nonsense is refused, and one network asks only so often',
  async (server) => {
    for (const address of [
      '',
      'eva',
      'eva@',
      7,
      null,
      ['a@b.it'],
      'a@b.it\r\nBcc: c@d.it',
      `${'a'.repeat(250)}@b.it`,
    ])
      expect([address, (await find(server, address))[0]]).toEqual([address, 400]);
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const statuses = [];
    for (let turn = 0; turn < 22; turn += 1)
      statuses.push(
        (
          await ask(server, 'POST', findOrders.path, {
            body: { email: `a${turn}@example.it` },
            headers,
          })
        ).status,
      );
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 202), 429, 429]);
  },
  { env: { TRUST_PROXY: '1' } },
);
