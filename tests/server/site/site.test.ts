/** The site's own facts: written by the office, one truth on pages, mails and PDFs; and what search engines are told. */
import { expect } from 'vitest';
import { readLegal, readSite, readSiteSettings, writeSiteSettings } from '#server/contract/site.ts';
import { demoSeller } from '#server/domain/site/demo-seller.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const draft = {
  version: 0,
  name: 'Goldoni online',
  organiser: {
    name: 'Fondazione Goldoni',
    address: 'Calle dei Fabbri 1, 30124 Venezia',
    vat_number: 'IT 00743110157',
    tax_code: null,
    rea: 've 123456',
    pec: 'goldoni@pec.example.it',
  },
  support: { email: 'aiuto@teatro.it', phone: '+39 041 000000' },
  legal: { terms: null, privacy: null, cookies: null, accessibility: null },
};

const readText = (server: TestServer, legalName: string) =>
  callOk(server, readLegal, { params: { legalName } });
const put = (server: TestServer, admin: { cookie: string }, changes: object = {}) =>
  ask(server, 'PUT', '/api/admin/site', { body: { ...draft, ...changes }, headers: admin });

test(
  'until the office writes it down the configuration says who answers',
  async (server) => {
    const site = await callOk(server, readSite, {});
    expect(site).toMatchObject({
      name: 'Fondazione',
      organiser: { name: 'Fondazione', vat_number: null },
      support: { email: 'prima@teatro.it', phone: null },
      monitoring: { sentry: null, analytics: null },
    });
    expect(site.legal.privacy).toEqual({
      title: 'Privacy Policy',
      path: '/privacy',
      updated_on: '2024-08-05',
    });
    expect(await readText(server, 'privacy')).toMatchObject({
      title: 'Privacy Policy',
      updated_on: '2024-08-05',
      html: expect.stringContaining('prima@teatro.it'),
    });
    for (const name of ['nessuno', 'constructor', '__proto__'])
      expect([name, (await ask(server, 'GET', `/api/site/legal/${name}`)).status]).toEqual([
        name,
        404,
      ]);
  },
  { env: { ORGANISER_NAME: 'Fondazione', SUPPORT_EMAIL: 'prima@teatro.it' } },
);

test('what the office writes stands at once on pages, in mails and in the calendar, and in the book of what happened', async (server, admin) => {
  // The demo's seller is nothing that the office wrote.
  expect(await callOk(server, readSiteSettings, {}, admin)).toMatchObject({
    version: 0,
    lacks: ['organiser_tax', 'support_email'],
    organiser: { address: null, vat_number: null },
  });
  const saved = await callOk(server, writeSiteSettings, { body: draft }, admin);
  expect(saved).toMatchObject({
    version: 1,
    lacks: [],
    organiser: { vat_number: '00743110157', rea: 'VE-123456' },
    legal: { privacy: { text: null, updated_on: '2024-08-05', path: '/privacy' } },
  });
  expect(await callOk(server, readSite, {})).toMatchObject({
    name: 'Goldoni online',
    organiser: { pec: 'goldoni@pec.example.it' },
    support: { phone: '+39 041 000000' },
  });
  expect((await readText(server, 'terms')).html).toContain('P. IVA 00743110157');

  const order = await makePaidOrder(server);
  await server.runDue();
  const [mail] = await server.house.ctx
    .db('mails')
    .where({ order_id: order.order_id, kind: 'tickets' });
  expect(mail.text).toContain('Fondazione Goldoni');
  expect(mail.text).toContain('aiuto@teatro.it, +39 041 000000');
  const calendar = await ask(server, 'GET', `/api/orders/${order.order_id}/calendar.ics`);
  expect(calendar.body).toMatch(/ORGANIZER;CN="?Fondazione Goldoni"?[^\r]*aiuto@teatro\.it/);
  const [row] = await server.house.ctx.db('audit').where({ action: 'site_changed' });
  expect(JSON.parse(row.detail)).toMatchObject({
    vat_number: { from: demoSeller.vat_number, to: '00743110157' },
    email: { from: demoSeller.email, to: 'aiuto@teatro.it' },
  });
});

test('what cannot be right is refused by its name, and nothing changes', async (server, admin) => {
  const wrong = await put(server, admin, {
    organiser: { ...draft.organiser, vat_number: '00743110158', tax_code: 'X', pec: 'no' },
    support: { email: 'a b@c.it', phone: 'chiamami' },
  });
  expect([wrong.status, wrong.body]).toEqual([
    422,
    expect.objectContaining({
      code: 'site_invalid',
      detail: { fields: ['vat_number', 'tax_code', 'pec', 'email', 'phone'] },
    }),
  ]);
  const texts = await put(server, admin, {
    legal: { ...draft.legal, terms: 'Scrivi a {emial} o {email}.' },
  });
  expect([texts.status, texts.body]).toEqual([
    422,
    expect.objectContaining({
      code: 'text_placeholder_unknown',
      detail: { text: 'terms', names: ['emial'] },
    }),
  ]);
  for (const changes of [
    { name: ' ' },
    { version: -1 },
    { organiser: { ...draft.organiser, name: '' } },
    { legal: { ...draft.legal, terms: 'x'.repeat(12_001) } },
    { legal: {} },
    { name: '\u0000' },
  ])
    expect([changes, (await put(server, admin, changes)).status]).toEqual([changes, 400]);
  expect((await callOk(server, readSiteSettings, {}, admin)).version).toBe(0);
});

test('of two who save the same form one is told that somebody was faster', async (server, admin) => {
  for (const version of [0, 1]) {
    const answers = await Promise.all(
      ['Uno', 'Due', 'Tre'].map((name) => put(server, admin, { version, name })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({
      code: 'site_changed',
    });
  }
  expect((await callOk(server, readSiteSettings, {}, admin)).version).toBe(2);
  expect(await server.house.ctx.db('audit').where({ action: 'site_changed' })).toHaveLength(2);
});

test('a text of the office has the day of its change, is shown as text, and goes back to the standard one', async (server, admin) => {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome' }).format(
    server.clock.now(),
  );
  await callOk(
    server,
    writeSiteSettings,
    {
      body: {
        ...draft,
        legal: {
          ...draft.legal,
          privacy: '## Dati\r\n<img src=x onerror=alert(1)> {organiser}',
          terms: (await callOk(server, readSiteSettings, {}, admin)).legal.terms.standard,
        },
      },
    },
    admin,
  );
  expect(await readText(server, 'privacy')).toMatchObject({
    html: '<h2>Dati</h2><p>&lt;img src=x onerror=alert(1)&gt; Fondazione Goldoni</p>',
    updated_on: today,
  });
  expect((await callOk(server, readSiteSettings, {}, admin)).legal.terms.text).toBe(null);
  await callOk(server, writeSiteSettings, { body: { ...draft, version: 1 } }, admin);
  expect((await readText(server, 'privacy')).html).toContain('Garante');
});

test('search engines find the published events and the legal texts, and no order', async (server) => {
  await server.house.ctx.db('events').where({ id: 'la-locandiera' }).update({ status: 'draft' });
  const sitemap = await ask(server, 'GET', '/sitemap.xml');
  const paths = [...String(sitemap.body).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    (match) => new URL(match[1]!).pathname,
  );
  expect(sitemap.headers.get('content-type')).toContain('xml');
  expect(paths).toEqual([
    '/',
    ...paths.filter((path) => path.startsWith('/event/')),
    '/condizioni',
    '/privacy',
    '/cookie',
    '/accessibilita',
  ]);
  expect(paths.filter((path) => path.startsWith('/event/')).length).toBeGreaterThan(0);
  expect(paths).not.toContain('/event/la-locandiera');
  expect(String(sitemap.body)).toContain('<lastmod>2024-08-05</lastmod>');
  const robots = await ask(server, 'GET', '/robots.txt');
  for (const path of ['/orders', '/api', '/admin', '/scanner'])
    expect(robots.body).toContain(`Disallow: ${path}\n`);
  expect(robots.body).toContain(`Sitemap: ${server.url}/sitemap.xml`);
});

test('whoever found a hole reads in security.txt whom to tell, as the office has set it, and until when that is good', async (server) => {
  const read = () => ask(server, 'GET', '/.well-known/security.txt');
  const before = await read();
  expect(before.headers.get('content-type')).toContain('text/plain');
  await server.house.ctx
    .db('settings')
    .where({ key: 'site' })
    .update({
      value: server.house.ctx.db.raw(`REPLACE(value, ?, 'sicurezza@teatro.it')`, [
        /mailto:(\S+)/.exec(String(before.body))![1]!,
      ]),
    });
  const text = String((await read()).body);
  expect(text).toContain('Contact: mailto:sicurezza@teatro.it\n');
  const expires = Date.parse(/^Expires: (\S+)$/m.exec(text)![1]!);
  const days = (expires - server.clock.now()) / 86_400_000;
  expect([days > 80, days < 365]).toEqual([true, true]);
  expect(text).toContain(`Canonical: ${server.url}/.well-known/security.txt\n`);
  await server.house.ctx.db('settings').where({ key: 'site' }).delete();
  expect((await read()).status).toBe(404);
});
