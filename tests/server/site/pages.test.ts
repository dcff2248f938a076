/** Pages as the server draws them, and the answers that come from memory: whole, marked, pressed, and never older than the last change. */
import { readFile } from 'node:fs/promises';
import { get, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { updateEvent } from '#db/event/events.ts';
import { isPostgres } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import type { EventRow } from '#db/rows.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { callOk, demoEvent, makeOrder } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';
import { statementsOf } from '#tests/support/statements.ts';

interface Raw {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** fetch() unpacks by itself; here the bytes of the wire are looked at. */
function read(
  server: TestServer,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    get(`${server.url}${path}`, { headers, method }, (answer) => {
      const parts: Buffer[] = [];
      answer
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () =>
          resolve({
            status: answer.statusCode!,
            headers: answer.headers,
            bytes: Buffer.concat(parts),
          }),
        )
        .on('error', reject);
    }).on('error', reject);
  });
}

const built = join(import.meta.dirname, '../../../dist/booking');
const page = `/event/${demoEvent}`;
const json = `/api/event/${demoEvent}/`;

async function write(server: TestServer, changes: Partial<EventRow>): Promise<void> {
  await transact(server.house.ctx.db, (trx) => updateEvent(trx, demoEvent, changes));
}

async function html(server: TestServer, path: string): Promise<{ status: number; text: string }> {
  const { status, bytes } = await read(server, path);
  return { status, text: bytes.toString() };
}

function scriptOf(text: string, start: string): Record<string, unknown> {
  const from = text.indexOf(start) + start.length;
  return JSON.parse(text.slice(from, text.indexOf('</script>', from))) as Record<string, unknown>;
}

test('the event page is whole before any script: title, date, place, description, prices, link preview, and the event for search engines', async (server) => {
  const { status, text } = await html(server, page);
  expect(status).toBe(200);
  expect(text).toContain('<title>La locandiera · Botteghino</title>');
  expect(text).toContain(`<link rel="canonical" href="${server.url}${page}" />`);
  expect(text).toContain('<meta property="og:title" content="La locandiera" />');
  const body = text.slice(text.indexOf('<div id="root">'));
  expect(body).toMatch(/<h1[^>]*>La locandiera<\/h1>/);
  expect(body).toMatch(/<time dateTime="[^"]+">sabato \d+ \p{L}+ \d{4}, ore 21:00<\/time>/u);
  for (const part of [
    'Teatro Goldoni',
    'Mirandolina',
    'Platea',
    formatEuro(3_200),
    formatEuro(2_500),
    'Galleria',
  ])
    expect(body).toContain(part);

  const event = scriptOf(text, '<script type="application/ld+json">');
  expect(event).toMatchObject({
    '@type': 'TheaterEvent',
    name: 'La locandiera',
    eventStatus: 'https://schema.org/EventScheduled',
    location: { name: 'Teatro Goldoni' },
  });
  expect(event['offers']).toContainEqual(
    expect.objectContaining({
      price: '32.00',
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
    }),
  );
  const answer = JSON.parse((await read(server, json)).bytes.toString()) as unknown;
  expect(scriptOf(text, '<script type="application/json" id="page-data">')['event']).toEqual(
    answer,
  );
});

test('a change of the event is seen by the very next request, in its page, its JSON and on the home page', async (server) => {
  for (const title of ['Prima', 'Seconda', 'Terza']) {
    for (const path of [page, json, '/']) await read(server, path);
    await write(server, { title });
    for (const path of [page, json, '/'])
      expect((await read(server, path)).bytes.toString()).toContain(title);
  }
  await write(server, { status: 'draft' });
  expect((await read(server, json)).status).toBe(404);
  expect((await read(server, page)).status).toBe(404);
  expect((await read(server, '/')).bytes.toString()).not.toContain('Terza');
});

test('a sale that opens by the clock is open in the next answer, however fresh the last one was', async (server) => {
  await write(server, { sales_opens_at: server.clock.now() + 60_000 });
  const stateOf = async () =>
    (JSON.parse((await read(server, json)).bytes.toString()) as { sales: { state: string } }).sales
      .state;
  expect(await stateOf()).toBe('not_yet');
  server.clock.advance(60_000);
  expect(await stateOf()).toBe('open');
});

it('who has the answer already gets 304 and no bytes, until something changes', async (server) => {
  for (const path of [json, page, '/']) {
    const first = await read(server, path);
    const etag = first.headers.etag!;
    const again = await read(server, path, { 'if-none-match': `"other", ${etag}` });
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag]);
  }
  const { etag } = (await read(server, json)).headers;
  await write(server, { title: 'Un altro titolo' });
  expect((await read(server, json, { 'if-none-match': etag! })).status).toBe(200);
});

it('the minutes alone make no new page: it is the same for an hour', async (server) => {
  const hour = 3_600_000;
  server.clock.advance(hour - (server.clock.now() % hour));
  const etag = (await read(server, page)).headers.etag!;
  server.clock.advance(hour - 60_000);
  expect((await read(server, page, { 'if-none-match': etag })).status).toBe(304);
  server.clock.advance(60_000);
  expect((await read(server, page, { 'if-none-match': etag })).status).toBe(200);
});

it('the same bytes in br, gzip and plain, as the browser asks; HEAD has none; and all headers that any other answer has', async (server) => {
  for (const path of [json, page, '/']) {
    const plain = await read(server, path);
    const br = await read(server, path, { 'accept-encoding': 'gzip, deflate, br' });
    const gz = await read(server, path, { 'accept-encoding': 'gzip, br;q=0' });
    expect([
      plain.headers['content-encoding'],
      br.headers['content-encoding'],
      gz.headers['content-encoding'],
    ]).toEqual([undefined, 'br', 'gzip']);
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gz.bytes).equals(plain.bytes)).toBe(true);
    expect(br.headers.vary).toContain('Accept-Encoding');
    const head = await read(server, path, {}, 'HEAD');
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([
      200,
      0,
      String(plain.bytes.length),
    ]);
    const other = await read(server, path === json ? '/api/events/' : '/nirgendwo');
    const guards = [
      'content-security-policy',
      'x-content-type-options',
      'x-frame-options',
      'referrer-policy',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'permissions-policy',
    ];
    expect(guards.map((name) => plain.headers[name])).toEqual(
      guards.map((name) => other.headers[name]),
    );
    expect(plain.headers['x-request-id']).not.toBe(br.headers['x-request-id']);
  }
});

it('an event that is not there, a draft and an address that is nothing are pages with status 404, and no search engine keeps them', async (server) => {
  const gone = await html(server, '/event/niente');
  expect(gone.status).toBe(404);
  expect(gone.text).toContain('Oops... Si è verificato un errore :( Riprova più tardi...');
  const lost = await html(server, '/dove/sono');
  expect(lost.status).toBe(404);
  expect(lost.text).toContain('Ti sei perso?');
  for (const { text } of [gone, lost])
    expect(text).toContain('<meta name="robots" content="noindex" />');
  for (const odd of [
    '/event/%',
    '/event/%00',
    '/event/..%2f',
    `/event/${'a'.repeat(5_000)}`,
    '/event/%ff%fe',
    '/event/$&',
  ])
    expect((await read(server, odd)).status, odd).toBe(404);
});

it('whatever an organiser calls his event, nothing of it becomes script or markup of the page', async (server) => {
  const title =
    '</script><script>alert(1)</script><!--page-data--> $& "><img src=x onerror=alert(2)>';
  await write(server, { title, venue_title: title });
  for (const path of [page, '/']) {
    const { status, text } = await html(server, path);
    expect(status).toBe(200);
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('<img src=x');
    const data = scriptOf(text, '<script type="application/json" id="page-data">') as {
      event?: { event: { title: string } };
      events?: { items: { id: string; title: string }[] };
    };
    expect(
      data.event?.event.title ?? data.events!.items.find(({ id }) => id === demoEvent)!.title,
    ).toBe(title);
  }
});

test('that nothing has changed is told from memory: SQLite is not asked at all, PostgreSQL only for the mark', async (server) => {
  const { etag } = (await read(server, page)).headers;
  // What a first answer leaves to be counted is read once more.
  await read(server, page);
  const asked = await statementsOf(server.house.ctx.db, async () => {
    for (let time = 0; time < 20; time += 1) {
      const { status } = await read(server, page, { 'if-none-match': etag! });
      expect(status).toBe(304);
    }
  });
  const marks = isPostgres(server.house.ctx.db) ? ['read price_rules, read events'] : [];
  expect([...new Set(asked)]).toEqual(marks);
  expect(asked.length).toBe(20 * marks.length);
});

test('an order’s page is whole before any script, is kept by nobody, and is what the API says', async (server) => {
  const { link_key: order_id } = await makePaidOrder(server);
  for (const path of [
    `/orders/${order_id}`,
    `/orders/${order_id}/from_stripe_cs/complete`,
    `/orders/${order_id}/`,
  ]) {
    const { status, headers, bytes } = await read(server, path);
    const text = bytes.toString();
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(text).toContain('<title>Ordine confermato · Botteghino</title>');
    expect(text).toContain('<meta name="robots" content="noindex" />');
    const order = await callOk(server, getOrder, { params: { orderId: order_id } });
    const body = text.slice(text.indexOf('<div id="root">'));
    for (const part of [
      'Ordine confermato!',
      order.number,
      ...order.tickets.flatMap((ticket) => [ticket.seat, ticket.code_for_people]),
    ])
      expect(body).toContain(part);
    expect(body.split('class="ui-qr"')).toHaveLength(order.tickets.length + 1);
    expect(scriptOf(text, '<script type="application/json" id="page-data">')['order']).toEqual(
      order,
    );
  }
});

it('nobody waits for Stripe to see the page of an order that is not paid: it says what is known', async (server) => {
  const { link_key: order_id } = await makeOrder(server);
  server.house.ctx.payments.read = () => {
    throw new Error('asked');
  };
  const open = await html(server, `/orders/${order_id}`);
  expect(open.text).toContain('Il pagamento non è ancora concluso');
  expect((await html(server, `/orders/${order_id}/from_stripe_cs/complete`)).text).toContain(
    'Pagamento in corso di verifica…',
  );
  expect((await html(server, `/orders/${order_id}/from_stripe_cs/expired`)).text).toContain(
    'Il pagamento non è ancora concluso',
  );
});

it('the page of an order that nobody knows holds nothing of any order', async (server) => {
  for (const path of [
    '/orders/frame',
    '/orders/AAAAAAAAAAAAAAAAAAAAAA',
    '/orders/%',
    '/orders/%00',
    `/orders/${'a'.repeat(5_000)}`,
  ]) {
    const { status, headers, bytes } = await read(server, path);
    expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-cache']);
    expect(bytes.toString()).toContain('<meta name="robots" content="noindex" />');
    expect(
      scriptOf(bytes.toString(), '<script type="application/json" id="page-data">'),
    ).not.toHaveProperty('order');
  }
  expect((await html(server, '/orders/a/b')).status).toBe(404);
});

it('a page names the scripts of its screen, and they are there', async (server) => {
  const manifest = JSON.parse(await readFile(join(built, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { file: string }
  >;
  for (const [path, screen] of Object.entries({
    '/': 'home/home.tsx',
    [page]: 'event/seats/seat-chart.tsx',
    '/cookie': 'legal/page.tsx',
    '/orders/frame': 'order/page.tsx',
    '/anteprima/frame': 'event/preview.tsx',
    '/anteprima/ordini/frame': 'event/preview.tsx',
    '/i-miei-biglietti': 'home/my-tickets.tsx',
    '/avviso': 'reminder/page.tsx',
    '/nessuna/pagina': 'shell/page/unknown-page.tsx',
  })) {
    const named = [
      ...(await html(server, path)).text.matchAll(/<link rel="late" href="([^"]+)"/g),
    ].map((match) => match[1]!);
    expect([path, named]).toEqual([path, expect.arrayContaining([`/${manifest[screen]?.file}`])]);
    for (const script of named)
      expect([script, (await read(server, script)).status]).toEqual([script, 200]);
  }
});
