/** A ticket sold under an agreement says which card is shown, and phones ask for it, without a line too. */
import { expect, onTestFinished } from 'vitest';
import { addEventRule } from '#server/contract/price-rules.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { changeTicket, pairingToken } from '#tests/shared/door-hall.ts';
import { openNodePhone } from '#tests/shared/node-phone.ts';
import { testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { addressFor, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { soldOf } from '#tests/support/move.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { typedConvention } from '#tests/support/typed-rules.ts';

const params = { eventId: demoEvent };
const card = 'Convenzione Soci FAI: mostra la tessera all’ingresso';
const asked = ['Chiedi la tessera: Soci FAI'];

it('order page, paper, mail and phones name the card, until the ticket has ended', async (server) => {
  const { ctx } = server.house;
  const admin = await makeAdmin(server);
  await openDrawer(server, admin);
  const { rule_id } = await callOk(
    server,
    addEventRule,
    { params, body: typedConvention() },
    admin,
  );
  const { order_id } = await sellAtCounter(server, admin, {
    conventions: [rule_id],
    expected_cents: 5_800,
    payments: [{ method: 'cash', amount_cents: 5_800 }],
    buyer: { email: 'eva@example.it' },
  });
  const order = { orderId: order_id };
  const page = await callOk(server, getOrder, { params: order });
  expect(page.tickets.map(({ remarks }) => remarks)).toEqual([[card], [card]]);
  const pdf = await fetch(await addressFor(server, `/api/orders/${order_id}/tickets.pdf`));
  const paper = readPdf(Buffer.from(await pdf.arrayBuffer())).pages.map(({ lines }) =>
    lines.join(' ').replace(/\s+/g, ' '),
  );
  for (const text of paper) expect(text).toContain(card);
  await server.runDue();
  const mail = await ctx.db('mails').where({ order_id }).first();
  expect(JSON.stringify(mail)).toContain(card);

  const ask = { name: 'Porta', gate: null, event_ids: [demoEvent], role: 'steward' as const };
  const token = await pairingToken(ctx, ask);
  const { core, ...phone } = await openNodePhone(server, { now: server.clock.now }, token);
  onTestFinished(() => phone[Symbol.dispose]());
  const sold = await soldOf(server, order_id);
  const marksOf = async (code: string) =>
    (await core.lookUp(demoEvent, await core.recognise(demoEvent, code))).place?.marks;
  core.setNoNetwork(true);
  expect(await Promise.all(sold.codes.map(marksOf))).toEqual([asked, asked]);
  core.setNoNetwork(false);
  await changeTicket(ctx, demoEvent, { place: sold.seats[0]!, state: 'refunded' });
  server.clock.advance(61_000);
  await core.syncOnce();
  expect(await Promise.all(sold.codes.map(marksOf))).toEqual([undefined, asked]);
});
