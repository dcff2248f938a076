/** Who sells: numbers that cannot be right, and legal texts from their templates. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { legalHtml, legalTexts, unknownLegalPlaceholders } from '#server/domain/site/legal.ts';
import { placeCookieName } from '#server/http/queue-cookie.ts';
import { legalNames } from '#server/domain/site/legal-names.ts';
import {
  faultsOfSite,
  lacksOfSite,
  spellOrganiser,
  type SiteFacts,
} from '#server/domain/site/site.ts';
import { monitors, type Monitor } from '#server/domain/site/monitoring.ts';

const now = Date.UTC(2026, 10, 29, 12);
const bare: SiteFacts = {
  name: 'Botteghino',
  organiser: {
    name: 'Teatro',
    address: null,
    vat_number: null,
    tax_code: null,
    rea: null,
    pec: null,
  },
  support: { email: null, phone: null },
};
const full: SiteFacts = {
  name: 'Goldoni online',
  organiser: {
    name: 'Fondazione Goldoni',
    address: 'Calle dei Fabbri 1, 30124 Venezia',
    vat_number: '00743110157',
    tax_code: 'RSSMRA85T10A562S',
    rea: 'VE-123456',
    pec: 'goldoni@pec.example.it',
  },
  support: { email: 'aiuto@teatro.it', phone: '+39 041 000000' },
};

test('what is not told is no fault, but may stand in the way of a sale', () => {
  expect([faultsOfSite(bare), lacksOfSite(bare)]).toEqual([[], ['organiser_tax', 'support_email']]);
  expect([faultsOfSite(full), lacksOfSite(full)]).toEqual([[], []]);
  const wrong = {
    ...full,
    organiser: { ...full.organiser, vat_number: '1', tax_code: '2', rea: '3', pec: '4' },
    support: { email: '5', phone: 'sei' },
  };
  expect(faultsOfSite(wrong)).toEqual(['vat_number', 'tax_code', 'rea', 'pec', 'email', 'phone']);
  expect(
    spellOrganiser({
      ...full.organiser,
      vat_number: 'it 0074 3110157',
      tax_code: 'rss mra 85t10 a562s',
      rea: 've 123456',
    }),
  ).toEqual(full.organiser);
});

test('every text that comes along fills its placeholders and leaves out what nobody has told', () => {
  for (const name of legalNames) {
    expect([name, unknownLegalPlaceholders(legalTexts[name].text)]).toEqual([name, []]);
    for (const site of [bare, full])
      for (const [monitored, watched] of [
        [true, monitors],
        [true, []],
        [false, []],
      ] as const) {
        const html = legalHtml(legalTexts[name].text, { site, now, monitored, watched });
        expect([
          name,
          /[{}]|\bnull\b|undefined|<\/h2>(?:<h2>|$)|<p><\/p>|<ul><\/ul>|## /.exec(html),
        ]).toEqual([name, null]);
        expect(html).not.toMatch(/\b(E'|perchè|un pò|qual'è)/);
      }
  }
  const terms = legalHtml(legalTexts.terms.text, {
    site: full,
    now,
    monitored: false,
    watched: [],
  });
  expect(terms).toContain(
    '<p>I biglietti sono venduti da Fondazione Goldoni.<br>Sede: Calle dei Fabbri 1, 30124 Venezia<br>P. IVA 00743110157</p>',
  );
  expect(terms).toContain('<a href="mailto:aiuto@teatro.it">aiuto@teatro.it</a>');
  // RULES W4.
  expect(terms).toContain('entro 10 giorni dall’acquisto');
  expect(terms).toContain('nei 15 giorni che precedono l’evento non sono rimborsabili');
  expect(terms).toContain('10 giorni lavorativi');
  expect(
    legalHtml(legalTexts.terms.text, { site: bare, now, monitored: false, watched: [] }),
  ).not.toContain('P. IVA');
  expect(legalTexts.privacy.updated_on).toBe('2024-08-05');
});

test('the cookie page names every cookie that the site sets for visitors', () => {
  // The office's own is described, not named: its name begins with the host's prefix.
  expect(legalTexts.cookies.text).toContain(`«${placeCookieName}»`);
});

test('the cookie page speaks of a banner where there is one, and of the services that may run', () => {
  const cookies = (monitored: boolean, watched: readonly Monitor[]) =>
    legalHtml(legalTexts.cookies.text, { site: full, now, monitored, watched });
  expect(cookies(false, [])).toContain('non vedi nessun banner');
  expect([
    cookies(false, []).includes('misuriamo'),
    cookies(true, []).includes('misuriamo, senza cookie'),
  ]).toEqual([false, true]);
  const asked = cookies(true, ['errors', 'statistics']);
  expect(
    [
      'partono soltanto se li accetti',
      'segnalazione degli errori',
      'conteggio delle visite',
      'sei mesi',
      'nessun banner',
      'tempi di caricamento',
    ].map((words) => asked.includes(words)),
  ).toEqual([true, true, true, true, false, false]);
});

test('a text is headings, lists, paragraphs and links; whatever else it holds is shown and never obeyed', () => {
  const html = (text: string) =>
    legalHtml(text, { site: full, now, monitored: false, watched: [] });
  expect(html('## Uno\nDue\n\n- tre\n- quattro\n\nCinque\nsei')).toBe(
    '<h2>Uno</h2><p>Due</p><ul><li>tre</li><li>quattro</li></ul><p>Cinque<br>sei</p>',
  );
  expect(html('Vedi https://teatro.it/a?b=1&c=2.')).toBe(
    '<p>Vedi <a href="https://teatro.it/a?b=1&amp;c=2">https://teatro.it/a?b=1&amp;c=2</a>.</p>',
  );
  expect(unknownLegalPlaceholders('{email} {Email} {} {__proto__} { x }')).toEqual([
    'Email',
    '',
    '__proto__',
  ]);
  const tags = /<(?!\/?(?:h2|p|ul|li)>|br>|\/a>|a href="(?:mailto:[^"<>]+|https?:\/\/[^"<>]+)">)/;
  const piece = fc.constantFrom(
    '<script>',
    '"',
    "'",
    '>',
    '&',
    'javascript:alert(1)',
    'https://x.it/"onload="',
    'a@b.it"><img>',
    '\n',
    '\n\n',
    '## ',
    '- ',
    '{email}',
    '{constructor}',
    ' ',
    'è',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      (text) => !tags.test(html(text)),
    ),
    { numRuns: 1_000 },
  );
});
