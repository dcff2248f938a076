/** The hosted page in a real browser, through a door with a path of its own as in the product. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startShop, type Shop } from './shop.ts';

const DOOR = '/standins/stripe';
let browser: Browser;
let door: Server;
let shop: Shop;
let origin: string;

beforeAll(async () => {
  let port = 0;
  door = createServer((from, to) => {
    const path = from.url ?? '/';
    if (!path.startsWith(`${DOOR}/`)) {
      to.setHeader('Content-Type', 'text/html').end(`<h1>negozio ${path}</h1>`);
      return;
    }
    from.pipe(
      request(
        {
          port,
          host: '127.0.0.1',
          method: from.method,
          path: path.slice(DOOR.length),
          headers: from.headers,
        },
        (answer) => {
          to.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(to);
        },
      ),
    );
  });
  await new Promise<void>((resolve) => {
    door.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  shop = await startShop({ publicUrl: origin + DOOR });
  port = shop.running.port;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await shop[Symbol.asyncDispose]();
  door.closeAllConnections();
  door.close();
});

async function visit(address: string, width: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 844 }, locale: 'it-IT' });
  await page.goto(address);
  return page;
}

test('a visitor is told what is wrong, sees a card refused, pays with another and comes back to the shop', async () => {
  const price = await shop.price(2700, 'Platea <intero>');
  const session = await shop.open({
    line_items: [{ price: price.id, quantity: 3 }],
    success_url: `${origin}/ordine?cs={CHECKOUT_SESSION_ID}`,
    cancel_url: `${origin}/indietro`,
    phone_number_collection: { enabled: true },
    custom_fields: [
      { key: 'nome', label: { type: 'custom', custom: 'Nome e cognome' }, type: 'text' },
    ],
  });
  const page = await visit(session.url!, 390);
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('402'))
      problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  expect(await page.textContent('.band')).toBe('Ambiente di prova – nessun addebito reale');
  expect(await page.textContent('.lines')).toBe('Platea <intero>3 × 27,00\u00A0€81,00\u00A0€');
  expect(await page.getByRole('link', { name: 'Torna al negozio' }).getAttribute('href')).toBe(
    `${origin}/indietro`,
  );
  const pay = page.getByRole('button', { name: 'Paga 81,00\u00A0€' });

  await pay.click();
  expect(await page.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('#number-error').textContent()).toBe('Compila questo campo.');
  await page.getByLabel('E-mail').fill('anna@example.it');
  await page.getByLabel('Telefono').fill('333 1234567');
  await page.getByLabel('Nome e cognome').fill('Anna Bianchi');
  await page.getByLabel('Numero della carta').pressSequentially('4000000000000002');
  expect(await page.getByLabel('Numero della carta').inputValue()).toBe('4000 0000 0000 0002');
  await page.getByLabel('Scadenza').pressSequentially('1234');
  expect(await page.getByLabel('Scadenza').inputValue()).toBe('12/34');
  await page.getByLabel('CVC').fill('12');
  await page.getByLabel('Nome sulla carta').fill('Anna Bianchi');
  await pay.click();
  await page.getByText('Il codice di sicurezza non è valido').waitFor();
  await page.getByLabel('CVC').fill('123');
  await pay.click();
  await page.getByRole('alert').filter({ hasText: 'La carta è stata rifiutata' }).waitFor();
  await page.getByText('Carte di prova').click();
  await page.getByRole('button', { name: 'Usa la carta 4242 4242 4242 4242' }).click();
  await pay.click();
  await page.waitForURL(`${origin}/ordine?cs=${session.id}`);
  expect(problems).toEqual([]);
  expect(await shop.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    payment_status: 'paid',
    customer_details: { email: 'anna@example.it', phone: '333 1234567', name: 'Anna Bianchi' },
    custom_fields: [{ text: { value: 'Anna Bianchi' } }],
  });
  await page.goto(`${shop.running.url}/c/pay/${session.id}`);
  expect(await page.textContent('h1')).toBe('Pagamento già ricevuto');
  expect(await page.getByRole('link', { name: 'Continua' }).getAttribute('href')).toBe(
    `${origin}/ordine?cs=${session.id}`,
  );
  await page.close();
});

test('on a very narrow phone nothing sticks out, and a session paid in another tab goes on to the shop', async () => {
  const price = await shop.price(
    123_456,
    'Un-nome-di-spettacolo-lunghissimo-senza-nemmeno-uno-spazio-dentro',
  );
  const session = await shop.open({
    line_items: [{ price: price.id, quantity: 2 }],
    success_url: `${origin}/ordine`,
  });
  const page = await visit(session.url!, 320);
  await page.getByText('Carte di prova').click();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  await page.getByLabel('E-mail').fill('anna@example.it');
  await page.getByRole('button', { name: 'Usa la carta 4242 4242 4242 4242' }).click();
  await shop.confirm(session, { payment_method: 'pm_card_visa', expected_amount: 246_912 });
  await page.getByRole('button', { name: 'Paga 2.469,12\u00A0€' }).click();
  await page.waitForURL(`${origin}/ordine`);
  await page.close();
});

test('an expired or unknown session says so in plain words, with nothing to pay', async () => {
  const session = await shop.open({ cancel_url: `${origin}/indietro` });
  await shop.stripe.checkout.sessions.expire(session.id);
  const expired = await fetch(`${shop.running.url}/c/pay/${session.id}`);
  const text = await expired.text();
  expect(text).toContain('<h1>Sessione di pagamento scaduta</h1>');
  expect(text).toContain('non ti è stato addebitato nulla');
  expect(text).not.toContain('<input');
  expect(expired.headers.get('content-security-policy')).toMatch(
    /default-src 'none'.*frame-ancestors 'none'/,
  );
  const unknown = await fetch(`${shop.running.url}/c/pay/cs_test_none`);
  expect(unknown.status).toBe(404);
  expect(await unknown.text()).toContain('<h1>Pagina di pagamento non trovata</h1>');
});

/** Everything the form asks for, with a card that works. */
async function fillIn(page: Page, number = '4242424242424242'): Promise<void> {
  await page.getByLabel('E-mail').fill('anna@example.it');
  await page.getByLabel('Numero della carta').fill(number);
  await page.getByLabel('Scadenza').fill('12/34');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Nome sulla carta').fill('Anna Bianchi');
}

test('the expiry date is understood however it is written or pasted', async () => {
  const page = await visit((await shop.open()).url!, 390);
  const expiry = page.getByLabel('Scadenza');
  for (const [typed, read] of [
    ['1234', '12/34'],
    ['12/34', '12/34'],
    ['434', '04/34'],
    ['4/34', '04/34'],
    ['1 /34', '01/34'],
  ]) {
    await expiry.fill('');
    await expiry.pressSequentially(typed!);
    await expiry.blur();
    expect({ typed, read: await expiry.inputValue() }).toEqual({ typed, read });
  }
  for (const pasted of ['12 / 34', '12/2034', '12-34', '12.34', ' 1234 ', '12 34', '122034']) {
    await expiry.fill(pasted);
    await expiry.blur();
    expect({ pasted, read: await expiry.inputValue() }).toEqual({ pasted, read: '12/34' });
  }
  await expiry.fill('');
  await expiry.pressSequentially('12');
  await expiry.press('Backspace');
  expect(await expiry.inputValue()).toBe('12');
  await expiry.press('Backspace');
  expect(await expiry.inputValue()).toBe('1');
  const number = page.getByLabel('Numero della carta');
  await number.fill('4242-4242 42424242');
  await number.blur();
  expect(await number.inputValue()).toBe('4242 4242 4242 4242');
  await page.close();
});

test('the bank’s question stands on the page: refused, everything typed is still there; approved, it is paid', async () => {
  const session = await shop.open({ success_url: `${origin}/ordine` });
  const page = await visit(session.url!, 390);
  await fillIn(page, '4000002760003184');
  const pay = page.getByRole('button', { name: 'Paga 50,00\u00A0€' });
  await pay.click();
  const question = page.getByRole('heading', { name: 'Conferma con la tua banca' });
  await question.waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('step-title');
  expect(await page.getByLabel('E-mail').isVisible()).toBe(false);
  await page.reload();
  await question.waitFor();
  await page.getByRole('button', { name: 'Rifiuta' }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: 'non è stato confermato presso la banca' })
    .waitFor();
  await fillIn(page, '4000000000003220');
  await pay.click();
  await page.getByRole('button', { name: 'Rifiuta' }).click();
  await page.getByRole('alert').filter({ hasText: 'non è stato confermato' }).waitFor();
  expect(await page.getByLabel('E-mail').inputValue()).toBe('anna@example.it');
  await pay.click();
  await page.getByRole('button', { name: 'Conferma il pagamento' }).click();
  await page.waitForURL(`${origin}/ordine`);
  expect(await shop.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    payment_status: 'paid',
    customer_details: { name: 'Anna Bianchi' },
  });
  await page.close();
});

test('with Satispay the buyer answers on a page of its own, and with a direct debit he is told that the money is on its way', async () => {
  const wallet = await shop.open({
    success_url: `${origin}/ordine`,
    custom_fields: [
      { key: 'nome', label: { type: 'custom', custom: 'Nome e cognome' }, type: 'text' },
    ],
  });
  const page = await visit(wallet.url!, 390);
  await page.getByLabel('E-mail').fill('anna@example.it');
  await page.getByLabel('Nome e cognome').fill('Anna Bianchi');
  await page.getByLabel('Satispay').check();
  expect(await page.getByLabel('Numero della carta').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Paga 50,00\u00A0€' }).click();
  await page.getByRole('heading', { name: 'Paga con Satispay' }).waitFor();
  await page.getByRole('button', { name: 'Conferma il pagamento' }).click();
  await page.waitForURL(`${origin}/ordine`);
  expect(await shop.stripe.checkout.sessions.retrieve(wallet.id)).toMatchObject({
    payment_status: 'paid',
    custom_fields: [{ text: { value: 'Anna Bianchi' } }],
  });

  const debit = await shop.open({
    success_url: `${origin}/ordine`,
    allowed_payment_method_types: ['sepa_debit'],
  });
  await page.goto(debit.url!);
  await page.getByLabel('E-mail').fill('anna@example.it');
  await page.getByLabel('Intestatario del conto').fill('Anna Bianchi');
  await page.getByLabel('IBAN', { exact: true }).fill('IT40S0542811101000000123457');
  await page.getByRole('button', { name: 'Paga 50,00\u00A0€' }).click();
  await page.locator('#iban-error').filter({ hasText: 'non è corretto' }).waitFor();
  await page.getByText('IBAN di prova').click();
  await page.getByRole('button', { name: /^Usa l’IBAN IT40/ }).click();
  await page.getByRole('button', { name: 'Paga 50,00\u00A0€' }).click();
  await page.waitForURL(`${origin}/ordine`);
  await page.goto(`${origin}${DOOR}/c/pay/${debit.id}`);
  expect(await page.textContent('h1')).toBe('Pagamento in elaborazione');
  await page.close();
});

test('near its end the page counts down, and a session that is over meanwhile is noticed at the next look', async () => {
  const session = await shop.open({
    expires_at: shop.clock.now / 1000 + 31 * 60,
    cancel_url: `${origin}/indietro`,
  });
  shop.clock.now += 26 * 60_000 + 30_000;
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'it-IT' });
  await page.clock.install();
  await page.goto(session.url!);
  await page.clock.runFor(1000);
  expect(await page.textContent('#timer')).toMatch(/^Hai ancora 4:\d\d per pagare$/);
  expect(await page.textContent('#timer-said')).toBe('Ti restano cinque minuti per pagare.');
  await page.getByLabel('E-mail').fill('anna@example.it');
  await shop.stripe.checkout.sessions.expire(session.id);
  await page.clock.runFor(16_000);
  await page.getByRole('heading', { name: 'Sessione di pagamento scaduta' }).waitFor();
  expect(await page.getByRole('link', { name: 'Torna al negozio' }).getAttribute('href')).toBe(
    `${origin}/indietro`,
  );
  await page.close();
});

test(
  'in every state two accessibility engines find no fault, nothing sticks out, and nobody else is asked for anything',
  { timeout: 120_000 },
  async () => {
    const asked = (body: Record<string, unknown>) => async (): Promise<string> => {
      const session = await shop.open();
      await shop.confirm(session, { expected_amount: 5000, ...body });
      return `${origin}${DOOR}/c/pay/${session.id}`;
    };
    const everything = {
      allowed_payment_method_types: undefined,
      phone_number_collection: { enabled: true },
      custom_text: { submit: { message: 'Platea, fila C.' } },
    };
    const states: Record<
      string,
      { address: () => Promise<string>; reach?: (page: Page) => Promise<unknown> }
    > = {
      'the form': { address: async () => (await shop.open(everything)).url! },
      'what is missing': {
        address: async () => (await shop.open(everything)).url!,
        reach: (page) => page.locator('#pay').click(),
      },
      'a refused card': {
        address: async () => (await shop.open({ customer_email: 'anna@example.it' })).url!,
        reach: async (page) => {
          await page.getByText('Carte di prova').click();
          await page.getByRole('button', { name: /0000 0000 0002$/ }).click();
          await page.locator('#pay').click();
          await page.locator('#alert').filter({ visible: true }).waitFor();
        },
      },
      'a direct debit': {
        address: async () => (await shop.open(everything)).url!,
        reach: async (page) => {
          await page.getByLabel('Addebito SEPA').check();
          await page.getByText('IBAN di prova').click();
        },
      },
      'the bank’s question': {
        address: asked({ payment_method: 'pm_card_authenticationRequired' }),
      },
      'the wallet’s question': { address: asked({ payment_method_data: { type: 'paypal' } }) },
      paid: { address: asked({ payment_method: 'pm_card_visa' }) },
      'on its way': { address: asked({ payment_method: 'pm_success_at' }) },
      expired: {
        address: async () => {
          const { id } = await shop.open();
          await shop.stripe.checkout.sessions.expire(id);
          return `${origin}${DOOR}/c/pay/${id}`;
        },
      },
      unknown: { address: () => Promise.resolve(`${origin}${DOOR}/c/pay/cs_test_none`) },
      'the receipt': {
        address: async () => {
          await asked({ payment_method: 'pm_card_visa', email: 'anna@example.it' })();
          await shop.running.tick();
          return (await shop.stripe.charges.list({ limit: 1 })).data[0]!.receipt_url!;
        },
      },
      'a free order': {
        address: async () =>
          (
            await shop.open({
              line_items: [{ price: (await shop.price(0, 'Omaggio')).id, quantity: 1 }],
            })
          ).url!,
      },
    };
    for (const width of [390, 1280]) {
      for (const [state, { address, reach }] of Object.entries(states)) {
        const page = await browser.newPage({ viewport: { width, height: 844 }, locale: 'it-IT' });
        const strangers: string[] = [];
        page.on('request', (request) => {
          if (!request.url().startsWith(origin)) strangers.push(request.url());
        });
        await page.goto(await address());
        await reach?.(page);
        expect({
          state,
          wide: await page.evaluate('document.documentElement.scrollWidth'),
          strangers,
          faults: width === 390 || state === 'the form' ? await auditPage(page) : [],
        }).toEqual({ state, wide: width, strangers: [], faults: [] });
        await page.close();
      }
    }
  },
);

test('the keyboard alone is enough: fields in their order, the method with the arrows, Enter pays', async () => {
  const session = await shop.open({
    success_url: `${origin}/ordine`,
    cancel_url: `${origin}/indietro`,
  });
  const page = await visit(session.url!, 1280);
  const reached: string[] = [];
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab');
    reached.push(
      await page.evaluate<string>(
        'document.activeElement.id || document.activeElement.value || document.activeElement.textContent.trim()',
      ),
    );
  }
  expect(reached).toEqual([
    '← Torna al negozio',
    'email',
    'card',
    'number',
    'expiry',
    'cvc',
    'name',
    'pay',
  ]);
  await page.getByLabel('E-mail').focus();
  await page.keyboard.type('anna@example.it');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  expect(await page.getByLabel('Satispay').isChecked()).toBe(true);
  expect(await page.getByLabel('Numero della carta').isVisible()).toBe(false);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Paga con Satispay' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${origin}/ordine`);
  await page.close();
});
