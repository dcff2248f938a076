/** Letters to buyers: their words, their links, and nothing in them that somebody else has written as code. */
import { domainToASCII, domainToUnicode } from 'node:url';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mailHtml, mailText } from '#server/domain/mail/mail-body.ts';
import {
  addressKey,
  isMailAddress,
  mailLink,
  spellAddress,
} from '#server/domain/text/mail-address.ts';
import {
  holderMailKinds,
  orderMailKinds,
  mailTroubles,
  readTrouble,
  spellTrouble,
  type OrderMailKind,
} from '#server/domain/mail/kinds.ts';
import { writeHolderMail } from '#server/domain/mail/holder-mail.ts';
import { writeOrderMail } from '#server/domain/mail/mail.ts';
import { type MailFacts } from '#server/domain/mail/order-facts.ts';

const starts_at = Date.UTC(2026, 10, 21, 20);
const facts: MailFacts = {
  codes_replaced: false,
  buyer_name: 'Niccolò D’Amico',
  order: {
    number: 'A7K2-9QX4',
    url: 'https://teatro.it/orders/abc',
    calendar_url: 'https://teatro.it/api/orders/abc/calendar.ics',
    pdf_url: 'https://teatro.it/api/orders/abc/tickets.pdf',
    total_cents: 123450,
    fee_cents: 600,
    service_cents: 0,
    paid_cents: 123450,
    refunded_cents: 0,
    paid_by_hand: false,
    together: [],
    pay_by: starts_at - 86_400_000,
    confirmed_at: Date.UTC(2026, 10, 3, 9),
    checkout_open: true,
    click_url: 'https://teatro.it/orders/abc#ZGllIEthcnRlbiBzaW5k',
    kept_until: starts_at - 15 * 60_000,
  },
  event: {
    title: 'La locandiera',
    url: 'https://teatro.it/event/la-locandiera',
    starts_at,
    doors_at: starts_at - 45 * 60_000,
    venue_title: 'Teatro Goldoni, Venezia',
    venue_address: 'Corte del Teatro 4, 30124 Venezia',
    terms: 'Niente foto in sala.',
    nominative: false,
    names_missing: 0,
    names_due: starts_at - 86_400_000,
  },
  seats: ['Platea, fila 8, posto 14', 'Platea, fila 8, posto 15'],
  trial: false,
  refund_policy: 'Puoi chiedere il rimborso fino al 13 novembre.',
  change_rule: 'Il biglietto è personale e non cedibile.',
  exchange_rule: null,
  reentry_rule: 'Chi esce non può rientrare.',
  refund: {
    amount_cents: 5400,
    seats: ['Platea, fila 8, posto 15'],
    voids_tickets: true,
    by_hand: false,
    refusal: 'La richiesta è arrivata dopo il termine',
  },
  ended: {
    origin: 'office',
    seats: ['Platea, fila 8, posto 15'],
    value_cents: 5400,
    given_back_cents: 0,
    failed: false,
    disputed: false,
  },
  unreached: ['Bruno Bianchi (Platea, fila 8, posto 15)'],
  postponement: {
    from_starts_at: starts_at - 21 * 86_400_000,
    answer_by: starts_at - 7 * 86_400_000,
    if_silent: 'keep',
    reason: null,
  },
  cancellation: {
    answer_by: starts_at + 7 * 86_400_000,
    refund_cents: 5400,
    other_date: true,
    reason: null,
  },
  gift: { left_at: starts_at, payments: ['carta, 54,00 €'] },
  holder: { to: 'buyer', name: 'Anna Verdi', url: null },
  moved: [{ from: 'Platea, fila 8, posto 14', to: 'Platea, fila 2, posto 3' }],
  organiser: { name: 'Teatro Goldoni', email: 'assistenza@teatro.it', phone: '+39 041 000000' },
};
const both = (kind: OrderMailKind, changes: Partial<MailFacts> = {}) => {
  const body = writeOrderMail(kind, { ...facts, ...changes });
  return { subject: body.subject, text: mailText(body), html: mailHtml(body) };
};
/** What is read of an HTML text. */
const wordsOf = (html: string) =>
  html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<\/?strong>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ');

test('the letter with tickets of another date says which evening and order they replace', () => {
  const replaces = { starts_at: starts_at - 86_400_000, number: 'B2C3-4D5E' };
  const said =
    'Sono al posto dei biglietti di venerdì 20 novembre 2026, ore 21:00, ordine n. B2C3-4D5E: quelli non valgono più.';
  expect(both('tickets', { replaces }).text).toContain(said);
  expect(wordsOf(both('tickets', { replaces }).html)).toContain(said);
  expect(both('tickets').text).not.toContain('al posto dei biglietti');
});

test('the letter with the tickets says everything that is needed on the evening', () => {
  const { subject, text, html } = both('tickets');
  expect(subject).toBe('I tuoi biglietti per La locandiera – sabato 21 novembre 2026, ore 21:00');
  for (const words of [
    'Ciao Niccolò D’Amico,',
    'La locandiera',
    'sabato 21 novembre 2026, ore 21:00',
    'apertura porte alle 20:15',
    'Teatro Goldoni, Venezia',
    'Corte del Teatro 4, 30124 Venezia',
    ...facts.seats,
    'Ordine n. A7K2-9QX4',
    'Totale 1.234,50\u00a0€ (di cui 6,00\u00a0€ di prevendita)',
    'Confermato il 03/11/2026',
    'non valido ai fini fiscali',
    'diritto di recesso',
    'assistenza@teatro.it',
    '+39 041 000000',
    'una sola entrata',
  ])
    expect([
      words,
      text.includes(words),
      wordsOf(html).includes(words.replace(/\s+/g, ' ')),
    ]).toEqual([words, true, true]);
  for (const url of [facts.order.url, facts.order.pdf_url, facts.order.calendar_url])
    expect([url, text.includes(url), html.includes(`href="${url}"`)]).toEqual([url, true, true]);
});

test('an Arabic name or title does not reorder the sentence around it', () => {
  const event = { ...facts.event, title: 'البخيل 3' };
  const { subject, text, html } = both('tickets', { buyer_name: 'محمد علي', event });
  for (const [where, words] of [
    [subject, 'per \u2068البخيل 3\u2069 – '],
    [text, 'Ciao \u2068محمد علي\u2069,'],
    [text, '\u2068البخيل 3\u2069'],
    [html, 'Ciao \u2068محمد علي\u2069,'],
    [html, '<strong>\u2068البخيل 3\u2069</strong>'],
  ] as const)
    expect(where).toContain(words);
  expect(both('tickets').text).not.toMatch(/[\u2068\u2069]/);
});

test('the other letters say what happened, with sums and times', () => {
  expect(both('awaiting').subject).toBe(
    'Completa il pagamento: i tuoi posti sono riservati fino alle 21:00',
  );
  expect(both('awaiting', { order: { ...facts.order, checkout_open: false } }).subject).toBe(
    'Pagamento in corso di verifica: La locandiera',
  );
  expect(both('cancelled').subject).toBe('Il tuo ordine è stato annullato');
  expect(both('refunded')).toMatchObject({
    subject: 'Abbiamo rimborsato 54,00\u00a0€',
    text: expect.stringContaining('fino a 10 giorni lavorativi'),
  });
  expect(both('refunded').text).toContain(
    'Biglietto rimborsato: Platea, fila 8, posto 15\n\nQuesto biglietto non vale più',
  );
  expect(
    both('refunded', { refund: { ...facts.refund!, voids_tickets: false, by_hand: true } }).text,
  ).not.toMatch(/non vale |non valgono|giorni lavorativi/);
  expect(both('refund_refused').text).toContain('Motivo: La richiesta è arrivata dopo il termine');
  expect(both('late_refunded').text).toContain('Ti rimborsiamo per intero 54,00\u00a0€');
  expect(both('late_refunded', { refund: null }).subject).toContain('1.234,50\u00a0€');
  expect(both('event_changed').subject).toBe(
    'Novità per La locandiera: sabato 21 novembre 2026, ore 21:00',
  );
  expect(both('event_changed').text).toContain(facts.order.pdf_url);
  // Without a name there is no paper: the letter leads to where it is given.
  const unnamed = both('event_changed', {
    event: { ...facts.event, nominative: true, names_missing: 2 },
  });
  for (const text of [unnamed.text, unnamed.html])
    expect([
      text.includes('mancano 2 nomi'),
      text.includes(facts.order.url),
      text.includes(facts.order.pdf_url),
      text.includes('non devi fare nulla'),
      text.includes(facts.order.calendar_url),
    ]).toEqual([true, true, false, false, true]);
  expect(both('event_cancelled').text).toContain('Il rimborso è automatico');
  expect(both('event_cancelled', { order: { ...facts.order, paid_by_hand: true } }).text).toContain(
    'passa in biglietteria',
  );
  // A letter promises only money that comes: none of a free order, or of one paid back earlier.
  for (const [refunded_cents, refund, words] of [
    [0, null, null],
    [12_000, null, 'Ti abbiamo già restituito 120,00'],
    [12_000, { ...facts.refund!, amount_cents: 0 }, 'Ti abbiamo già restituito 120,00'],
  ] as const) {
    const order = { ...facts.order, refunded_cents };
    const { text } = both('event_cancelled', { order, refund });
    expect([text.includes('rimborso'), text.includes(words ?? '')]).toEqual([false, true]);
    expect(text.includes('restituito')).toBe(words !== null);
  }
});

test('the letter about tickets that ended says what becomes of the money, and nothing of it where they were free', () => {
  const [refund, ended] = [facts.refund!, facts.ended!];
  const none = { ...refund, amount_cents: 0 };
  for (const [changes, words] of [
    [{ refund }, 'Ti restituiamo 54,00\u00a0€: passa in biglietteria'],
    [{ ended: { ...ended, failed: true } }, 'Il rimborso di 54,00\u00a0€ non è ancora riuscito'],
    [{ refund: none }, 'Non è previsto un rimborso.'],
    [{ refund: none, ended: { ...ended, disputed: true } }, 'contestato presso la banca'],
    [
      { refund: none, ended: { ...ended, given_back_cents: 500 } },
      'già restituito 5,00\u00a0€: non',
    ],
    [
      { refund: none, ended: { ...ended, given_back_cents: 123450 } },
      'ti è già stato restituito: 1.234,50\u00a0€.',
    ],
    [{ ended: { ...ended, origin: 'buyer' } }, 'come hai chiesto, questo biglietto per'],
  ] satisfies [Partial<MailFacts>, string][])
    expect(both('tickets_ended', changes).text).toContain(words);
  const free = both('tickets_ended', { refund: none, ended: { ...ended, value_cents: 0 } });
  expect(free.text).not.toMatch(/rimbors|restitu/);
  for (const kind of [
    'tickets_ended',
    'event_cancelled',
    'event_postponed',
    'event_changed',
  ] as const)
    expect([kind, both(kind).text]).toEqual([kind, expect.stringContaining('Bruno Bianchi (')]);
});

test('a holder’s own letter is whole, says no sum and opens no order', () => {
  for (const kind of holderMailKinds) {
    const { event, seats, postponement, organiser } = facts;
    const { subject, blocks } = writeHolderMail(kind, {
      event,
      seats,
      postponement,
      organiser,
      name: 'Anna Verdi',
      links: [],
    });
    const text = mailText({ subject, blocks });
    expect([
      kind,
      text.split('\n')[0],
      text.match(/€|https?:|undefined|\bnull\b|\[object/),
    ]).toEqual([kind, 'Ciao Anna Verdi,', null]);
    expect([kind, text]).toEqual([kind, expect.stringContaining(seats[0]!)]);
    expect([kind, text]).toEqual([kind, expect.stringContaining('assistenza@teatro.it')]);
  }
});

test('no letter has a hole, a leftover placeholder or careless Italian', () => {
  for (const kind of orderMailKinds) {
    for (const changes of [
      {},
      {
        buyer_name: null,
        seats: [],
        refund: { ...facts.refund!, refusal: null, seats: [] },
        organiser: { name: 'T', email: null, phone: null },
      },
      { event: { ...facts.event, venue_title: '', doors_at: null } },
    ]) {
      const { subject, text, html } = both(kind, changes);
      for (const words of [subject, text, wordsOf(html)])
        expect([
          kind,
          words.match(
            /undefined|\bnull\b|NaN|\[object|[{}]|'|\bE’ |perchè|un pò|qual’è| {2}\S| ,|\.\./,
          )?.[0],
        ]).toEqual([kind, undefined]);
      expect([kind, subject.length > 10, subject.length < 250, subject.includes('\n')]).toEqual([
        kind,
        true,
        true,
        false,
      ]);
      expect(html.startsWith('<!DOCTYPE html>\n<html lang="it">')).toBe(true);
    }
  }
});

test('both forms of a letter say the same', () => {
  const letters = (words: string) =>
    words
      .normalize('NFKC')
      .replace(/https?:\S+|———/g, '')
      .replace(/[^\p{L}\p{N}€]+/gu, '');
  for (const kind of orderMailKinds)
    expect([kind, letters(wordsOf(both(kind).html))]).toEqual([kind, letters(both(kind).text)]);
});

test('what somebody else wrote stays words', () => {
  const evil = '<script>alert("x")</script>\r\nBcc: a@b.it & \'c\'';
  for (const kind of orderMailKinds) {
    const { subject, html } = both(kind, {
      event: { ...facts.event, title: evil, venue_title: evil },
      seats: [evil],
      refund: { ...facts.refund!, refusal: evil, seats: [evil] },
      organiser: { name: evil, email: evil, phone: evil },
    });
    expect([kind, html.match(/<script|<\/script/i), /[\r\n]/.test(subject)]).toEqual([
      kind,
      null,
      false,
    ]);
  }
  const long = 'Ω'.repeat(5_000);
  expect(both('tickets', { event: { ...facts.event, title: long } }).subject.length).toBeLessThan(
    200,
  );
});

test('only what looks like a name is greeted: a letter that we sign carries nobody’s advertising', () => {
  const greeting = (buyer_name: string | null) =>
    both('tickets', { buyer_name }).text.split('\n')[0];
  for (const name of [
    'Eva',
    'Niccolò D’Amico',
    'Ευγενία Παπαδοπούλου',
    "Jean-Luc O'Neil",
    'Anna M. Rossi',
    '  Eva   Neri ',
  ])
    expect(greeting(name)).toBe(`Ciao ${name.trim().replace(/\s+/g, ' ')},`);
  for (const name of [
    null,
    '',
    'Vinci 1000 euro su http://truffa.example',
    'www.truffa.example',
    'Eva <b>',
    'a'.repeat(61),
    'Eva\u202eavE',
    '4242 4242',
  ])
    expect([name, greeting(name)]).toEqual([name, 'Ciao,']);
});

test('an address is one address', () => {
  for (const [typed, spelled = typed] of [
    ['eva@example.it'],
    ['eva.neri+teatro@sub.example.co.uk'],
    ["p.d'angelo@comune.example.it"],
    ["!#$%&'*+/=?^_`{|}~-@b.it"],
    ['a..b.@b_c.it'],
    ['info@città.it'],
    ['info@xn--citt-3na.it', 'info@città.it'],
    ['Info@CITTA\u0300.IT', 'Info@città.it'],
    ['NICOLO\u0300@città.it', 'nicolò@città.it'],
    ['a@straße.example', 'a@straße.example'],
    ['a@xn--e1afmkfd.xn--p1ai', 'a@пример.рф'],
    // A Cyrillic а among Latin letters, a heart, and Punycode that leads nowhere.
    ['a@te\u0430tro.it', 'a@xn--tetro-5ve.it'],
    ['a@i❤.example', 'a@xn--i-7iq.example'],
    ['a@xn--99999999.it', 'a@xn--99999999.it'],
    [`${'a'.repeat(64)}@b.it`],
    [`${'ò'.repeat(32)}@b.it`],
    [`a@${`${'b'.repeat(62)}.`.repeat(4).slice(0, 249)}.it`],
  ] as [string, string?][])
    expect([typed, isMailAddress(typed), spellAddress(typed)]).toEqual([typed, true, spelled]);
  for (const address of [
    '',
    'eva',
    'eva@',
    '@example.it',
    'eva@example',
    'a@b.it, c@d.it',
    'a@b.it\r\nBcc: c@d.it',
    'Eva <a@b.it>',
    '"a b"@c.it',
    'a b@c.it',
    `${'a'.repeat(65)}@b.it`,
    `a@${'b'.repeat(260)}.it`,
    'a@b.it\u0000',
    'a@b@c.it',
    'a@b.it\u2028Bcc: c@d.it',
    'a\u202e@b.it',
    'a\u037eb@c.it',
    'a@exam\u00adple.it',
    'a@b.it:25',
    'a@b.it/c.example',
    'a@b.it?x=d.it',
    'a@b.it#',
    'a@b.it\\c.it',
    'a@b%2ec.it',
    'a@evil\uff0fb.it',
    'a@b.it.',
    'a@.b.it',
    'a@-b.it',
    'a@127.0.0.1',
    'a@0x7f.1',
    'a@[127.0.0.1]',
    `a@${'b'.repeat(64)}.it`,
    `${'ò'.repeat(33)}@b.it`,
    `${'a'.repeat(64)}@${`${'b'.repeat(62)}.`.repeat(3)}it`,
    '\ud800@b.it',
  ])
    expect([address, isMailAddress(address), spellAddress(address)]).toEqual([
      address,
      false,
      address,
    ]);
});

test('a link to an address writes to it alone', () => {
  const address = 'a?bcc=v&body=x#y%2c@città.it';
  expect(isMailAddress(address)).toBe(true);
  const { search, hash, pathname } = new URL(mailLink(address));
  expect([search, hash, decodeURIComponent(pathname)]).toEqual(['', '', address]);
});

test('all spellings of an address are one key, also for LOWER of a database', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'aZ0éÈßıİΣςжЖ-'),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(letters, letters, (local, label) => {
      const address = `${local}@${label}.it`;
      fc.pre(isMailAddress(address));
      const domain = domainToASCII(`${label}.it`);
      for (const spelling of [
        `${local}@${domain}`,
        `${local}@${domainToUnicode(domain)}`,
        `${local}@${label}.IT`.normalize('NFD'),
        spellAddress(address),
      ])
        expect(addressKey(spelling)).toBe(addressKey(address));
      const lower = spellAddress(address).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
      expect(lower).toBe(addressKey(address));
    }),
  );
});

test('a trouble is read back as it was written', () => {
  for (const trouble of mailTroubles) {
    expect(readTrouble(spellTrouble(trouble))).toEqual({ trouble, said: null });
    expect(readTrouble(spellTrouble(trouble, '550: no such user'))).toEqual({
      trouble,
      said: '550: no such user',
    });
  }
  expect(readTrouble(null)).toBe(null);
});
