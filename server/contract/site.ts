/**
 * The seller, the contacts and the legal texts, on the wire: for every page, and for the office
 * that writes them.
 */
import * as v from 'valibot';
import { legalNames, type LegalName } from '#server/domain/site/legal-names.ts';
import { endpoint, text, timeIn, timeOut, trimmed } from './endpoint.ts';

/** An empty or blank text means: unknown. */
const line = (max: number) =>
  v.nullable(
    v.pipe(
      text(max),
      v.transform((value) => value.trim() || null),
    ),
  );
const name = (max: number) => trimmed(max, 1);
const told = v.nullable(v.string());

/** Every legal text with its entry. */
const each = <S extends v.GenericSchema>(schema: S) =>
  v.object(Object.fromEntries(legalNames.map((legal) => [legal, schema])) as Record<LegalName, S>);

/**
 * Monitoring services that are switched on; all of this is public. `rum.url` takes POSTs of
 * events.
 */
const monitoring = v.object({
  rum: v.nullable(v.object({ url: v.string(), client_key: v.string() })),
  sentry: v.nullable(v.object({ dsn: v.string() })),
  analytics: v.nullable(v.object({ script_url: v.string(), site_key: v.string() })),
});

const facts = v.object({
  name: v.string(),
  organiser: v.object({
    name: v.string(),
    address: told,
    vat_number: told,
    tax_code: told,
    rea: told,
    pec: told,
  }),
  support: v.object({ email: told, phone: told }),
});

/**
 * The look of the house. `accent`: the colour of the house as `#rrggbb`, one that is readable on
 * light pages and one on dark; null: the product's own. `hours`: lines of text.
 */
const shown = v.object({
  logo: v.nullable(v.object({ url: v.string(), width: v.number(), height: v.number() })),
  accent: v.nullable(v.object({ light: v.string(), dark: v.string() })),
  hours: told,
});

/**
 * The public facts for every page. `updated_on` is a day, `YYYY-MM-DD`, null where a text has
 * none. `monitoring` null: there is none.
 */
export const readSite = endpoint('GET', '/api/site/', {
  who: 'public',
  summary: 'Who sells, contacts and names of the legal texts',
  reply: v.object({
    ...facts.entries,
    ...shown.entries,
    legal: each(v.object({ title: v.string(), path: v.string(), updated_on: told })),
    monitoring: v.nullable(monitoring),
  }),
});

/**
 * `trial`: what is not real here; null where the house sells for real money, even if the seat map
 * is our own. `fee_price_id`: the presale fee of new shows. `maintenance_since`: since then the
 * site is closed and nothing is sold. `gap`: it began with a restore, and this time is not in the
 * copy.
 */
const house = v.object({
  name: v.string(),
  version: v.string(),
  ...shown.entries,
  fee_price_id: told,
  maintenance_since: v.nullable(timeOut),
  gap: v.nullable(v.object({ from: timeOut, to: timeOut })),
  trial: v.nullable(
    v.object({
      payments: v.picklist(['standin', 'test_key']),
      seats: v.nullable(v.literal('standin')),
    }),
  ),
});

export const readHouse = endpoint('GET', '/api/admin/house', {
  who: 'own_account',
  summary: 'Name, logo and colour of the house, its program’s version, and whether it is a trial',
  reply: house,
});

/** `since`: the `maintenance_since` that the person has seen. Repeated, it changes nothing. */
export const endMaintenance = endpoint('POST', '/api/admin/house/maintenance/end', {
  who: 'change_site',
  refusals: ['maintenance_changed'],
  summary: 'Open the site and the sale again after maintenance or a restore',
  body: v.object({ since: timeIn }),
  reply: house,
});

/**
 * It is a call of its own, because few visitors read a legal text. `html` is made by the server,
 * of h2, p, ul, li, br and a. An unknown name: not_found.
 */
export const readLegal = endpoint('GET', '/api/site/legal/:legalName', {
  who: 'public',
  summary: 'One of the legal texts: terms, privacy, cookies or accessibility',
  reply: v.object({ title: v.string(), html: v.string(), updated_on: told }),
});

/**
 * `text` null: the built-in text applies, which is in `standard`. The next PUT sends `version`
 * back. `lacks`: what the law requires before a sale and is still missing.
 */
const siteForOffice = v.object({
  version: v.number(),
  ...facts.entries,
  legal: each(
    v.object({
      title: v.string(),
      path: v.string(),
      text: told,
      standard: v.string(),
      updated_on: told,
    }),
  ),
  lacks: v.array(v.picklist(['organiser_tax', 'support_email'])),
});

export const readSiteSettings = endpoint('GET', '/api/admin/site', {
  who: 'change_site',
  summary: 'The site settings as they were written',
  reply: siteForOffice,
});

/**
 * The whole form. `site_invalid` names the wrong `fields`, `text_placeholder_unknown` the `text`
 * and the names in braces that are unknown.
 */
export const writeSiteSettings = endpoint('PUT', '/api/admin/site', {
  who: 'change_site',
  refusals: ['site_changed', 'site_invalid', 'text_placeholder_unknown'],
  summary: 'Change who sells, contacts and legal texts',
  body: v.object({
    version: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31)),
    name: name(80),
    organiser: v.object({
      name: name(200),
      address: line(300),
      vat_number: line(40),
      tax_code: line(40),
      rea: line(40),
      pec: line(254),
    }),
    support: v.object({ email: line(254), phone: line(30) }),
    legal: each(v.nullable(text(12_000))),
  }),
  reply: siteForOffice,
});
