/** The house's own look: checked by the server, one truth on pages, in mails and on tickets, and never lost when two save. */
import sharp from 'sharp';
import { expect } from 'vitest';
import { readPaper } from '#server/contract/counter.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { previewLook, previewPdf, readLook, sendLogo, writeLook } from '#server/contract/look.ts';
import { readHouse, readSite } from '#server/contract/site.ts';
import { plainLook } from '#server/domain/site/look.ts';
import { forgetUnusedImages } from '#server/services/event/images.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { day } from '#tests/support/event-desk.ts';
import { addressFor, ask, callOk, demoEvent } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

const own = {
  ...plainLook,
  version: 0,
  accent_light: '#8c1d40',
  accent_dark: '#f08ba6',
  hours: 'Da martedì a sabato, 10:00–13:00',
  mail_sender: 'Teatro Goldoni',
  mail_footer: 'Con il sostegno del Comune.',
  ticket_rules: 'A spettacolo iniziato non si entra in sala.',
  ticket_foot: 'Grazie e buon divertimento!',
  thermal_logo: true,
  thermal_rules: true,
};

const put = (server: TestServer, admin: { cookie: string }, changes: object = {}) =>
  ask(server, 'PUT', writeLook.path, { body: { ...own, ...changes }, headers: admin });

async function upload(server: TestServer, person: { cookie: string }, file: Uint8Array) {
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(file)]), 'logo.png');
  const response = await fetch(server.url + sendLogo.path, {
    method: 'POST',
    body: form,
    headers: { ...person, 'x-requested-with': 'fetch', connection: 'close' },
  });
  return {
    status: response.status,
    body: (await response.json()) as { url: string; code?: string; message?: string },
  };
}

const drawing = () =>
  sharp({ create: { width: 320, height: 160, channels: 4, background: '#8c1d40' } })
    .png()
    .toBuffer();

test('a saved look stands on pages, in mails, on PDF and paper', async (server, admin) => {
  expect(await callOk(server, readLook, {}, admin)).toMatchObject({ ...plainLook, version: 0 });
  const { body: logo } = await upload(server, admin, await drawing());
  const saved = await put(server, admin, { logo: logo.url });
  expect([saved.status, saved.body]).toMatchObject([200, { version: 1, logo: logo.url }]);
  const shown = {
    logo: { url: logo.url, width: 320, height: 160 },
    accent: { light: '#8c1d40', dark: '#f08ba6' },
    hours: own.hours,
  };
  expect(await callOk(server, readSite, {})).toMatchObject(shown);
  const viewer = await asRole(server, 'viewer');
  expect(await callOk(server, readHouse, {}, viewer)).toMatchObject({
    ...shown,
    trial: { payments: 'standin', seats: 'standin' },
    maintenance_since: null,
  });
  const page = String((await ask(server, 'GET', `/event/${demoEvent}`)).body);
  expect(page.slice(0, page.indexOf('<body'))).toContain(
    ':root[data-theme=light]:root{--primary:#8c1d40;',
  );
  expect(page).toContain(`src="${logo.url}/320.webp"`);

  const order = await makePaidOrder(server);
  await server.runDue();
  const { db } = server.house.ctx;
  const [mail] = await db('mails').where({ order_id: order.order_id, kind: 'tickets' });
  expect(mail.text).toContain(
    'Orari della biglietteria:\nDa martedì a sabato, 10:00–13:00\nCon il sostegno del Comune.\n',
  );
  expect(mail.html).toContain('background-color:#8c1d40');
  const pdf = await fetch(await addressFor(server, `/api/orders/${order.order_id}/tickets.pdf`));
  const sheet = readPdf(Buffer.from(await pdf.arrayBuffer()));
  expect(sheet.raw).toContain('/Subtype /Image');
  expect(sheet.pages[0]!.lines).toEqual(
    expect.arrayContaining([own.ticket_rules, own.ticket_foot]),
  );
  const { tickets } = await callOk(
    server,
    readPaper,
    { params: { orderId: order.order_id } },
    admin,
  );
  expect(tickets[0]!.house).toEqual({
    logo: logo.url,
    rules: [own.ticket_rules],
    foot: [own.ticket_foot],
  });
  const [row] = await db('audit').where({ action: 'look_changed' });
  expect(JSON.parse(row.detail)).toMatchObject({ hours: { from: null, to: own.hours } });

  server.clock.advance(30 * day);
  await forgetUnusedImages(server.house.ctx);
  expect((await ask(server, 'GET', `${logo.url}/160.webp`)).status).toBe(200);
});

test('what cannot be right is refused field by field, and nothing changes', async (server, admin) => {
  const wrong = await put(server, admin, { accent_light: '#ffe45c', hours: 'x'.repeat(81) });
  expect([wrong.status, wrong.body]).toMatchObject([
    422,
    {
      code: 'look_invalid',
      detail: {
        fields: {
          accent_light: expect.stringContaining('Il colore più vicino che va bene è #'),
          hours: 'La riga 1 è troppo lunga: al massimo 80 caratteri.',
        },
      },
    },
  ]);
  expect((await put(server, admin, { logo: '/media/nessuna-immagine' })).body).toMatchObject({
    code: 'image_unknown',
  });
  expect((await put(server, admin, { fee_price_id: 'price_nessuno' })).body).toMatchObject({
    code: 'price_not_sellable',
  });
  for (const changes of [{ version: -1 }, { logo: 'https://altrove.it/x' }, { hours: 7 }])
    expect([changes, (await put(server, admin, changes)).status]).toEqual([changes, 400]);
  expect(await callOk(server, readLook, {}, admin)).toMatchObject({ ...plainLook, version: 0 });
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>');
  expect((await upload(server, admin, svg)).body).toMatchObject({
    code: 'image_unreadable',
    message: expect.stringContaining('serve un JPEG, PNG, WebP o AVIF'),
  });
});

test('of two who save one is told that somebody was faster', async (server, admin) => {
  for (const version of [0, 1]) {
    const answers = await Promise.all(
      ['Uno', 'Due', 'Tre'].map((mail_sender) => put(server, admin, { version, mail_sender })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  }
});

test('the house may want a second factor where the configuration does not', async (server, admin) => {
  const { ctx } = server.house;
  ctx.settings.secondFactor = 'off';
  const before = await callOk(server, readLook, {}, admin);
  expect([before.factor_required, before.requires_factor]).toEqual([false, false]);
  const office = await asRole(server, 'office');
  await ctx.db('users').update({ first_login_at: ctx.now() - 8 * day });
  expect((await ask(server, 'GET', '/api/admin/today', { headers: office })).status).toBe(200);
  expect((await put(server, admin, { requires_factor: true })).status).toBe(200);
  expect((await ask(server, 'GET', '/api/admin/today', { headers: office })).body).toMatchObject({
    code: 'factor_required',
  });
});

test('a preview says what would be, and saves nothing', async (server, admin) => {
  const { version: _, ...draft } = own;
  const { thermal, mail } = await callOk(server, previewLook, { body: draft }, admin);
  expect(thermal).toContainEqual(expect.objectContaining({ kind: 'line', text: own.ticket_foot }));
  expect(mail).toMatchObject({ from_name: 'Teatro Goldoni' });
  expect(mail.html).toContain('Con il sostegno del Comune.');
  const pdfOf = (query: Record<string, unknown>) =>
    fetch(server.url + addressOf(previewPdf, {}, query), {
      headers: { ...admin, connection: 'close' },
    });
  const { ticket_rules, ticket_foot } = draft;
  const pdf = await pdfOf({ ticket_rules, ticket_foot, pdf_logo: 'true' });
  // The office shows it in a frame, and nobody else may.
  expect([
    pdf.headers.get('content-disposition'),
    pdf.headers.get('content-security-policy'),
    pdf.headers.get('x-frame-options'),
  ]).toEqual(['inline; filename="Biglietto di prova.pdf"', "frame-ancestors 'self'", 'SAMEORIGIN']);
  const long = await pdfOf({ ticket_rules: 'x'.repeat(200) });
  expect([long.status, await long.json()]).toMatchObject([
    422,
    { code: 'look_invalid', detail: { fields: { ticket_rules: expect.any(String) as string } } },
  ]);
  const [sheet] = readPdf(Buffer.from(await pdf.arrayBuffer())).pages;
  expect(sheet!.lines.join('\n')).toContain('PROVA: pagato con denaro di prova');
  expect(sheet!.lines).toContain(own.ticket_rules);
  expect(await callOk(server, readLook, {}, admin)).toMatchObject({ version: 0, hours: null });
});
