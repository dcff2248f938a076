/**
 * "Persone e ruoli" and the own account in a real browser: an invitation from the link to the first
 * login, a suspended colleague, a new password.
 */
import { expect } from 'vitest';
import { confirm, expectGood, goTo, phone, see, testOffice as test } from './office.ts';

const password = 'un-palco-tutto-di-velluto';

test('somebody is invited with a link, chooses a password, sees only what the role may, and is suspended; the last administrator stays one, and changes the own password', async (office) => {
  const { server } = office;
  const desk = await office.open('/settings/people');
  const button = (name: string | RegExp) => desk.getByRole('button', { name });
  await see(desk.getByRole('row').filter({ hasText: 'ada@teatro.it' })).toContainText('(tu)');
  await button('Invita').click();
  await desk.getByRole('radio', { name: /^Solo numeri/ }).check();
  await see(desk.getByRole('radio', { name: /^Con un link/ })).toBeChecked();
  await expectGood(desk);
  await button('Crea l’invito').click();
  const url = await desk.getByRole('textbox', { name: 'Link di invito' }).inputValue();
  await desk.getByRole('button', { name: 'Chiudi', exact: true }).click();
  await see(desk.getByRole('region', { name: 'Inviti in attesa' })).toContainText('Solo numeri');
  await expectGood(desk);

  const invitation = url.replace(server.url, '');
  const rosa = await office.visit(invitation, { size: phone });
  await see(rosa.getByText('Il tuo ruolo in questo botteghino: Solo numeri')).toBeVisible();
  expect(rosa.url()).not.toContain('#');
  await expectGood(rosa);
  await rosa.getByLabel('Nome e cognome').fill('Rosa Bianchi');
  const mail = rosa.getByLabel('E-mail');
  await mail.fill('rosa@città');
  expect(await mail.evaluate((input: HTMLInputElement) => input.validationMessage)).toContain(
    'intero',
  );
  await mail.fill('rosa@città.it');
  await rosa.getByLabel('Password', { exact: true }).fill(password);
  await rosa.getByLabel('Ripeti la password').fill(password);
  await rosa.getByRole('button', { name: 'Crea l’accesso ed entra' }).click();
  await see(rosa.getByRole('link', { name: 'La locandiera' })).toBeVisible();
  await see(rosa.getByRole('link', { name: 'Ordini' })).toHaveCount(0);
  const late = await office.visit(invitation);
  await see(late.getByText('Questo invito non è più valido')).toBeVisible();
  await late.close();

  await desk.reload();
  await button(/Rosa Bianchi/).click();
  await confirm(desk, 'Sospendi…', 'Sospendi');
  await see(button('Riattiva')).toBeVisible();
  await rosa.reload();
  await mail.fill('rosa@xn--citt-3na.it');
  await rosa.getByLabel('Password', { exact: true }).fill(password);
  await rosa.getByRole('button', { name: 'Accedi' }).click();
  await see(rosa.getByRole('alert')).toContainText('Il tuo accesso è sospeso');
  await rosa.close();

  await desk.keyboard.press('Escape');
  await button(/Ada/).click();
  await desk.getByRole('radio', { name: /^Ufficio/ }).check();
  await button('Salva il ruolo').click();
  await see(desk.getByRole('alert')).toContainText('È l’unico amministratore attivo');
  await desk.keyboard.press('Escape');

  await goTo(desk, '/account');
  const change = async (next: string) => {
    await desk.getByLabel('Nuova password').fill(next);
    await desk.getByLabel('Ripeti la password').fill(next);
    await button('Cambia la password').click();
  };
  await desk.getByLabel('Password di adesso').fill('una-platea-piena-di-luce');
  await change('corta');
  await see(desk.getByText('Mancano ancora 7 caratteri.')).toBeVisible();
  await change(password);
  await see(desk.getByText('Password cambiata.')).toBeVisible();
  await confirm(desk, 'Esci ovunque…', 'Esci ovunque');
  await desk.getByRole('link', { name: 'Password dimenticata?' }).click();
  await desk.getByLabel('E-mail').fill('nessuno@teatro.it');
  await button('Mandami il link').click();
  await see(desk.getByRole('heading', { name: 'Controlla la posta' })).toBeVisible();
  await expectGood(desk);
});
