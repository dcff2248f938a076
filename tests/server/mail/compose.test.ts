/** What letters say when their turn comes: as the order stands then, or nothing at all. */
import { expect } from 'vitest';
import { transact } from '#db/engine/transact.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { storeMail } from '#server/services/kit/mail-queue.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { mailsOf, testWithSmtp } from '#tests/support/mail-day.ts';
import { callOk, demoEvent, makeOrder } from '#tests/support/make.ts';

const email = 'eva@example.it';

testWithSmtp('what is no longer true is not sent', async (server, smtp) => {
  const { ctx } = server.house;
  const { order_id } = await makePaidOrder(server, { email });
  await ctx.db('tickets').where({ order_id }).update({ state: 'void' });
  const open = await makeOrder(server, { nth: 1 });
  await ctx.db('orders').where({ id: open.order_id }).update({ buyer_email: email });
  await transact(ctx.db, async (trx) => {
    await storeMail(ctx, trx, { order_id, kind: 'awaiting' });
    await storeMail(ctx, trx, { order_id, kind: 'cancelled' });
    await storeMail(ctx, trx, { order_id, kind: 'refunded', key: 'nothing' });
    await storeMail(ctx, trx, { order_id: open.order_id, kind: 'awaiting' });
  });
  await server.runDue();
  expect(
    (await mailsOf(server, order_id)).map(({ state, last_error }) => [state, last_error]),
  ).toEqual(Array.from({ length: 4 }, () => ['dropped', 'obsolete']));
  expect(smtp.received.map(({ email: mail }) => mail.subject)).toEqual([
    expect.stringMatching(
      /^Completa il pagamento: i tuoi posti sono riservati fino alle \d\d:\d\d$/,
    ),
  ]);
});

testWithSmtp('a cancelled event takes itself out of the calendar', async (server, smtp) => {
  const { ctx } = server.house;
  const { order_id } = await makePaidOrder(server, { email });
  await server.runDue();
  await ctx.db('events').where({ id: demoEvent }).update({ status: 'cancelled' });
  await transact(ctx.db, (trx) => storeMail(ctx, trx, { order_id, kind: 'event_cancelled' }));
  await server.runDue();
  const [first, last] = smtp.received.map(({ email: mail }) => mail);
  const lineOf = (mail: typeof first, name: string) =>
    new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(
      Buffer.from(mail!.attachments.at(-1)!.content as ArrayBuffer).toString(),
    )![1];
  expect([
    last!.subject,
    lineOf(last, 'METHOD'),
    lineOf(last, 'STATUS'),
    lineOf(last, 'UID'),
  ]).toEqual(['Evento annullato: La locandiera', 'CANCEL', 'CANCELLED', lineOf(first, 'UID')]);
  expect(Number(lineOf(last, 'SEQUENCE'))).toBeGreaterThan(Number(lineOf(first, 'SEQUENCE')));
});

testWithSmtp('a refund’s letter names its sum and its seats', async (server, smtp) => {
  const { ctx } = server.house;
  const { order_id } = await makePaidOrder(server, { email });
  await server.runDue();
  const [line] = await ctx.db('order_lines').where({ order_id }).orderBy('position');
  const refund = {
    id: 'r1',
    order_id,
    state: 'pending',
    origin: 'office',
    kind: 'stripe',
    amount_cents: 3200,
    fee_cents: 0,
    voids_tickets: 1,
    frees_seats: 0,
    idempotency_key: 'k1',
    actor: 'user:x',
    created_at: ctx.now(),
  };
  await ctx.db('refunds').insert(refund);
  await ctx.db('refund_lines').insert({
    refund_id: 'r1',
    order_id,
    line_id: line.id,
    price_cents: 3200,
    fee_cents: 0,
    live: 1,
  });
  await ctx.db('refunds').insert({
    ...refund,
    id: 'r2',
    state: 'refused',
    idempotency_key: 'k2',
    reason: 'Ho la febbre',
    failure: 'È arrivata dopo il termine',
  });
  await transact(ctx.db, async (trx) => {
    await storeMail(ctx, trx, { order_id, kind: 'refunded', key: 'r1' });
    await storeMail(ctx, trx, { order_id, kind: 'refund_refused', key: 'r2' });
  });
  await server.runDue();
  const letters = smtp.received.slice(1).map(({ email: mail }) => mail);
  expect(letters.map(({ subject }) => subject).toSorted()).toEqual([
    'Abbiamo rimborsato 32,00\u00a0€',
    'La tua richiesta di rimborso non è stata accolta',
  ]);
  const { lines } = await callOk(server, getOrder, { params: { orderId: order_id } });
  expect(letters.find(({ subject }) => subject!.startsWith('Abbiamo'))!.text).toContain(
    `Biglietto rimborsato: ${lines[0]!.seat}`,
  );
  expect(letters.find(({ subject }) => subject!.startsWith('La tua'))!.text).toContain(
    'Motivo: È arrivata dopo il termine',
  );
  // His own reason is not read back to him as ours.
  expect(letters.map(({ text }) => text).join('')).not.toContain('febbre');
});

testWithSmtp(
  'news for an order whose tickets miss their names brings no paper and leads to the page that takes them; half named, it brings the half',
  async (server, smtp) => {
    const { ctx } = server.house;
    await ctx.db('events').where({ id: demoEvent }).update({ nominative: 1 });
    const { order_id } = await makePaidOrder(server, { email });
    await server.runDue();
    const tell = async (key: string) => {
      await transact(ctx.db, (trx) =>
        storeMail(ctx, trx, { order_id, kind: 'event_changed', key }),
      );
      await server.runDue();
      const { text, attachments } = smtp.received.at(-1)!.email;
      return [
        /manca(?:no)? .*?nom[ei]/.exec(text!)?.[0],
        text!.includes('tickets.pdf'),
        attachments.map((file) => file.mimeType),
      ];
    };
    expect(await tell('v2')).toEqual(['mancano 2 nomi', false, ['text/calendar']]);
    await ctx
      .db('tickets')
      .where({ order_id })
      .whereIn('id', ctx.db('tickets').where({ order_id }).orderBy('place').limit(1).select('id'))
      .update({ holder: 'Anna Neri' });
    expect(await tell('v3')).toEqual([
      'manca il nome',
      false,
      ['application/pdf', 'text/calendar'],
    ]);
    await ctx.db('tickets').where({ order_id }).update({ holder: 'Anna Neri' });
    expect(await tell('v4')).toEqual([undefined, true, ['application/pdf', 'text/calendar']]);
  },
  { databases: ['sqlite'] },
);
