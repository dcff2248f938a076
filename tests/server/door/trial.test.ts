/** RULES A11: tickets that nobody has really paid say PROVA on page, paper, in mail and wallet and at the door, where real money is taken or strangers come, and nowhere else. */
import { expect } from 'vitest';
import { admitTicket, readAdmission } from '#server/contract/door/admissions.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { trialWords } from '#server/domain/door/trial.ts';
import { pullDoor } from '#tests/support/door/door-phone.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { mailsOf, testWithSmtp } from '#tests/support/mail-day.ts';
import { addressFor, callOk, demoEvent, makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import type { TestServer } from '#tests/support/server.ts';

async function ticketsOf(server: TestServer, order_id: string) {
  return (await callOk(server, getOrder, { params: { orderId: order_id } })).tickets;
}

async function paperOf(server: TestServer, order_id: string): Promise<string[]> {
  const answer = await fetch(await addressFor(server, `/api/orders/${order_id}/tickets.pdf`));
  return readPdf(Buffer.from(await answer.arrayBuffer())).pages.flatMap(({ lines }) => lines);
}

/** What a phone is told of the tickets that were sold. */
async function statesAtDoor(server: TestServer, phone: { headers: Record<string, string> }) {
  const { places } = await pullDoor(server, demoEvent, phone.headers);
  return places.flatMap(({ ticket }) => ticket?.state ?? []);
}

testWithSmtp(
  'in a demonstration every ticket says PROVA, and only a supervisor’s reason opens the door',
  async (server, smtp) => {
    const admin = await makeAdmin(server);
    const phone = await makePairedPhone(server, admin);
    const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
    const [ticket] = await ticketsOf(server, order_id);
    expect([ticket!.state, ticket!.trial]).toEqual(['valid', true]);
    expect(await statesAtDoor(server, phone)).toEqual(['trial', 'trial']);
    expect(await paperOf(server, order_id)).toContain(trialWords);
    await server.runDue();
    expect((await mailsOf(server, order_id)).map(({ state }) => state)).toEqual(['sent']);
    expect(smtp.received[0]!.email.text).toContain(trialWords);

    const params = { ticketId: ticket!.ticket_id };
    expect(await callOk(server, readAdmission, { params }, admin)).toMatchObject({
      verdict: 'trial',
    });
    const at = (body: object) => callOk(server, admitTicket, { params, body }, admin);
    expect(await at({})).toMatchObject({ verdict: 'trial', counts: false });
    expect(await at({ override: 'Dimostrazione' })).toMatchObject({
      verdict: 'admit',
      counts: true,
    });
  },
  { env: { BOTTEGHINO_DEMO: '1' } },
);

test('at home tickets behave as real ones; once the house takes real money, those of before say PROVA', async (server) => {
  const phone = await makePairedPhone(server, await makeAdmin(server));
  const { order_id } = await makePaidOrder(server);
  expect((await ticketsOf(server, order_id)).map(({ trial }) => trial)).toEqual([false, false]);
  expect(await statesAtDoor(server, phone)).toEqual(['valid', 'valid']);
  expect(await paperOf(server, order_id)).not.toContain(trialWords);

  server.house.ctx.payments.live = true;
  server.clock.advance(2 * 60_000);
  expect((await ticketsOf(server, order_id)).map(({ trial }) => trial)).toEqual([true, true]);
  expect(await statesAtDoor(server, phone)).toEqual(['trial', 'trial']);
  // Money was no test, or there was none.
  await server.house.ctx.db('tickets').where({ order_id }).update({ test_money: 0 });
  expect((await ticketsOf(server, order_id)).map(({ trial }) => trial)).toEqual([false, false]);
});
