/** Tickets on paper and in the calendar: what is printed can be read by a scanner, a screen reader and a calendar, and says what is true now. */
import { expect, test } from 'vitest';
import { testOnSqlite as it } from '#tests/support/both.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { makeTicketsPdf } from '#server/adapters/documents.ts';
import { holderWords } from '#server/domain/order/holder.ts';
import type { TicketSheet } from '#server/domain/counter/ticket-sheet.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { addressFor, ask, callOk, demoEvent, makeOrder } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { setPolicy } from '#tests/support/refunds.ts';

async function download(
  server: TestServer,
  path: string,
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const response = await fetch(await addressFor(server, path), {
    headers: { connection: 'close' },
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}
const pdfOf = async (server: TestServer, order_id: string, query = '') =>
  readPdf((await download(server, `/api/orders/${order_id}/tickets.pdf${query}`)).bytes);

it('each valid ticket is a page that says everything, with a code that a scanner reads', async (server) => {
  const order = await makePaidOrder(server);
  const page = await callOk(server, getOrder, { params: { orderId: order.order_id } });
  const { pages, raw, tags } = await pdfOf(server, order.order_id);
  expect(pages.map(({ code }) => code)).toEqual(page.tickets.map(({ code }) => code));
  pages.forEach(({ lines }, index) => {
    const text = lines.join(' ').replace(/\s+/g, ' ');
    const ticket = page.tickets[index]!;
    for (const words of [
      'La locandiera',
      'ore 21:00',
      'Apertura porte alle 20:00',
      'Teatro Goldoni',
      ticket.seat,
      `Intero · 32,00 €`,
      ticket.code_for_people,
      `Biglietto ${index + 1} di 2`,
      `Ordine n. ${page.number}`,
      '2 biglietti',
      'totale 64,00 €',
      'Riepilogo d’ordine – non valido ai fini fiscali',
      'non è una biglietteria automatizzata: senza sigillo fiscale SIAE',
    ])
      expect([words, text.includes(words)]).toEqual([words, true]);
  });
  // A tagged document in Italian whose title is shown (PDF/UA): headings, and a name for the picture.
  for (const sign of [
    '/Lang (it-IT)',
    '/Marked true',
    '/DisplayDocTitle true',
    '<pdfuaid:part>1</pdfuaid:part>',
    '%PDF-1.7',
  ])
    expect([sign, raw.includes(sign)]).toEqual([sign, true]);
  expect([
    tags.filter((tag) => tag === 'H1').length,
    tags.filter((tag) => tag === 'Figure').length,
    raw.includes(`/Alt (Codice QR del biglietto: ${page.tickets[0]!.code_for_people})`),
  ]).toEqual([2, 2, true]);
  const one = await pdfOf(server, order.order_id, `?ticket=${page.tickets[1]!.ticket_id}`);
  expect(one.pages.map(({ code }) => code)).toEqual([page.tickets[1]!.code]);
});

it('a ticket that lets nobody in is not printed, and there is nothing to take home before the order is confirmed', async (server) => {
  const { order_id } = await makePaidOrder(server);
  const open = await makeOrder(server);
  const [first, second] = (await callOk(server, getOrder, { params: { orderId: order_id } }))
    .tickets;
  const { db } = server.house.ctx;
  const refusal = async (path: string) => {
    const { status, body } = await ask(server, 'GET', `/api/orders/${path}`);
    return [status, (body as { code: string }).code];
  };
  await db('tickets').where({ id: first!.ticket_id }).update({ state: 'refunded' });
  expect((await pdfOf(server, order_id)).pages.map(({ code }) => code)).toEqual([second!.code]);
  const path = `${order_id}/tickets.pdf`;
  expect(await refusal(`${path}?ticket=${first!.ticket_id}`)).toEqual([409, 'no_valid_tickets']);
  expect(await refusal(`${path}?ticket=nobody`)).toEqual([404, 'ticket_not_found']);
  await db('tickets').where({ order_id }).update({ state: 'void' });
  expect(await refusal(path)).toEqual([409, 'no_valid_tickets']);
  for (const file of ['tickets.pdf', 'calendar.ics']) {
    expect(await refusal(`${open.order_id}/${file}`)).toEqual([409, 'order_not_confirmed']);
    expect(await refusal(`nobody/${file}`)).toEqual([404, 'order_not_found']);
  }
});

it('files come with their type, a name in any alphabet, and stay in no cache', async (server) => {
  const { order_id } = await makePaidOrder(server);
  await setPolicy(server, { title: '../../Così è: "Ωραία" / <b>\u0007? 王' }, demoEvent);
  const pdf = await download(server, `/api/orders/${order_id}/tickets.pdf`);
  expect([
    pdf.status,
    pdf.headers.get('content-type'),
    pdf.headers.get('cache-control'),
    pdf.headers.get('x-content-type-options'),
  ]).toEqual([200, 'application/pdf', 'no-store', 'nosniff']);
  expect(pdf.headers.get('content-disposition')).toMatch(
    /^attachment; filename="[\x20-\x7e]+\.pdf"; filename\*=UTF-8''Cos%C3%AC%20%C3%A8%20%CE%A9%CF%81%CE%B1%CE%AF%CE%B1%20b%20%E7%8E%8B%20[0-9A-Z]{4}-[0-9A-Z]{4}\.pdf$/,
  );
  // The metadata is XML, and keeps signs that the page cannot show.
  expect(pdf.bytes.toString()).toContain(
    '>Biglietti per ../../Così è: "Ωραία" / &lt;b&gt;? 王 – ordine n. '.replaceAll('"', '&quot;'),
  );
  const calendar = await download(server, `/api/orders/${order_id}/calendar.ics`);
  expect([calendar.status, calendar.headers.get('content-type')]).toEqual([
    200,
    'text/calendar; charset=utf-8; method=PUBLISH',
  ]);
  expect((await ask(server, 'GET', '/api/openapi.json')).body).toMatchObject({
    paths: {
      '/api/orders/{orderId}/tickets.pdf': {
        get: {
          responses: {
            200: {
              content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
            },
          },
        },
      },
    },
  });
  expect(server.logged).toEqual([]);
});

/** Unfolded lines, name and value; the alarm at the end has a description of its own. */
function entryOf(text: string): Map<string, string> {
  return new Map(
    text
      .replace(/\r\n[ \t]/g, '')
      .split('\r\n')
      .filter((line) => line !== '')
      .toReversed()
      .map((line) => [/^[^:;]+/.exec(line)![0], line.slice(line.indexOf(':') + 1)]),
  );
}

it('the calendar gets the same entry each time, right on both sides of a change of clocks, and loses it when the event is cancelled', async (server) => {
  const { order_id } = await makePaidOrder(server);
  const read = async () =>
    entryOf((await download(server, `/api/orders/${order_id}/calendar.ics`)).bytes.toString());
  // 25 October 2026: clocks go back at 3; 21:00 is 20:00 UTC that evening and was 19:00 UTC the evening before.
  for (const [starts_at, start] of [
    [Date.UTC(2026, 9, 24, 19), '20261024T190000Z'],
    [Date.UTC(2026, 9, 25, 20), '20261025T200000Z'],
  ] as const) {
    await setPolicy(server, { starts_at }, demoEvent);
    expect((await read()).get('DTSTART')).toBe(start);
  }
  const first = await read();
  expect([
    first.get('METHOD'),
    first.get('STATUS'),
    first.get('SUMMARY'),
    first.get('LOCATION'),
    first.get('TRIGGER'),
  ]).toEqual([
    'PUBLISH',
    'CONFIRMED',
    'La locandiera',
    'Teatro Goldoni\\, Corte del Teatro 4\\, 30124 Venezia',
    '-PT3H',
  ]);
  expect(first.get('URL')).toBe(`${server.url}/i-miei-biglietti`);
  expect(first.get('DESCRIPTION')).toContain('Platea\\, fila');
  // The UID travels with whoever gets the file: it does not open the order.
  expect(first.get('UID')).not.toContain(order_id);
  await setPolicy(server, { status: 'cancelled' }, demoEvent);
  const last = await read();
  expect([
    last.get('UID'),
    last.get('METHOD'),
    last.get('STATUS'),
    Number(last.get('SEQUENCE')) > Number(first.get('SEQUENCE')),
  ]).toEqual([first.get('UID'), 'CANCEL', 'CANCELLED', true]);
});

const sheet: TicketSheet = {
  position: 'Biglietto 1 di 1',
  title: 'La locandiera',
  date: 'sabato 21 novembre 2026, ore 21:00',
  doors: null,
  venue: 'Teatro Goldoni',
  trial: null,
  seat: 'Platea, fila A, posto 12',
  gate: null,
  price: 'Intero · 32,00 €',
  holder: null,
  order: 'Ordine n. A7K2-9QX4',
  fiscal: null,
  code: 'A7K20123456789ABCDEFGHJKMNPQRST',
  code_for_people: 'A7K2-0123-4567-89AB-CDEF-GHJK-MNPQ-RST',
};
const print = async (changes: Partial<TicketSheet>) =>
  readPdf(
    await makeTicketsPdf({
      title: 'Biglietti',
      organiser: 'Teatro',
      logo: null,
      created_at: 0,
      sheets: [{ ...sheet, ...changes, rules: ['Regola. '.repeat(30)] }],
      footer: ['Ordine n. A7K2-9QX4', 'Riepilogo'],
    }),
  );
/** A4 is 595 × 842 points. */
const inside = { lowest: 40, rightmost: 595 - 40 };

test('whatever a title, a hall or a name is, nothing leaves the page or pushes the code away', async () => {
  for (const text of [
    'Una serata con l’orchestra sinfonica della città '.repeat(5),
    'V'.repeat(400),
    'Ω'.repeat(300),
    '漢字'.repeat(120),
    '🎭'.repeat(150),
    'a\u0301'.repeat(200),
    '',
    '\n\n\t\u0000\u202e x',
  ]) {
    const { pages } = await print({
      title: text,
      venue: text,
      seat: text,
      gate: text,
      price: text,
      holder: text,
      doors: text,
      date: text,
    });
    expect([
      text.slice(0, 3),
      pages.length,
      pages[0]!.code,
      pages[0]!.lowest > inside.lowest,
      pages[0]!.rightmost < inside.rightmost,
    ]).toEqual([text.slice(0, 3), 1, sheet.code, true, true]);
    expect(pages[0]!.lines.join(' ')).toContain(sheet.code_for_people);
  }
});

test('a title of 200 letters is there to the last of them, and Greek and Cyrillic names are', async () => {
  const title = `${'Parole lunghe e brevi di un titolo senza fine '.repeat(5).slice(0, 195)} FINE`;
  const holder = 'Intestatario: Ευγενία Παπαδοπούλου – Анастасия Дмитриевна Ђорђевић';
  const { pages } = await print({ title, holder });
  const text = pages[0]!.lines.join(' ').replace(/\s+/g, ' ');
  expect(text).toContain(title.replace(/\s+/g, ' '));
  expect(text).toContain(holder);
});

/** A name, and how paper shows it from left to right; null: the fonts lack its letters. */
const names: readonly (readonly [name: string, seen: string | null])[] = [
  ['Łukasz Zażółć-Gęślą', 'Łukasz Zażółć-Gęślą'],
  ['Nguyễn Thị Ngọc', 'Nguyễn Thị Ngọc'.normalize('NFC')],
  ['Ευγενία Παπαδοπούλου', 'Ευγενία Παπαδοπούλου'],
  ['Ђорђе Щербаков', 'Ђорђе Щербаков'],
  ['გიორგი მესხი', 'გიორგი მესხი'],
  ['Աննա Պետրոսյան', 'Աննա Պետրոսյան'],
  ['Ａｎｎａ Ｒｏｓｓｉ', 'Anna Rossi'],
  // Only the bold font has these, and neither has the mirrored ⦠.
  ['𝗔𝗻𝗻𝗮 𝗥𝗼𝘀𝘀𝗶', 'Anna Rossi'],
  ['דניאל ∢ לוי', 'יול ∢ לאינד'],
  ['Zoë 🎭 Neri', 'Zoë Neri'],
  ['محمد علي', 'يلع دمحم'],
  ['علی‌رضا کریمی', 'یمیرک اضریلع'],
  ['محمد (Mohamed) علي', 'يلع (Mohamed) دمحم'],
  ['דניאל לוי 3', '3 יול לאינד'],
  ['שלום محمد', 'دمحم םולש'],
  ['王 小明', null],
  ['さくら 田中', null],
  ['김 민준', null],
  ['सीता शर्मा', null],
  ['সীতা সেন', null],
  ['สมชาย ใจดี', null],
  ['አበበ ቢቂላ', null],
  ['Anna 王', null],
];

test('a name in any script is on paper as it is read, or its order is; a screen reader hears the name', async () => {
  const shown: [string, string | undefined][] = [];
  for (const [name] of names) {
    const { pages, spoken } = await print({
      holder: holderWords(name),
      order: 'In ordine',
      title: name,
      venue: name,
    });
    const { lines } = pages[0]!;
    // A glyph without a letter (.notdef) is read as U+0000.
    expect([name, lines.filter((line) => /[\0□]/.test(line))]).toEqual([name, []]);
    const seen = lines.find((line) => /^(?:Intestatario:|In ordine)/.test(line));
    shown.push([name, seen?.replace('Intestatario: ', '')]);
    if (seen !== holderWords(name)) expect(spoken).toContain(holderWords(name).normalize('NFC'));
  }
  expect(shown).toEqual(names.map(([name, seen]) => [name, seen ?? 'In ordine']));
});

test('each Arabic letter has the form of its place in the word', async () => {
  const { lines, glyphs } = (await print({ holder: 'ببب' })).pages[0]!;
  expect(new Set(glyphs[lines.indexOf('ببب')])).toHaveLength(3);
});

test('a letter that was part of another on an earlier paper can still be searched and read aloud', async () => {
  await print({ title: 'Ǽ' });
  expect((await print({ title: 'Æ' })).pages[0]!.lines).toContain('Æ');
});

test('an order without a fee has none on paper, one with a fee names it', async () => {
  await using server = await startServer();
  const { order_id } = await makePaidOrder(server);
  expect((await pdfOf(server, order_id)).pages[0]!.lines).toContain(
    'Intero · 32,00 €'.replace(' €', '\u00a0€'),
  );
  await server.house.ctx.db('order_lines').where({ order_id }).update({ fee_cents: 150 });
  await server.house.ctx
    .db('orders')
    .where({ id: order_id })
    .update({ fee_cents: 300, total_cents: 6700 });
  const text = (await pdfOf(server, order_id)).pages[0]!.lines.join(' ').replace(/\s+/g, ' ');
  expect(text).toContain('Intero · 33,50 € (di cui 1,50 € di prevendita)');
  expect(text).toContain('totale 67,00 € (di cui 3,00 € di prevendita)');
});
