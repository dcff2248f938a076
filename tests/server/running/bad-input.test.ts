/** No input may cause a 500: every endpoint is fed what it does not expect, and answers in Italian; fuzz.test.ts asks at random. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { isPostgres } from '#db/engine/dialect.ts';
import { endpoints } from '#server/contract/all.ts';
import { addressOf, isProgramCaller, type EndpointShape } from '#server/contract/endpoint.ts';
import { programScopes } from '#server/domain/program/token.ts';
import { testOnBoth as it, testOnce as test } from '#tests/support/both.ts';
import { ask, makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import { makeProgram } from '#tests/support/programs.ts';
import { type TestServer } from '#tests/support/server.ts';

async function callers(server: TestServer) {
  const admin = await makeAdmin(server);
  const phone = await makePairedPhone(server, admin);
  const program = await makeProgram(server, { scopes: programScopes });
  return ({ who }: EndpointShape): Record<string, string> => {
    if (isProgramCaller(who)) return program.headers;
    return who === 'phone' ? phone.headers : who === 'public' ? {} : admin;
  };
}

/** The endpoint that ends all sessions is the last of its list, and so here. A stream of events ends when the caller goes: see door/live.test.ts. */
const answered = Object.entries(endpoints).filter(([, endpoint]) => !endpoint.stream);

const existing: Record<string, string> = {
  eventId: 'la-locandiera',
  eventKey: 'la-locandiera',
  showId: 'la-locandiera',
  objIds: 'Platea-A-1',
  chartKey: 'teatro-goldoni',
  legalName: 'terms',
  report: 'sales',
};

/** A name for every path parameter: of what exists, or one that nothing has. */
const known = new Proxy(existing, { get: (own, name) => own[String(name)] ?? 'x' });

/** A second database may see these otherwise. */
const namesForSql = ['%00', '%ff', 'a'.repeat(3_000), "' OR 1=1 --"];
const names = [
  ...namesForSql,
  'x',
  'la-locandiera',
  '..',
  '%2e%2e%2f',
  '<script>',
  'ñ',
  '%',
  '%E0%A4%A',
  ' ',
  '0'.repeat(31),
];

it('strange names in paths and queries are clear refusals', async (server) => {
  const headersFor = await callers(server);
  const all = isPostgres(server.house.ctx.db) ? namesForSql : names;
  for (const [nth, [name, endpoint]] of answered.entries()) {
    // Each call is asked by a third of them: all are tried at neighbours, and fuzz.proof.ts asks more.
    const tried = all.filter((_, at) => (at + nth) % 3 === 0);
    const address = addressOf(endpoint, known);
    const inPath = endpoint.path.includes(':') ? tried : [];
    const inQuery = endpoint.query ? tried : tried.slice(0, 1);
    const paths = [
      ...inPath.map((value) => endpoint.path.replace(/:\w+/g, value)),
      ...inQuery.map(
        (value) =>
          `${address}?limit=${value}&cursor=${value}&since=${value}&q=${value}&q=2&state=${value}`,
      ),
    ];
    const answers = await Promise.all(
      paths.map((path) =>
        ask(server, endpoint.method, path, {
          headers: headersFor(endpoint),
          ...(endpoint.body ? { body: {} } : {}),
        }),
      ),
    );
    for (const [index, { status, body }] of answers.entries()) {
      const path = paths[index]!.slice(0, 80);
      // Two dots lead from a list of other programs to the page that explains them.
      const isPage = new URL(path, server.url).pathname === '/api/v1/';
      expect([name, path, status < 500, typeof body]).toEqual([
        name,
        path,
        true,
        status === 204 || isPage || (endpoint.file && status === 200) ? 'string' : 'object',
      ]);
    }
  }
  expect(server.logged).toEqual([]);
});

/** A little over what a call with this limit takes; others take a megabyte. */
const largest = new Map([
  ['import', 12_600_000],
  ['drawing', 30_100_000],
]);

test('broken JSON, wrong content types and 1 MB never cause a 500', async (server) => {
  const headersFor = await callers(server);
  const withBody = Object.values(endpoints).filter((endpoint) => endpoint.body);
  const post = async (endpoint: EndpointShape, raw: string, type: string) => {
    const path = addressOf(endpoint, known);
    const answer = await ask(server, endpoint.method, path, {
      raw,
      headers: { ...headersFor(endpoint), 'content-type': type },
    });
    const body = answer.body as { status?: number; message?: string };
    if (
      answer.status >= 500 ||
      (answer.status >= 400 && (body.status !== answer.status || !body.message))
    )
      throw new Error(
        `${endpoint.path} ${answer.status} ${JSON.stringify(body)} for ${raw.slice(0, 300)}`,
      );
    return answer.status;
  };
  const isWeighed = new Set<string>();
  for (const endpoint of withBody) {
    const { path, limit = '' } = endpoint;
    const statuses = [
      await post(endpoint, '{"a":', 'application/json'),
      await post(endpoint, 'a=b', 'application/x-www-form-urlencoded'),
    ];
    expect([path, statuses]).toEqual([path, [400, 415]]);
    expect(await post(endpoint, '{}', 'application/json; charset=klingon')).toBeLessThan(500);
    if (isWeighed.has(limit)) continue;
    isWeighed.add(limit);
    const items = 'x'.repeat(largest.get(limit) ?? 1_100_000);
    const weighed = await post(endpoint, JSON.stringify({ items }), 'application/json');
    expect([path, weighed]).toEqual([path, 413]);
  }
  expect(server.logged).toEqual([]);
});

test('a list in the place of fields of which none is required is refused, and changes nothing', async (server) => {
  const headers = await makeAdmin(server);
  const before = await server.house.ctx.db('events').count({ n: '*' });
  const wanted = 'Deve essere un insieme di campi.';
  for (const [path, body, field] of [
    ['/api/admin/rehearsals', [], 'body'],
    ['/api/event/la-locandiera/queue/pass', [[]], 'body'],
    ['/api/admin/messages/preview', { act: 'message', filter: [] }, 'filter'],
  ] as const) {
    const answer = await ask(server, 'POST', path, { body, headers });
    expect([path, answer.status, answer.body]).toMatchObject([
      path,
      400,
      { detail: { faults: { [field]: wanted } } },
    ]);
  }
  expect(await server.house.ctx.db('events').count({ n: '*' })).toEqual(before);
});

test('an unknown call is a 404 in our shape, and a wrong method a 405', async (server) => {
  for (const path of [
    '/api',
    '/api/',
    '/api/nope',
    '/api/event/',
    '/api/admin/nope',
    '/standins/stripe/v1/charges',
    '/standins/seatsio/events',
    '/standins/other/x',
  ]) {
    const answer = await ask(server, 'GET', path);
    expect([path, answer.status, answer.body]).toEqual([
      path,
      404,
      expect.objectContaining({ code: 'not_found' }),
    ]);
  }
  expect((await ask(server, 'PUT', '/api/orders/x/status')).status).toBe(405);
  for (const path of ['/', '/event/la-locandiera', '/admin/', '/healthz', '/favicon.svg'])
    for (const method of ['POST', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await ask(server, method, path);
      expect([path, method, status, headers.get('allow')]).toEqual([
        path,
        method,
        405,
        'HEAD, GET',
      ]);
    }
});

test('a call is the same with and without its last slash', async (server) => {
  const headersFor = await callers(server);
  for (const [name, endpoint] of answered) {
    // Once it is done nobody is logged in any more.
    if (name === 'endAllSessions') continue;
    const path = addressOf(endpoint, known).replace(/\/$/, '');
    const answers = [];
    for (const spelling of [path, `${path}/`]) {
      const { status, body } = await ask(
        server,
        endpoint.method,
        spelling,
        endpoint.body
          ? { raw: '{', headers: { ...headersFor(endpoint), 'content-type': 'application/json' } }
          : { headers: headersFor(endpoint) },
      );
      answers.push([status, (body as { code?: string }).code]);
    }
    expect([path, answers[1]]).toEqual([path, answers[0]]);
    expect([path, answers[0]![1]]).not.toEqual([path, 'not_found']);
  }
});

test('the stand-ins’ secret calls are not reachable through the public door', async (server) => {
  const { stripe, seatsio } = server.house.standins!;
  const basic = `Basic ${Buffer.from(`${seatsio!.secretKey}:`).toString('base64')}`;
  for (const [path, authorization] of [
    ['/standins/stripe/v1/products', `Bearer ${stripe!.secretKey}`],
    ['/standins/stripe/v1/checkout/sessions', `Bearer ${stripe!.secretKey}`],
    ['/standins/seatsio/events', basic],
    ['/standins/seatsio/system/public/charts/x', basic],
    ['/standins/seatsio/system/private/create-test-company', basic],
    ['/standins/seatsio/system/public/../../events', basic],
    ['/standins/seatsio/system/public/%2e%2e/%2e%2e/events', basic],
  ] as const) {
    for (const method of ['GET', 'POST']) {
      const { status } = await ask(server, method, path, {
        headers: { authorization },
        ...(method === 'POST' ? { body: {} } : {}),
      });
      expect([method, path, status]).toEqual([method, path, 404]);
    }
  }
});

test('the OpenAPI document names every endpoint', async (server) => {
  const { body } = await ask(server, 'GET', '/api/openapi.json');
  const { paths } = body as { paths: Record<string, Record<string, unknown>> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // Two wires share one address.
  const addresses = new Set(
    Object.values(endpoints).map(
      (endpoint) => `${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, '{$1}')}`,
    ),
  );
  expect(described.toSorted()).toEqual([...addresses].toSorted());
});

test('whatever comes over the raw line, the process lives, and nothing secret is logged', async (server) => {
  const port = Number(new URL(server.url).port);
  const lines = [
    'GET /standins/seatsio/chart.js HTTP/1.1\r\nHost: x\r\nTrailer: x\r\nConnection: close\r\n\r\n',
    'POST /standins/stripe/v1/payment_methods HTTP/1.1\r\nHost: x\r\nTrailer: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\nx: y\r\n\r\n',
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nCookie: sid=geheim\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{"password":"geheim"}',
    'POST /api/webhooks/stripe HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf',
    'GET http://evil.example/standins/seatsio/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'POST /standins/seatsio/system/public/a\\..\\..\\../hold-tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'nonsense\r\n\r\n',
    ...['GET *', 'GET foo://bar', 'POST x://', 'GET http://', 'GET http://[::1', 'OPTIONS *'].map(
      (target) => `${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    ),
    'GET /%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  ];
  const answers = await Promise.all(lines.map((line) => sayRaw(port, line)));
  expect(answers.filter((answer) => / 5\d\d /.test(answer.slice(0, 13)))).toEqual([]);
  expect(answers[5]).toMatch(/^HTTP\/1.1 404/);
  expect(
    answers
      .slice(8, 14)
      .filter((answer) => !/^HTTP\/1.1 400 [^]*"message":"La richiesta/.test(answer)),
  ).toEqual([]);
  // As a proxy asks (RFC 9112 §3.2.2).
  const [proxied] = (await once(
    request({ port, path: 'http://botteghino.example/api/event/la-locandiera/' }).end(),
    'response',
  )) as [IncomingMessage];
  expect([proxied.statusCode, (await text(proxied)).includes('La locandiera')]).toEqual([
    200,
    true,
  ]);
  // What Node itself would answer without a word.
  const early = {
    400: 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
    431: `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
  };
  for (const [status, line] of Object.entries(early)) {
    const answer = await sayRaw(port, line);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*nosniff[^]*"status":${status}`));
    expect(answer).toContain('"message":"La richiesta');
  }
  const expecting = 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n';
  expect(await sayRaw(port, expecting)).toMatch(/^HTTP\/1.1 200 [^]*"status":"ok"/);
  expect(await sayRaw(port, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200/);
  expect(await sayRaw(port, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(
    /^HTTP\/1.1 405 [^]*"message":"/,
  );
  // A name in Latin-1 would lose its accents.
  const latin = '{"email":"a@b.it","password":"\u00f2"}';
  const claimed = `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json; charset=iso-8859-1\r\nContent-Length: ${latin.length}\r\n\r\n${latin}`;
  expect(await sayRaw(port, Buffer.from(claimed, 'latin1'))).toMatch(
    /^HTTP\/1.1 400 [^]*broken_json/,
  );
  expect((await ask(server, 'GET', '/healthz')).status).toBe(200);
  expect(server.logged.join()).not.toContain('geheim');
  expect(server.logged).toEqual([]);
});

/** Writes bytes, hangs up its own side, and gives back what was answered. */
function sayRaw(port: number, text: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(text));
    socket.setEncoding('utf8').on('data', (part) => {
      heard += part;
    });
    socket.on('error', () => resolve(heard)).on('close', () => resolve(heard));
  });
}

test('a form that is sent straight to the server hears field by field, in Italian, what is wrong, and changes nothing', async (server, admin) => {
  const kept = () => server.house.ctx.db('audit').count({ n: '*' });
  const before = await kept();
  const cases: [method: string, path: string, body: object, faults: Record<string, string>][] = [
    [
      'POST',
      `/api/admin/events/${existing['eventId']}/contingents`,
      { name: 'x'.repeat(200), objects: 7 },
      {
        name: 'È troppo lungo: al massimo 60 caratteri.',
        objects: 'Deve essere un elenco.',
        sale: 'Manca.',
      },
    ],
    ['POST', '/api/admin/messages/', { subject: '' }, { subject: 'Non può essere vuoto.' }],
    [
      'PUT',
      '/api/admin/look',
      { version: 0.5, hours: 3, logo: 'http://x' },
      {
        version: 'Deve essere un numero intero.',
        hours: 'Deve essere un testo.',
        logo: 'Non è scritto nella forma prevista.',
      },
    ],
    [
      'PUT',
      addressOf(endpoints['changeTills']!, known),
      { version: 0, gifts_per_event: -1, tills: [{ id: 'a', name: '', layout: 'A3' }] },
      {
        gifts_per_event: 'Deve essere almeno 0.',
        'tills.0.name': 'Non può essere vuoto.',
        'tills.0.layout': 'Non è uno dei valori previsti.',
      },
    ],
    [
      'POST',
      '/api/admin/people/invites',
      { email: 'nessuno', role: 'king' },
      { role: 'Non è uno dei valori previsti.' },
    ],
    [
      'POST',
      `/api/admin/events/${existing['eventId']}/postpone`,
      { starts_at: 'ieri' },
      { version: 'Manca.', answer_by: 'Manca.' },
    ],
    ['POST', `/api/admin/shows/${existing['showId']}/series`, { until: 'mai' }, {}],
  ];
  for (const [method, path, body, faults] of cases) {
    const answer = await ask(server, method, path, { body, headers: admin });
    const { code, detail } = answer.body as {
      code: string;
      detail: { fields: string[]; faults: Record<string, string> };
    };
    expect([path, answer.status, code]).toEqual([path, 400, 'bad_request']);
    expect([path, detail.faults]).toMatchObject([path, faults]);
    expect(Object.keys(detail.faults)).toEqual(detail.fields);
    for (const said of Object.values(detail.faults)) expect(said).toMatch(/^\p{Lu}.*\.$/u);
  }
  const bounce = await ask(server, 'POST', '/api/admin/mails/bounces', {
    raw: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.eml"\r\n\r\nciao\r\n--x--\r\n',
    headers: {
      ...admin,
      'x-requested-with': 'fetch',
      'content-type': 'multipart/form-data; boundary=x',
    },
  });
  expect([bounce.status, bounce.body]).toMatchObject([
    422,
    { message: expect.stringMatching(/^\p{Lu}.*\.$/u) as string },
  ]);
  expect(await kept()).toEqual(before);
});
