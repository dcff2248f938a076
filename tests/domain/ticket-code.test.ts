/** The ticket code's form: what people, wallets and keyboard readers do to it, and what must not pass. */
import * as fc from 'fast-check';
import { encodeQR } from 'qr';
import { expect, test } from 'vitest';
import { foreignTextOf } from '#server/domain/door/foreign-text.ts';
import { keptText } from '#server/domain/door/kept-text.ts';
import {
  base32Of,
  codeAlphabet,
  codeLength,
  groupCode,
  maskTicketCode,
  readTicketCode,
  writeTicketCode,
} from '#server/domain/door/ticket-code.ts';

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
const tag = fc
  .array(fc.constantFrom(...codeAlphabet), { minLength: 4, maxLength: 4 })
  .map((letters) => letters.join(''));

test('what is written is read back, however it is typed or scanned', () => {
  fc.assert(
    fc.property(tag, bytes, (eventTag, body) => {
      const code = writeTicketCode(eventTag, body);
      expect(code).toHaveLength(codeLength);
      const forms = [
        code,
        code.toLowerCase(),
        groupCode(code),
        ` ${groupCode(code).toLowerCase()}\r\n`,
        `\\000026${code}`,
        `\u001d${code}\u0000`,
        code.replaceAll('0', 'o').replaceAll('1', 'l'),
        code.replaceAll('1', 'I').replaceAll('0', 'O'),
      ];
      for (const form of forms) expect(readTicketCode(form)).toEqual({ tag: eventTag, code });
    }),
  );
});

test('a single wrong character never passes', () => {
  fc.assert(
    fc.property(
      tag,
      bytes,
      fc.nat({ max: codeLength - 1 }),
      fc.constantFrom(...codeAlphabet),
      (eventTag, body, at, character) => {
        const code = writeTicketCode(eventTag, body);
        fc.pre(code[at] !== character);
        expect(readTicketCode(code.slice(0, at) + character + code.slice(at + 1))).toBeNull();
      },
    ),
    { numRuns: 1_000 },
  );
});

test('other texts are not codes, and the reader never throws', () => {
  for (const text of [
    '',
    'https://example.org',
    '0'.repeat(30),
    '0'.repeat(32),
    'U'.repeat(31),
    'x'.repeat(5_000),
    '🎭'.repeat(20),
  ])
    expect(readTicketCode(text)).toBeNull();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      readTicketCode(text);
    }),
  );
});

test('the two spare bits must be zero: every code has one form', () => {
  const code = writeTicketCode('AAAA', new Uint8Array(16));
  expect(code.slice(0, 30)).toBe(`AAAA${'0'.repeat(26)}`);
  expect(base32Of(new Uint8Array([255]))).toBe('ZW');
});

test('of a code, however it is written, only the event’s tag and the end are kept; other texts stay', () => {
  fc.assert(
    fc.property(tag, bytes, (eventTag, body) => {
      const code = writeTicketCode(eventTag, body);
      for (const form of [code, groupCode(code).toLowerCase(), `]Q1${code}\u0000`])
        expect(maskTicketCode(form)).toBe(`${eventTag}…${code.slice(-4)}`);
      expect(readTicketCode(maskTicketCode(code))).toBeNull();
    }),
  );
  expect(maskTicketCode('https://example.com/1')).toBe('https://example.com/1');
});

test('a code inside other words is masked wherever it stands, however often', () => {
  fc.assert(
    fc.property(
      tag,
      bytes,
      fc.constantFrom('/', ' ', '?b=', '€', ''),
      (eventTag, body, between) => {
        const code = writeTicketCode(eventTag, body);
        const forms = [code, groupCode(code), code.toLowerCase()];
        for (const form of forms)
          for (const text of [
            `https://teatro.it/b${between}${form}${between}fine`,
            `${form}${between}${form}`,
            `${between}😀 ${form}`,
          ]) {
            for (const kept of [maskTicketCode(text), keptText(text)]) {
              const letters = kept.toUpperCase().replace(/[^0-9A-Z]/g, '');
              // At most its event and its end are left.
              expect(letters).not.toContain(code.slice(4, 12));
              expect(letters).not.toContain(code.slice(12, 27));
            }
          }
      },
    ),
  );
  expect(maskTicketCode('https://www.example.com/una-pagina-piuttosto-lunga')).toBe(
    'https://www.example.com/una-pagina-piuttosto-lunga',
  );
});

test('a text that admits nobody is told apart, from the text itself as from what a scan keeps of it', () => {
  fc.assert(
    fc.property(tag, bytes, fc.nat({ max: 30 }), (eventTag, body, at) => {
      const code = writeTicketCode(eventTag, body);
      const wrong = codeAlphabet[(codeAlphabet.indexOf(code[at]!) + 1) % codeAlphabet.length]!;
      const forged = code.slice(0, at) + wrong + code.slice(at + 1);
      for (const text of [code, forged, groupCode(forged).toLowerCase()])
        for (const kept of [text, maskTicketCode(text), keptText(text)])
          expect([kept, foreignTextOf(kept)]).toEqual([kept, 'code']);
      expect(foreignTextOf(`]Q1${forged}\r\n`)).toBe('code');
      for (const text of [`${forged}0`, forged.slice(1), `PRENOTAZIONE ${forged.slice(0, 19)}`])
        expect([text, foreignTextOf(text)]).toEqual([text, 'other']);
    }),
  );
  expect(foreignTextOf(null)).toBe('code');
  const texts = {
    pairing: ['https://teatro.it/scanner/#pair=0123456789abcdefghij', '#pair=0123456789abcdef'],
    address: [
      'https://www.example.it/menu',
      'HTTPS://MENU.EXAMPLE.IT/M/4711',
      'http://teatro.it/#pair=',
      'www.example.it',
      'https://teatro.it/b/7K2Q…0003',
      'menu.osteria-ai-pini.it/carta?tavolo=7',
      ' example.com:8080 ',
    ],
    other: [
      '',
      '812',
      '4006381333931',
      'Guardaroba 17',
      'WIFI:T:WPA;S:Teatro;P:platea2026;;',
      'https://non e un indirizzo',
      'BEGIN:VCARD\nURL:https://example.it\nEND:VCARD',
      '12.50',
      'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl0',
    ],
  };
  for (const [kind, all] of Object.entries(texts))
    for (const text of all)
      for (const kept of [text, keptText(text)])
        expect([text, foreignTextOf(kept)]).toEqual([text, kind]);
});

test('no link opens anything by what is kept of it, ours or another’s, wherever its secret stands', () => {
  const secret = fc
    .uint8Array({ minLength: 16, maxLength: 32 })
    .chain((all) => fc.constantFrom('base64url', 'base64', 'hex').map((as) => [all, as] as const))
    .map(([all, as]) => Buffer.from(all).toString(as))
    .filter((text) => !/\/.{0,20}\/|^.{0,15}\/|\/.{0,15}$/.test(text));
  const before = fc.constantFrom('', 'Entra: ', '😀 ', '{"url":"');
  const after = fc.constantFrom('', ' grazie', '\nfine');
  const form = fc.constantFrom<(key: string) => string>(
    (key) => `https://teatro.it/scanner/#pair=${key}`,
    (key) => `#pair=${key}`,
    (key) => `https://teatro.it/orders/${key}`,
    (key) => `https://teatro.it/orders/${key}.cVd1tKx8QJ2m`,
    (key) => `https://teatro.it/orders/${key}/pdf?x=1`,
    (key) => `https://teatro.it/i?mail=a%40b.it&key=${key}#${key}`,
    (key) => `HTTPS://TEATRO.IT/A#${key}`,
    (key) => `teatro.it/b/${key}`,
    (key) => `https://ada:${key}@teatro.it/`,
    (key) => key,
  );
  fc.assert(
    fc.property(secret, before, form, after, (key, head, write, tail) => {
      const text = head + write(key) + tail;
      const kept = keptText(text);
      // No eight characters of it in a row.
      for (let at = 0; at + 8 <= key.length; at += 1)
        expect([kept, kept.includes(key.slice(at, at + 8))]).toEqual([kept, false]);
      expect(keptText(kept)).toBe(kept);
      expect(kept.length).toBeLessThanOrEqual(text.length);
    }),
  );
  expect(
    [
      'https://teatro.it/scanner/#pair=0123456789abcdefghijkl',
      'https://teatro.it/orders/0123456789abcdefghijkl',
      'https://ada:0123456789abcdef/0123456789abcdef@teatro.it/',
      'https://teatro.it:8080/1',
      'https://menu.example.it/carta?tavolo=7',
      'https://example.com/1',
      'Guardaroba 17',
    ].map(keptText),
  ).toEqual([
    'https://teatro.it/scanner/#pair=…',
    'https://teatro.it/orders/…',
    'https://ada:…/…/',
    'https://teatro.it:8080/1',
    'https://menu.example.it/carta?…',
    'https://example.com/1',
    'Guardaroba 17',
  ]);
});

test('what is kept is no longer than the text', () => {
  const url = fc.webUrl({ withQueryParameters: true, withFragments: true });
  fc.assert(
    fc.property(fc.oneof(url, fc.string()), (text) => {
      expect(keptText(text).length).toBeLessThanOrEqual(text.length);
    }),
  );
});

test('it fits version 2-M, alphanumeric: 25 modules, which poor cameras read best', () => {
  const code = writeTicketCode(
    '7K2Q',
    new Uint8Array(16).map((_, index) => index * 17),
  );
  expect(
    encodeQR(code, 'raw', { ecc: 'medium', encoding: 'alphanumeric', border: 1 }),
  ).toHaveLength(25 + 2);
});
