/** Where to go on the evening: the street of the house and the entrance of the seat, on everything that a buyer takes along. */
import { expect } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { mailsOf } from '#tests/support/mail-day.ts';
import { addressFor, callOk, demoEvent } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { setPolicy } from '#tests/support/refunds.ts';

const street = 'Corte del Teatro 4, 30124 Venezia';

test('the street and the entrance stand on the order page, the paper, in the calendar and in the mail, beside the event’s own rules and its refunds', async (server) => {
  const terms = '<p>In sala <strong>niente foto</strong>.</p>';
  const rules = { venue_address: street, terms, refund_request: 'never' };
  await setPolicy(server, rules, demoEvent);
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const { tickets, event } = await callOk(server, getOrder, { params: { orderId: order_id } });
  expect([event.venue_address, ...tickets.map(({ entrance }) => entrance)]).toEqual([
    street,
    'Ingresso platea',
    'Ingresso platea',
  ]);
  const calls = await addressFor(server, `/api/orders/${order_id}`);
  const pdf = readPdf(Buffer.from(await (await fetch(`${calls}/tickets.pdf`)).arrayBuffer()));
  for (const { lines } of pdf.pages) {
    expect(lines).toContain(`Teatro Goldoni, ${street}`);
    expect(lines).toContain('Ingresso platea');
  }
  const calendar = (await (await fetch(`${calls}/calendar.ics`)).text()).replace(/\r\n /g, '');
  expect(calendar).toContain('LOCATION:Teatro Goldoni\\, Corte del Teatro 4\\, 30124 Venezia');
  expect(calendar).toContain('– ingresso platea');
  await server.runDue();
  const [mail] = await mailsOf(server, order_id);
  for (const words of [street, '– ingresso platea', 'Rimborsi: '])
    expect([words, mail!.text!.includes(words), mail!.html!.includes(words)]).toEqual([
      words,
      true,
      true,
    ]);
  expect(mail!.text).toContain('Regole di questo spettacolo. In sala niente foto.');
  expect(mail!.text).toContain('Rimborsi: Per questo evento i biglietti non sono rimborsabili.');
});
