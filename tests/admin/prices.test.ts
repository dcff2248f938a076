/**
 * The prices of an event in a real browser: typed by keyboard, seen as the public will, published,
 * and bought at.
 */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { createEvent, publishEvent } from '#server/contract/event-desk.ts';
import { previewPage } from '#server/contract/event-preview.ts';
import { testOnce as test } from '#tests/support/both.ts';
import { makeForm, nameSeller } from '#tests/support/event-desk.ts';
import { ask, callOk } from '#tests/support/make.ts';
import { makePaid } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import { expectFit, expectGood, goTo, see, testOffice as it } from './office.ts';

/** A long way through a browser, on a machine that others use too. */

const amount = (page: Page, type: string, sector: string) =>
  page.getByRole('textbox', { name: `${type}, ${sector}, euro`, exact: true });

it('a table of prices is typed by keyboard and pasted, saving says what changes, the public page stands in a frame, and the price is what a buyer pays', async (office) => {
  const { server, admin } = office;
  await nameSeller(server, admin);
  const form = await makeForm(server, { seat_pricing: [] });
  await callOk(server, createEvent, { body: { id: 'recital', ...form } }, admin);
  const page = await office.open('/events/recital/prices');
  await page.getByRole('button', { name: 'Aggiungi «Intero»' }).click();
  await page.getByRole('button', { name: 'Aggiungi «Ridotto»' }).click();
  // Rows are ticket types, and Enter goes down a column.
  await amount(page, 'Intero', 'Platea').focus();
  await page.keyboard.type('12,5');
  await page.keyboard.press('Enter');
  await page.keyboard.type('9');
  await see(amount(page, 'Intero', 'Platea')).toHaveValue('12,50');
  await page.keyboard.press('ArrowUp');
  await see(amount(page, 'Intero', 'Platea')).toBeFocused();
  await page.getByRole('checkbox', { name: /^Non in vendita.*Palchi$/ }).check();
  await see(amount(page, 'Intero', 'Palchi')).toBeDisabled();
  await amount(page, 'Intero', 'Galleria').evaluate((input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '8,00\n6,00\n');
    input.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await see(amount(page, 'Ridotto', 'Galleria')).toHaveValue('6,00');
  await amount(page, 'Ridotto', 'Galleria').fill('0,20');
  await page.getByRole('button', { name: 'Salva i prezzi…' }).click();
  await see(page.getByRole('alert')).toContainText('Un prezzo è 0, oppure va da');
  await amount(page, 'Ridotto', 'Galleria').fill('6');
  await expectGood(page, [1440, 1152, 1024, 768, 390]);
  await page.getByRole('button', { name: 'Salva i prezzi…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Salvare i prezzi?' });
  await see(question.getByRole('row', { name: /Platea, Intero/ })).toContainText('12,50 €');
  await question.getByRole('button', { name: 'Salva i prezzi', exact: true }).click();
  await see(question).toBeHidden();
  await see(page.getByRole('button', { name: 'Salva i prezzi…' })).toBeDisabled();

  await goTo(page, '/events/recital/edit');
  const frame = page.frameLocator('iframe[title="Anteprima della pagina pubblica"]');
  await see(frame.getByRole('heading', { name: 'Recital' }).first()).toBeVisible();
  await see(frame.getByText('12,50 €').first()).toBeVisible();
  await page.getByRole('button', { name: 'Computer' }).click();
  await expectFit(page);
  await page.getByRole('button', { name: 'Pubblica' }).click();
  await see(page.getByText('L’evento è sul sito.')).toBeVisible();
  const paid = await makePaid(server, { event: 'recital', count: 2 });
  const order = await server.house.ctx.db('orders').where({ id: paid.order_id }).first();
  expect([order.state, order.total_cents]).toEqual(['confirmed', 2_500]);

  await goTo(page, '/events/recital/prices');
  await amount(page, 'Intero', 'Platea').fill('14');
  await page.getByRole('button', { name: 'Salva i prezzi…' }).click();
  await see(question).toContainText('2 posti venduti tengono il prezzo di prima');
  await question.getByRole('button', { name: 'Torna alla tabella' }).click();
  await page.getByRole('link', { name: 'Panoramica' }).click();
  await page
    .getByRole('alertdialog', { name: 'Uscire senza salvare?' })
    .getByRole('button', { name: 'Esci senza salvare' })
    .click();
}, 120_000);

test('the preview is for whoever may publish; only it may be framed, by us, and nobody buys a draft', async (server, admin) => {
  await nameSeller(server, admin);
  const draft = await callOk(
    server,
    createEvent,
    { body: { id: 'recital', ...(await makeForm(server)) } },
    admin,
  );
  const page = `/api/admin/events/recital/page`;
  expect((await ask(server, 'GET', page)).status).toBe(401);
  for (const role of ['viewer', 'cassa', 'door'] as const)
    expect((await ask(server, 'GET', page, { headers: await asRole(server, role) })).status).toBe(
      403,
    );
  const shown = await callOk(server, previewPage, { params: { eventId: 'recital' } }, admin);
  expect([shown.event.status, shown.event.title]).toEqual(['draft', 'Recital']);
  const preview = await ask(server, 'GET', '/anteprima/recital');
  expect(preview.status).toBe(200);
  expect(preview.body).not.toContain('Recital');
  expect(preview.body).toContain('noindex');
  const guards = (answer: typeof preview) => [
    answer.headers.get('x-frame-options'),
    /frame-ancestors [^;]+/.exec(answer.headers.get('content-security-policy')!)?.[0],
    /frame-src [^;]+/.exec(answer.headers.get('content-security-policy')!)?.[0],
  ];
  expect(guards(preview)).toEqual(['SAMEORIGIN', "frame-ancestors 'self'", "frame-src 'none'"]);
  for (const path of ['/', '/event/la-locandiera', '/orders/x', '/api/admin/events/recital'])
    expect(guards(await ask(server, 'GET', path)).slice(0, 2)).toEqual([
      'DENY',
      "frame-ancestors 'none'",
    ]);
  expect(guards(await ask(server, 'GET', '/admin/'))).toEqual([
    'DENY',
    "frame-ancestors 'none'",
    "frame-src 'self'",
  ]);
  const booking = await ask(server, 'POST', '/api/event/recital/book', {
    body: { hold_token: 'x'.repeat(20), selected_objects: [] },
  });
  expect(booking.status).toBeGreaterThanOrEqual(400);
  await callOk(
    server,
    publishEvent,
    { params: { eventId: 'recital' }, body: { version: draft.version } },
    admin,
  );
  expect((await ask(server, 'GET', '/event/recital')).status).toBe(200);
});
