/** Notices that a mail was not delivered, handed in by the office or by a mail server: noted once, at the mail they name. */
import { expect } from 'vitest';
import { readAttention } from '#server/contract/office.ts';
import { listMails, resendTickets } from '#server/contract/mails.ts';
import { readOrder } from '#server/contract/order/orders.ts';
import { askAdmin, runAdmin } from '#tests/support/admin-command.ts';
import { bounceOf, holidayAnswer, plainBounce } from '#tests/support/bounce.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { mailsOf, testWithSmtp } from '#tests/support/mail-day.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

async function handIn(server: TestServer, headers: Record<string, string>, notice: string) {
  const form = new FormData();
  form.set('file', new Blob([notice]), 'avviso.eml');
  const response = await fetch(`${server.url}/api/admin/mails/bounces`, {
    method: 'POST',
    headers: { ...headers, 'x-requested-with': 'fetch' },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function sentTickets(server: TestServer, email: string) {
  const order = await makePaidOrder(server, { email });
  await server.runDue();
  const [mail] = await mailsOf(server, order.order_id);
  return { ...order, mail: mail! };
}

testWithSmtp(
  'a mail that comes back is refused, waits for the office with the reason, and is settled by a corrected address',
  async (server, smtp) => {
    const admin = await makeAdmin(server);
    const { order_id, mail } = await sentTickets(server, 'eva@example.it');
    const notice = bounceOf(smtp.received[0]!, { said: '550 5.1.1 User unknown' });
    const office = await asRole(server, 'office');
    expect(await handIn(server, office, notice)).toMatchObject({
      status: 200,
      body: { mail_id: mail.id, kind: 'tickets', to_address: 'eva@example.it', repeated: false },
    });
    const trouble = { trouble: 'bounced', said: '550 5.1.1 User unknown' };
    expect((await callOk(server, listMails, {}, admin)).items).toMatchObject([
      { mail_id: mail.id, state: 'failed', sent_at: expect.any(String), trouble },
    ]);
    const waiting = async () => (await callOk(server, readAttention, {}, admin)).items;
    expect(await waiting()).toMatchObject([{ about: 'mail', order_id, trouble: 'bounced' }]);
    const { timeline } = await callOk(server, readOrder, { params: { orderId: order_id } }, admin);
    const told = timeline
      .map(({ action }) => action)
      .filter((action) => action.startsWith('mail_'));
    expect(told.toSorted()).toEqual(['mail_bounced', 'mail_sent']);
    // The mail server may tell it twice, and so may the office.
    expect((await handIn(server, admin, notice)).body).toMatchObject({ repeated: true });
    const body = { email: 'eva.neri@example.it' };
    await callOk(server, resendTickets, { params: { orderId: order_id }, body }, admin);
    expect(await waiting()).toEqual([]);
  },
);

testWithSmtp(
  'what is no last word about a mail of ours changes nothing and says why',
  async (server, smtp) => {
    const admin = await makeAdmin(server);
    const { mail } = await sentTickets(server, 'eva@example.it');
    const sent = smtp.received[0]!;
    const foreign = bounceOf({ ...sent, raw: 'Message-ID: <another@elsewhere.it>\r\n\r\n' }, {});
    for (const [notice, code] of [
      [bounceOf(sent, { action: 'delayed' }), 'bounce_not_final'],
      [bounceOf(sent, { action: 'delivered' }), 'bounce_not_final'],
      [holidayAnswer(sent), 'bounce_unreadable'],
      [foreign, 'bounce_unknown'],
      [sent.raw, 'bounce_unreadable'],
      ['\0\xff'.repeat(500), 'bounce_unreadable'],
      ['', 'bounce_unreadable'],
    ] as const)
      expect(await handIn(server, admin, notice)).toMatchObject({ status: 422, body: { code } });
    const [now] = await mailsOf(server, mail.order_id!);
    expect(now).toMatchObject({ state: 'sent', last_error: null });
  },
  { databases: ['sqlite'] },
);

testWithSmtp(
  'a mail server that keeps to no form, or names only the envelope, is understood too; of a forgotten buyer no address is kept',
  async (server, smtp) => {
    const admin = await makeAdmin(server);
    const plain = await sentTickets(server, 'eva@example.it');
    expect((await handIn(server, admin, plainBounce(smtp.received[0]!))).body).toMatchObject({
      mail_id: plain.mail.id,
      said: '550 5.1.1 no such user',
    });
    const bare = await sentTickets(server, 'adele@example.it');
    const nameless = bounceOf(
      { ...smtp.received[1]!, raw: 'Subject: x\r\n\r\n' },
      { envelope_id: `order-${bare.mail.id}`, said: '550 <adele@example.it> unknown' },
    );
    await server.house.ctx
      .db('mails')
      .where({ id: bare.mail.id })
      .update({ forgotten_at: 1, to_address: null });
    expect((await handIn(server, admin, nameless)).body).toMatchObject({
      mail_id: bare.mail.id,
      said: null,
    });
    const [kept] = await mailsOf(server, bare.order_id);
    expect(kept!.last_error).toBe('bounced');
  },
  { databases: ['sqlite'] },
);

testWithSmtp(
  'a mail server pipes notices into the command line, which never sends one back',
  async (server, smtp) => {
    const { mail } = await sentTickets(server, 'eva@example.it');
    expect(smtp.received[0]!.dsn).toMatchObject({ ret: 'HDRS', envid: `order-${mail.id}` });
    const input = bounceOf(smtp.received[0]!, { said: '552 5.2.2 Mailbox full' });
    const piped = await askAdmin(server, ['bounce', '-'], { input });
    expect(piped).toMatchObject({ code: 0, body: { noted: true, mail_id: mail.id } });
    const other = await runAdmin(server, ['bounce', '-'], { input: 'From: a@b.it\n\nCiao' });
    expect([other.code, other.out]).toEqual([0, expect.stringContaining('non è un avviso')]);
    const audit = await server.house.ctx.db('audit').where({ action: 'mail_bounced' });
    expect(audit).toMatchObject([{ actor: 'cli', subject: mail.order_id }]);
    const [now] = await mailsOf(server, mail.order_id!);
    expect(now).toMatchObject({ state: 'failed', last_error: 'bounced: 552 5.2.2 Mailbox full' });
  },
);
