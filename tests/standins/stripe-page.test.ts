/** The hosted page in a real browser, through a door with a path of its own as in the product. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright';
import { launchBrowser } from '#tests/support/browser.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startShop, type Shop } from './stripe-shop.ts';

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
    from.pipe(request({ port, host: '127.0.0.1', method: from.method, path: path.slice(DOOR.length), headers: from.headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    }));
  });
  await new Promise<void>((resolve) => { door.listen(0, '127.0.0.1', resolve); });
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
    line_items: [{ price: price.id, quantity: 3 }], success_url: `${origin}/ordine?cs={CHECKOUT_SESSION_ID}`, cancel_url: `${origin}/indietro`, phone_number_collection: { enabled: true },
    custom_fields: [{ key: 'nome', label: { type: 'custom', custom: 'Nome e cognome' }, type: 'text' }],
  });
  const page = await visit(session.url!, 390);
  const problems: string[] = [];
  page.on('console', (message) => { if (message.type() === 'error' && !message.text().includes('402')) problems.push(message.text()); });
  page.on('pageerror', (error) => problems.push(error.message));
  expect(await page.textContent('.band')).toBe('Ambiente di prova – nessun addebito reale');
  expect(await page.textContent('.lines')).toBe('Platea <intero>3 × 27,00\u00A0€81,00\u00A0€');
  expect(await page.getByRole('link', { name: 'Torna al negozio' }).getAttribute('href')).toBe(`${origin}/indietro`);
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
    payment_status: 'paid', customer_details: { email: 'anna@example.it', phone: '333 1234567', name: 'Anna Bianchi' }, custom_fields: [{ text: { value: 'Anna Bianchi' } }],
  });
  await page.goto(`${shop.running.url}/c/pay/${session.id}`);
  expect(await page.textContent('h1')).toBe('Pagamento già ricevuto');
  expect(await page.getByRole('link', { name: 'Continua' }).getAttribute('href')).toBe(`${origin}/ordine?cs=${session.id}`);
  await page.close();
});

test('on a very narrow phone nothing sticks out, and a session paid in another tab goes on to the shop', async () => {
  const price = await shop.price(123_456, 'Un-nome-di-spettacolo-lunghissimo-senza-nemmeno-uno-spazio-dentro');
  const session = await shop.open({ line_items: [{ price: price.id, quantity: 2 }], success_url: `${origin}/ordine` });
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
  expect(expired.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  const unknown = await fetch(`${shop.running.url}/c/pay/cs_test_none`);
  expect(unknown.status).toBe(404);
  expect(await unknown.text()).toContain('<h1>Pagina di pagamento non trovata</h1>');
});
