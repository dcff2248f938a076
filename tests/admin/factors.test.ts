/**
 * The second factor in a real browser: an authenticator app, a passkey of a virtual authenticator,
 * and the question before a sensitive act.
 */
import { TOTP } from 'otpauth';
import type { Page } from 'playwright';
import { expectGood, goTo, see, testOffice as test } from './office.ts';

async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Esci', exact: true }).click();
  await see(page.getByRole('heading', { name: 'Accedi' })).toBeVisible();
}

async function typePassword(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill('ada@teatro.it');
  await page.getByLabel('Password', { exact: true }).fill('una-platea-piena-di-luce');
  await page.getByRole('button', { name: 'Accedi', exact: true }).click();
}

test('an authenticator app is added, its codes open, and a sensitive act asks for one', async (office) => {
  const { server } = office;
  const page = await office.open('/account');
  await page.getByRole('button', { name: 'Aggiungi l’app dei codici…' }).click();
  const secret = await page
    .getByRole('textbox', { name: 'Chiave da scrivere a mano' })
    .inputValue();
  const code = () => new TOTP({ secret }).generate({ timestamp: server.clock.now() });
  await see(page.getByRole('img', { name: 'Codice per l’app dei codici' })).toBeVisible();
  await expectGood(page);
  await page.getByLabel('Codice', { exact: true }).fill(code());
  await page.getByRole('button', { name: 'Aggiungi', exact: true }).click();
  const codes = page.getByRole('dialog', { name: 'Codici di riserva' });
  await see(codes.getByRole('listitem')).toHaveCount(10);
  await expectGood(page);
  await codes.getByRole('button', { name: 'Li ho messi al sicuro' }).click();
  await see(page.getByText('Ti restano 10 codici di riserva')).toBeVisible();
  await expectGood(page);

  await leave(page);
  await typePassword(page);
  server.clock.advance(60_000);
  await page.getByLabel('Codice', { exact: true }).fill(code());
  await page.getByRole('button', { name: 'Accedi', exact: true }).click();
  await see(page.getByRole('navigation', { name: 'Sezioni' })).toBeVisible();

  server.clock.advance(11 * 60_000);
  await goTo(page, '/settings/people');
  await page.getByRole('button', { name: 'Invita' }).click();
  await page.getByRole('button', { name: 'Crea l’invito' }).click();
  const question = page.getByRole('dialog', { name: 'Conferma che sei tu' });
  await question.getByLabel('Codice', { exact: true }).fill(code());
  await expectGood(page);
  await question.getByRole('button', { name: 'Conferma' }).click();
  await see(page.getByRole('textbox', { name: 'Link di invito' })).toBeVisible();
});

test('a passkey is added, opens without a password, and confirms a sensitive act', async (office) => {
  const { server } = office;
  const page = await office.open('/account');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.getByRole('button', { name: 'Aggiungi una passkey' }).click();
  await page.getByRole('button', { name: 'Li ho messi al sicuro' }).click();
  await see(page.getByText('Passkey: Chrome su Linux')).toBeVisible();
  await page.getByRole('button', { name: 'Rinomina…' }).click();
  await page.getByLabel('Nome', { exact: true }).fill('  Portatile della cassa ');
  await page.keyboard.press('Enter');
  await see(page.getByText('Passkey: Portatile della cassa')).toBeVisible();
  await leave(page);
  await page.getByRole('button', { name: 'Entra con una passkey' }).click();
  await see(page.getByRole('navigation', { name: 'Sezioni' })).toBeVisible();

  server.clock.advance(11 * 60_000);
  await goTo(page, '/account');
  await page.getByRole('button', { name: 'Nuovi codici…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Crea i codici' }).click();
  const question = page.getByRole('dialog', { name: 'Conferma che sei tu' });
  await question.getByRole('button', { name: 'Usa la passkey' }).click();
  await see(page.getByRole('dialog', { name: 'Codici di riserva' })).toBeVisible();
});
