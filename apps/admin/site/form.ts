/** The values of the site settings form, all as texts until they are saved. */
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import type { readSiteSettings, writeSiteSettings } from '#server/contract/site.ts';
import { legalNames, type LegalName } from '#server/domain/site/legal-names.ts';
import {
  faultsOfSite,
  spellOrganiser,
  type SiteFacts,
  type SiteFault,
} from '#server/domain/site/site.ts';
import { CallError } from '#apps/shared/api.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';

export type SiteSettings = ReplyOf<typeof readSiteSettings>;
const siteFields = [
  'name',
  'seller',
  'address',
  'vat_number',
  'tax_code',
  'rea',
  'pec',
  'email',
  'phone',
] as const;
export type SiteField = (typeof siteFields)[number];
export type SiteValues = Record<SiteField | LegalName, string>;
/** One Italian sentence per field; `form` holds what is about no field. */
export type SiteFaults = Readonly<Partial<Record<SiteField | LegalName | 'form', string>>>;

export function valuesOfSite({ name, organiser, support, legal }: SiteSettings): SiteValues {
  const { name: seller, ...numbers } = organiser;
  const known = Object.fromEntries(
    Object.entries({ name, seller, ...numbers, ...support }).map(([field, value]) => [
      field,
      value ?? '',
    ]),
  );
  return {
    ...known,
    ...Object.fromEntries(
      legalNames.map((text) => [text, legal[text].text ?? legal[text].standard]),
    ),
  } as SiteValues;
}

/** Empty fields become null; the server recognises unchanged standard texts. */
export function bodyOfSite(
  values: SiteValues,
  version: number,
): Asked<typeof writeSiteSettings>['body'] {
  const typed = (field: SiteField) => values[field].trim() || null;
  return {
    version,
    name: values.name,
    organiser: {
      name: values.seller,
      address: typed('address'),
      vat_number: typed('vat_number'),
      tax_code: typed('tax_code'),
      rea: typed('rea'),
      pec: typed('pec'),
    },
    support: { email: typed('email'), phone: typed('phone') },
    legal: Object.fromEntries(legalNames.map((text) => [text, values[text]])) as Record<
      LegalName,
      string
    >,
  };
}

const faultWords: Record<SiteFault, string> = {
  vat_number:
    'Questa partita IVA non può essere giusta: sono 11 cifre, e l’ultima controlla le altre.',
  tax_code:
    'Questo codice fiscale non può essere giusto: sono 16 caratteri, oppure 11 cifre per gli enti.',
  rea: 'Il numero REA è la sigla della provincia e un numero, per esempio VE-123456.',
  pec: 'Questo non è un indirizzo e-mail.',
  email: 'Questo non è un indirizzo e-mail.',
  phone: 'Questo non è un numero di telefono.',
};

/** The typed facts about the seller, spelled as by the server. */
export function factsOfSite(values: SiteValues): SiteFacts {
  const { organiser, support, name } = bodyOfSite(values, 0);
  return {
    name,
    organiser: spellOrganiser({
      ...organiser,
      address: organiser.address ?? null,
      vat_number: organiser.vat_number ?? null,
      tax_code: organiser.tax_code ?? null,
      rea: organiser.rea ?? null,
      pec: organiser.pec ?? null,
    }),
    support: { email: support.email ?? null, phone: support.phone ?? null },
  };
}

export function checkSite(values: SiteValues): SiteFaults {
  const facts = factsOfSite(values);
  const { name, organiser } = facts;
  return {
    ...(name.trim() === '' ? { name: 'Il sito deve avere un nome.' } : {}),
    ...(organiser.name.trim() === '' ? { seller: 'Scrivi chi vende i biglietti.' } : {}),
    ...Object.fromEntries(faultsOfSite(facts).map((field) => [field, faultWords[field]])),
  };
}

/** The server's refusals by field. */
export function faultsOfSiteAnswer(error: unknown): SiteFaults {
  const { code, detail } = error instanceof CallError ? error : { code: '', detail: null };
  if (code === 'site_invalid')
    return Object.fromEntries(
      (detail as { fields: SiteFault[] }).fields.map((field) => [field, faultWords[field]]),
    );
  if (code === 'text_placeholder_unknown') {
    const { text, names } = detail as { text: LegalName; names: string[] };
    return {
      [text]: `Segnaposto che non conosciamo: ${names.map((name) => `{${name}}`).join(', ')}.`,
    };
  }
  return { form: tellFailure(error) };
}
