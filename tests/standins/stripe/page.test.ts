/**
 * The hosted page runs in a real browser, under a path of its own as in the product; all tests
 * share one browser page.
 */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startShop, type Shop } from './shop.ts';

const DOOR = '/standins/stripe';
let browser: Browser;
let page: Page;
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
  page = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'it-IT' });
});

afterAll(async () => {
  await browser.close();
  await shop[Symbol.asyncDispose]();
  door.closeAllConnections();
  door.close();
});

const VISA = 'Usa la carta 4242 4242 4242 4242';
const label = (name: string) => page.getByLabel(name);
const button = (name: string | RegExp) => page.getByRole('button', { name });
const nameField = {
  custom_fields: [
    { key: 'nome', label: { type: 'custom', custom: 'Nome e cognome' }, type: 'text' } as const,
  ],
};
/** A session that leads back to our shop. */
const sell: Shop['open'] = (params = {}) =>
  shop.open({
    success_url: `${origin}/ordine?cs={CHECKOUT_SESSION_ID}`,
    cancel_url: `${origin}/indietro`,
    ...params,
  });
const isBack = (session: { id: string }) => page.waitForURL(`${origin}/ordine?cs=${session.id}`);
const wide = () => page.evaluate('document.documentElement.scrollWidth');

test('a visitor is told what is wrong, sees a card refused, pays with another and comes back to the shop', async () => {
  const price = await shop.price(2700, 'Platea <intero>');
  const session = await sell({
    line_items: [{ price: price.id, quantity: 3 }],
    ...nameField,
    phone_number_collection: { enabled: true },
  });
  await page.goto(session.url!);
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('402'))
      problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  expect(await page.textContent('.band')).toBe('Ambiente di prova – nessun addebito reale');
  expect(await page.textContent('.lines')).toBe('Platea <intero>3 × 27,00\u00A0€81,00\u00A0€');
  const back = page.getByRole('link', { name: 'Torna al negozio' });
  expect(await back.getAttribute('href')).toBe(`${origin}/indietro`);
  const pay = button('Paga 81,00\u00A0€');

  await pay.click();
  expect(await label('E-mail').getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('#number-error').textContent()).toBe('Compila questo campo.');
  await label('E-mail').fill('anna@example.it');
  expect(await page.locator('#phone-error').textContent()).toBe('Compila questo campo.');
  await label('Telefono').fill('+39 041 5550123');
  await label('Nome e cognome').fill('Anna Bianchi');
  await label('Numero della carta').pressSequentially('4000000000000002');
  expect(await label('Numero della carta').inputValue()).toBe('4000 0000 0000 0002');
  await label('Scadenza').pressSequentially('1234');
  expect(await label('Scadenza').inputValue()).toBe('12/34');
  await label('CVC').fill('12');
  await label('Nome sulla carta').fill('Anna Bianchi');
  await pay.click();
  await page.getByText('Il codice di sicurezza non è valido').waitFor();
  await label('CVC').fill('123');
  await pay.click();
  await page.getByRole('alert').filter({ hasText: 'La carta è stata rifiutata' }).waitFor();
  await page.getByText('Carte di prova').click();
  await button(VISA).click();
  await pay.click();
  await isBack(session);
  expect(problems).toEqual([]);
  page.removeAllListeners('console');
  expect(await shop.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    payment_status: 'paid',
    customer_details: {
      email: 'anna@example.it',
      name: 'Anna Bianchi',
      phone: '+39 041 5550123',
    },
    custom_fields: [{ text: { value: 'Anna Bianchi' } }],
  });
  const over = await (await fetch(`${shop.running.url}/c/pay/${session.id}`)).text();
  expect(over).toContain('<h1>Pagamento già ricevuto</h1>');
  expect(over).toContain(`href="${origin}/ordine?cs=${session.id}"`);
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

/** Everything the form asks for, with this card. */
async function fillIn(number: string): Promise<void> {
  await label('E-mail').fill('anna@example.it');
  await label('Numero della carta').fill(number);
  await label('Scadenza').fill('12/34');
  await label('CVC').fill('123');
  await label('Nome sulla carta').fill('Anna Bianchi');
}

test('the bank’s question stands on the page: refused, everything typed is still there; approved, it is paid', async () => {
  const session = await sell();
  await page.goto(session.url!);
  await fillIn('4000002760003184');
  const pay = button('Paga 50,00\u00A0€');
  await pay.click();
  const question = page.getByRole('heading', { name: 'Conferma con la tua banca' });
  const refused = page.getByRole('alert').filter({ hasText: 'non è stato confermato' });
  await question.waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('step-title');
  expect(await label('E-mail').isVisible()).toBe(false);
  await page.reload();
  await question.waitFor();
  await button('Rifiuta').click();
  await refused.filter({ hasText: 'presso la banca' }).waitFor();
  await fillIn('4000002760003184');
  await pay.click();
  await button('Rifiuta').click();
  await refused.waitFor();
  expect(await label('E-mail').inputValue()).toBe('anna@example.it');
  await pay.click();
  await button('Conferma il pagamento').click();
  await isBack(session);
  expect(await shop.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    payment_status: 'paid',
    customer_details: { name: 'Anna Bianchi' },
  });
});

test('with Satispay the buyer answers on a page of its own', async () => {
  const wallet = await sell(nameField);
  await page.goto(wallet.url!);
  await label('E-mail').fill('anna@example.it');
  await label('Nome e cognome').fill('Anna Bianchi');
  await label('Satispay').check();
  expect(await label('Numero della carta').isVisible()).toBe(false);
  await button('Paga 50,00\u00A0€').click();
  await page.getByRole('heading', { name: 'Paga con Satispay' }).waitFor();
  await button('Conferma il pagamento').click();
  await isBack(wallet);
  expect(await shop.stripe.checkout.sessions.retrieve(wallet.id)).toMatchObject({
    payment_status: 'paid',
    custom_fields: [{ text: { value: 'Anna Bianchi' } }],
  });
});

test('in every state two accessibility engines find no fault, nothing sticks out, and nobody else is asked for anything', async () => {
  const addressOf = (id: string) => `${origin}${DOOR}/c/pay/${id}`;
  const asked = (body: Record<string, unknown>) => async (): Promise<string> => {
    const { id } = await shop.open();
    await shop.confirm({ id }, body);
    return addressOf(id);
  };
  const wallet = async () => ({
    payment_method: (await shop.method({ type: 'paypal' })).body.id,
  });
  const form = async () =>
    (
      await shop.open({
        custom_text: { submit: { message: 'Platea, fila C.' } },
      })
    ).url!;
  /** A name, the address, a next step; `alike` pages differ from a checked one in words alone. */
  const states: [string, () => Promise<string>, ('alike' | (() => Promise<unknown>))?][] = [
    ['the form', form],
    ['what is missing', form, () => page.locator('#pay').click()],
    [
      'a refused card',
      form,
      async () => {
        await label('E-mail').fill('anna@example.it');
        await page.getByText('Carte di prova').click();
        await button(/0000 0000 0002$/).click();
        await page.locator('#pay').click();
        await page.locator('#alert').filter({ visible: true }).waitFor();
      },
    ],
    ['the bank’s question', asked({ payment_method: 'pm_card_authenticationRequired' })],
    ['the wallet’s question', async () => asked(await wallet())(), 'alike'],
    ['paid', asked({ payment_method: 'pm_card_visa' })],
    [
      'expired',
      async () => {
        const { id } = await shop.open();
        await shop.stripe.checkout.sessions.expire(id);
        return addressOf(id);
      },
    ],
    ['unknown', async () => addressOf('cs_test_none'), 'alike'],
    ['the receipt', async () => (await shop.pay()).receipt_url!],
  ];
  const strangers: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) strangers.push(request.url());
  });
  for (const [state, address, reach] of states) {
    await page.goto(await address());
    if (reach !== 'alike') await reach?.();
    const widths: unknown[] = [];
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      widths.push(await wide());
    }
    const faults = reach === 'alike' ? [] : await auditPage(page);
    expect({ state, widths, strangers, faults }).toEqual({
      state,
      widths: [1280, 390],
      strangers: [],
      faults: [],
    });
  }
});

test('near its end the page counts down, and a session that is over meanwhile is noticed at the next look', async () => {
  const session = await sell({ expires_at: shop.clock.now / 1000 + 31 * 60 });
  shop.clock.now += 26 * 60_000 + 30_000;
  // The page's clock stands still from here on: this test is the last.
  await page.clock.install();
  await page.goto(session.url!);
  await page.clock.runFor(1000);
  expect(await page.textContent('#timer')).toMatch(/^Hai ancora 4:\d\d per pagare$/);
  expect(await page.textContent('#timer-said')).toBe('Ti restano cinque minuti per pagare.');
  await label('E-mail').fill('anna@example.it');
  await shop.stripe.checkout.sessions.expire(session.id);
  await page.clock.runFor(16_000);
  await page.getByRole('heading', { name: 'Sessione di pagamento scaduta' }).waitFor();
  const back = page.getByRole('link', { name: 'Torna al negozio' });
  expect(await back.getAttribute('href')).toBe(`${origin}/indietro`);
});
