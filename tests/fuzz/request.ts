/** One request for an operation, right, nearly right or broken: path, query, headers, body. */
import { gzipSync } from 'node:zlib';
import type { Operation } from './document.ts';
import { fitting, spoil, strange, type Making } from './values.ts';

export interface Request {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

const brokenNames = [
  '%00',
  '%ff',
  '..',
  '%2e%2e%2f',
  '%2e%2e',
  '%5c..%5c',
  'a'.repeat(3_000),
  "'%20OR%201=1--",
  '%E0%A4%A',
  '%',
  '%20',
  '%0d%0aX-Y:%20z',
  '__proto__',
  'constructor',
  '-1',
  '1e9',
  '%F0%9F%8E%AD',
];
const brokenQueries = [
  '?limit=0',
  '?limit=1e3',
  '?limit=99&limit=1',
  '?limit[]=5&q[a]=b',
  '?cursor=%00',
  '?cursor=eyJ9',
  '?q=%FF%FE',
  '?q=%25%5F%5C',
  `?q=${'x'.repeat(9_000)}`,
  '?__proto__[x]=1&constructor=2',
  '?since=-1&after=NaN&day=2027-99-99',
  '?&&&=&=a&%',
];
const brokenHeaders: Record<string, string>[] = [
  { accept: 'text/html' },
  { accept: '*/*;q=0' },
  { 'accept-encoding': '*;q=0' },
  { 'accept-language': 'x'.repeat(4_000) },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'yesterday' },
  { range: 'bytes=9-1,-5,0-' },
  { cookie: `a=${'b'.repeat(6_000)}; sid=%00; sid=x` },
  { cookie: 'sid=; __Host-sid=../../; device="' },
  { authorization: `Bearer ${'x'.repeat(4_000)}` },
  { authorization: 'Basic Og==' },
  { host: 'evil.example' },
  { host: '[::1' },
  { origin: 'null' },
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'x-forwarded-for': '127.0.0.1, ::1', 'x-forwarded-proto': 'https', forwarded: 'for=_x' },
  { 'x-http-method-override': 'DELETE' },
  { 'idempotency-key': '\u00ff'.repeat(300) },
  { 'user-agent': '' },
  { expect: '200-ok' },
];

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function pathOf(operation: Operation, { chance, pool, careful, onlyReal }: Making): string {
  // `/orders/{orderId}/notes/{noteId}`: a note of this order.
  const last = /\{(\w+)\}(?!.*\{)/.exec(operation.path)?.[1] ?? '';
  const rows = onlyReal || last === 'eventId' ? [] : (pool.rows.get(snake(last)) ?? []);
  const row = careful && rows.length > 0 ? chance.one(rows) : {};
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const own = name === last ? row['id'] : row[snake(name)];
    if (own !== undefined) return encodeURIComponent(String(own));
    if (!careful && !onlyReal && chance.is(0.1)) return chance.one(brokenNames);
    const real = pool.real.get(snake(name)) ?? [];
    const isReal = real.length > 0 && (onlyReal || chance.is(0.8));
    const known = isReal ? chance.one(real) : pool.some(snake(name), chance);
    return encodeURIComponent(String(known ?? pool.some('id', chance) ?? 'x').toWellFormed());
  });
}

function queryOf(operation: Operation, making: Making): string {
  const { chance, careful } = making;
  if (!careful && chance.is(0.1)) return chance.one(brokenQueries);
  const asked = operation.parameters.filter(
    (parameter) => parameter.in === 'query' && (parameter.required || chance.is(0.4)),
  );
  const pairs = asked.map(({ name, schema }) => {
    const value = !careful && chance.is(0.2) ? chance.one(strange) : fitting(schema, name, making);
    return `${name}=${encodeURIComponent(String(typeof value === 'object' ? JSON.stringify(value) : value).toWellFormed())}`;
  });
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** JSON that parsers read in different ways, or not at all. */
function brokenText(text: string, { chance }: Making): Buffer {
  const bytes = Buffer.from(text);
  return chance.one([
    () => bytes.subarray(0, chance.below(bytes.length + 1)),
    () => Buffer.concat([Buffer.from([0xff, 0xfe]), bytes]),
    () => Buffer.concat([Buffer.from('\ufeff'), bytes]),
    () => Buffer.from(text.replace(/"[^"]*"/, '"\ud800"').replace(':', ':"\\ud800",""\\u0000":')),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(text.replace(/"([^"]*)"$/, '"\xff"'), 'latin1'),
    () => Buffer.from('['.repeat(30_000)),
    () => Buffer.from(`${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`),
    () => Buffer.from(text.replace(/\d+/, '1e400')),
    () => Buffer.from(text.replace(/\{/, '{"__proto__":{"role":"admin"},"constructor":{},')),
    () => Buffer.from(text.replace(/^\{(".*?":[^,}]*)/, '{$1,$1,$1')),
    () => Buffer.from(text.replaceAll('"', "'")),
    () => Buffer.from(`[${text}]`),
    () => Buffer.from('null'),
    () => Buffer.alloc(0),
  ])();
}

function formBody(
  fields: Record<string, unknown>,
  { chance }: Making,
): { type: string; body: Buffer } {
  const boundary = 'xYzFuzz';
  const files = [
    '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
    'GIF89a/*<script>*/',
    '\x89PNG\r\n\x1a\n',
    '%PDF-1.4',
    '',
  ];
  const parts = Object.entries(fields).map(([name, value]) =>
    name === 'file'
      ? `Content-Disposition: form-data; name="file"; filename="${chance.one(['a.svg', '../../a.png', 'a%00.png', 'ò.jpg'])}"\r\nContent-Type: ${chance.one(['image/png', 'image/svg+xml', 'text/html'])}\r\n\r\n${chance.one(files)}`
      : `Content-Disposition: form-data; name="${name}"\r\n\r\n${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const text = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('');
  const end = chance.is(0.9) ? `--${boundary}--\r\n` : '';
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.from(text + end, 'latin1'),
  };
}

function bodyOf(operation: Operation, making: Making): { type?: string; body: Buffer | null } {
  const { chance, careful } = making;
  const content = operation.requestBody?.content;
  if (!content) return { body: chance.is(0.05) ? Buffer.from('{"x":1}') : null };
  const [[type, { schema }]] = Object.entries(content) as [[string, { schema: object }]];
  let value = fitting(schema, '', making);
  for (let times = careful ? 0 : chance.one([0, 1, 1, 2, 3]); times > 0; times -= 1)
    value = spoil(value, chance);
  if (type.startsWith('multipart'))
    return formBody((value ?? {}) as Record<string, unknown>, making);
  const text = JSON.stringify(value) ?? 'null';
  return { type, body: !careful && chance.is(0.12) ? brokenText(text, making) : Buffer.from(text) };
}

const otherTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json; charset=',
  'application/merge-patch+json',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  ';;;',
  '',
];

export function makeRequest(
  operation: Operation,
  credentials: Record<string, string>,
  making: Making,
): Request {
  const { chance, careful, pool } = making;
  const { type, body } = bodyOf(operation, making);
  const headers: Record<string, string> = { ...credentials, 'x-requested-with': 'fetch' };
  const waits = /\/(?:queue|book$)/.test(operation.path);
  const place = waits ? pool.some('place_cookie', chance) : undefined;
  if (headers['cookie'] === undefined && place !== undefined) headers['cookie'] = String(place);
  if (type !== undefined)
    headers['content-type'] = !careful && chance.is(0.1) ? chance.one(otherTypes) : type;
  if (!careful && chance.is(0.2)) Object.assign(headers, chance.one(brokenHeaders));
  const packed = body && !careful && chance.is(0.02);
  if (packed) headers['content-encoding'] = chance.one(['gzip', 'br', 'identity', 'x']);
  return {
    method:
      !careful && chance.is(0.04)
        ? chance.one(['OPTIONS', 'HEAD', 'PATCH', 'PROPFIND', 'PUT', 'DELETE', 'QUERY'])
        : operation.method,
    target: pathOf(operation, making) + queryOf(operation, making),
    headers,
    body: packed ? gzipSync(body) : body,
  };
}
