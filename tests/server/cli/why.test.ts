/** `why`: a payment's story is told from the database and from the log. */
import { expect, test } from 'vitest';
import { readMoment } from '#server/cli/moment.ts';
import { formatTime } from '#server/domain/time/dates.ts';
import { logName } from '#server/services/kit/log-name.ts';
import { runAdmin } from '#tests/support/admin-command.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { makeOrder, payOrder, until } from '#tests/support/make.ts';

test('a time is the last one that is past, in Italy, in summer and in winter', () => {
  const now = Date.parse('2026-11-23T20:10:30Z');
  expect(readMoment('21:03', now)).toBe(Date.parse('2026-11-23T20:03:00Z'));
  expect(readMoment('21:30', now)).toBe(Date.parse('2026-11-22T20:30:00Z'));
  expect(readMoment('2026-07-01 21:03', now)).toBe(Date.parse('2026-07-01T19:03:00Z'));
  expect(readMoment('25:00', now)).toBeNull();
  expect(readMoment('zoe@posta.it', now)).toBeNull();
});

it('a declined card, a payment and a refused webhook are one story in the order of time', async (server) => {
  const { db } = server.house.ctx;
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url, 'pm_card_chargeDeclinedInsufficientFunds', {
    email: 'zoe@xn--citt-3na.it',
    name: 'Zoe',
  });
  await until(async () => {
    await server.runDue();
    return (await db('declines')).length === 1;
  });
  const log = [
    {
      level: 30,
      time: new Date().toISOString(),
      req_id: 'r1',
      method: 'GET',
      path: '/api/orders/…',
      status: 503,
      code: 'provider_silent',
      order_id: logName(order.order_id),
      msg: 'request',
    },
    {
      level: 40,
      time: new Date().toISOString(),
      req_id: 'r2',
      code: 'webhook_signature',
      why: 'Timestamp outside the tolerance zone',
      msg: 'webhook_signature',
    },
  ];
  const input = `nov 23 botteghino: ${log.map((line) => JSON.stringify(line)).join('\n')}\nnot ours\n`;
  const told = await runAdmin(server, ['why', order.order_id], { input });
  expect(told).toMatchObject({ code: 0, err: '' });
  const at = (words: string) => told.out.indexOf(words);
  expect([at('Ordine creato') < at('fondi insufficienti'), at('Ordine creato') > 0]).toEqual([
    true,
    true,
  ]);
  expect(told.out).toContain('Webhook di Stripe arrivato: payment_intent.payment_failed');
  expect(told.out).toContain('risposta 503');
  expect(told.out).not.toContain('tolerance');
  const tried = await db('declines').first();
  expect(tried.buyer_email).toBe('zoe@città.it');
  for (const typed of ['zoe@città.it', 'Zoe@xn--citt-3na.it'])
    expect((await runAdmin(server, ['why', typed])).out).toContain('fondi insufficienti');
  const then = await runAdmin(server, ['why', formatTime(Date.now())], { input });
  expect(then.out).toContain(
    'Webhook di Stripe rifiutato: Timestamp outside the tolerance zone [r2]',
  );
  expect(then.out).toContain('fondi insufficienti');
  expect(await runAdmin(server, ['why', 'nessuno@posta.it'])).toMatchObject({ code: 1 });
});
