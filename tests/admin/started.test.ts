/**
 * «Attività avviate» in a real browser: the number in the navigation, a message that is stopped and
 * goes on, what broke off, after a reload, as another person and without a line.
 */
import { randomUUID } from 'node:crypto';
import { sendMessage } from '#server/contract/messages.ts';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { undoMs } from '#server/domain/mail/message.ts';
import { refundEvent } from '#server/services/refund/cancelled-event.ts';
import { sendMessage as storePage } from '#server/services/mail/messages.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { copyOrder } from '#tests/support/many-orders.ts';
import { makePaid } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import {
  confirm,
  expectGood,
  lookAgain,
  phone,
  see,
  type Office,
  testOffice as test,
} from './office.ts';

const widths = [1280, 768, phone.width];

/** A message of which 20 of 25 mails have left, and a file whose process was killed. */
async function startSome({ server, admin }: Office): Promise<void> {
  const { ctx } = server.house;
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it', name: 'Eva Neri' });
  await server.runDue();
  await copyOrder(ctx.db, order_id, 24);
  const body = {
    ask_key: randomUUID(),
    act: 'message' as const,
    filter: { event_id: demoEvent },
    subject: 'Parcheggio chiuso',
    body: 'Venite a piedi.',
    recipients: 25,
  };
  const { message_id } = await callOk(server, sendMessage, { body }, admin);
  server.clock.advance(61_000);
  await storePage(ctx, message_id);
  await ctx.db('mails').where({ kind: 'message' }).update({ state: 'sent', sent_at: ctx.now() });
  await ctx.db('outbox').where({ task: 'send_mail' }).delete();
  const ada = await ctx.db('users').where({ role: 'admin' }).first();
  const at = ctx.now() - 3_600_000;
  await ctx.db('started_work').insert({
    id: 'killed',
    work: 'registry_file',
    actor: `user:${ada.id}`,
    process_id: 'killed',
    begun_at: at,
    moved_at: at,
    done: 1_234_567,
  });
}

test('what somebody has started is found by its number, stopped and resumed, by reload and by another person; refunds stop, too', async (office) => {
  const { server, admin } = office;
  const idle = await office.open('/started');
  await see(idle.getByRole('heading', { name: 'Non c’è niente in corso.' })).toBeVisible();
  await expectGood(idle, widths);
  await idle.context().close();

  await startSome(office);
  const page = await office.open('/settings/health');
  const link = page.getByRole('link', { name: 'Attività avviate 1 in corso' });
  await link.press('Enter');
  await see(page.getByRole('heading', { level: 1, name: 'Attività avviate' })).toBeVisible();
  const row = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  await see(row('Parcheggio chiuso')).toContainText('20 di 25 e-mail');
  await see(row('File del Registro')).toContainText('Interrotto');
  await see(row('File del Registro')).toContainText('Scaricalo di nuovo');
  await expectGood(page, widths);
  await confirm(page, 'Ferma l’invio', 'Ferma l’invio');
  await see(row('Parcheggio chiuso')).toContainText('Fermato');
  await see(page.getByRole('link', { name: 'Attività avviate', exact: true })).toHaveCount(1);
  await page.reload();
  await see(row('Parcheggio chiuso')).toContainText('Fermato');
  await page.context().setOffline(true);
  await lookAgain(page);
  await see(row('Parcheggio chiuso')).toContainText('20 di 25 e-mail');
  await page.context().setOffline(false);

  const other = await office.open('/started', { as: await asRole(server, 'office') });
  await see(other.getByRole('listitem').filter({ hasText: 'File del Registro' })).toHaveCount(0);
  await confirm(other, 'Riprendi l’invio', 'Riprendi l’invio');
  await see(other.getByRole('listitem').filter({ hasText: 'In corso' })).toHaveCount(1);
  await other.context().close();

  // A date with two orders is cancelled; the refunds wait for the worker.
  const event = 'concerto-di-natale';
  for (const nth of [0, 1]) await makePaid(server, { event, nth });
  const params = { eventId: event };
  const preview = await callOk(server, previewCancellation, { params }, admin);
  const sums = { expected_cents: preview.sum_cents, expected_orders: preview.orders };
  const body = { ...sums, reason: 'Allagamento' };
  const { run_id } = await callOk(server, cancelEvent, { params, body }, admin);
  server.clock.advance(undoMs);
  await refundEvent(server.house.ctx, run_id);
  await lookAgain(page);
  await confirm(page, 'Ferma i rimborsi', 'Ferma i rimborsi');
  await see(row('Rimborsi di un evento annullato')).toContainText('Fermato');
  await row('Rimborsi di un evento annullato')
    .getByRole('link', { name: 'Vedi i dettagli' })
    .click();
  await see(page.getByRole('button', { name: 'Riprendi i rimborsi' })).toBeVisible();
  await expectGood(page, widths);
}, 120_000);
