/** The strip of an act that mails many: the seconds that are left, and taking it back by keyboard. */
import { expect } from 'vitest';
import { readEvent } from '#server/contract/event-desk.ts';
import { postponeEvent } from '#server/contract/postponements.ts';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { inDays } from '#tests/support/event-desk.ts';
import { callOk } from '#tests/support/make.ts';
import { feeEvent, makePaid } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import { passUndo } from '#tests/support/undo.ts';
import { expectFit, expectGood, lookAgain, phone, see, testOffice as it } from './office.ts';

const widths = [1280, phone.width];
const params = { eventId: feeEvent };

it('a moved date counts the seconds and goes back by keyboard; later it says how many are written to; a cancelled one goes back too', async (office) => {
  const { server, admin } = office;
  const { db } = server.house.ctx;
  await makePaid(server);
  const { starts_at } = await db('events').where({ id: feeEvent }).first();
  const postpone = async () => {
    const { version, buyers } = await callOk(server, readEvent, { params }, admin);
    const times = { starts_at: inDays(server, 60), answer_by: inDays(server, 10) };
    const body = { version, ...times, if_silent: 'keep' as const, tell_buyers: buyers };
    await callOk(server, postponeEvent, { params, body }, admin);
  };
  await postpone();
  const page = await office.open(`/events/${feeEvent}`);
  const strip = page.getByRole('status').filter({ hasText: 'Evento rinviato' });
  await see(strip).toHaveText(/le e-mail a 1 acquirente partono tra \d+ s\./);
  await expectGood(page, widths);
  await strip.getByRole('button', { name: 'Annulla il rinvio' }).press('Enter');
  await see(page.getByText('Rinvio annullato: la data è quella di prima.')).toBeVisible();
  expect((await db('events').where({ id: feeEvent }).first()).starts_at).toBe(starts_at);

  await postpone();
  await passUndo(server);
  await lookAgain(page);
  await see(page.getByText('partono le e-mail a 1 acquirente')).toBeVisible();

  const preview = await callOk(server, previewCancellation, { params }, admin);
  const sums = { expected_cents: preview.sum_cents, expected_orders: preview.orders };
  const body = { ...sums, reason: 'Allagato' };
  await callOk(server, cancelEvent, { params, body }, admin);
  await page.goto(page.url().replace(/\/events\/.*/, `/events/${feeEvent}/cancel`));
  const ending = page.getByRole('status').filter({ hasText: 'Evento annullato' });
  await see(ending).toContainText('le e-mail e i rimborsi partono tra');
  await expectFit(page, widths);
  // Who may not cancel sees when it begins, without a button.
  const other = await office.open(`/events/${feeEvent}`, { as: await asRole(server, 'office') });
  await see(other.getByText('le e-mail e i rimborsi partono')).toBeVisible();
  await see(other.getByRole('button', { name: 'Ritira l’annullamento' })).toHaveCount(0);
  await ending.getByRole('button', { name: 'Ritira l’annullamento' }).press('Enter');
  await see(page.getByRole('heading', { name: /^Annulla l’evento/ })).toBeVisible();
  await see(page.getByText('Annullamento ritirato: l’evento è come prima.')).toBeVisible();
  expect(server.logged).toEqual([]);
}, 120_000);
