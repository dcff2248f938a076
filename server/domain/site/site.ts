/**
 * The seller’s data and contacts, which the law requires on every page: their fields and possible
 * faults.
 */
import type { LegalName } from './legal-names.ts';
import { isTaxCode, isVatNumber } from '#server/domain/papers/tax-codes.ts';
import { isMailAddress } from '#server/domain/text/mail-address.ts';

/**
 * `address`, `vat_number` (P. IVA), `tax_code` (codice fiscale), `rea` and `pec` are null where
 * they do not exist or are not known yet.
 */
interface Organiser {
  name: string;
  address: string | null;
  vat_number: string | null;
  tax_code: string | null;
  rea: string | null;
  pec: string | null;
}

export interface SiteFacts {
  name: string;
  organiser: Organiser;
  support: { email: string | null; phone: string | null };
}

/** The house's own legal texts; null: the built-in text. */
export type LegalDrafts = Record<LegalName, string | null>;

const siteFaults = ['vat_number', 'tax_code', 'rea', 'pec', 'email', 'phone'] as const;
/** The field with a fault. */
export type SiteFault = (typeof siteFaults)[number];

/** Gives numbers one spelling: capital letters, no spaces, no country code. */
export function spellOrganiser(organiser: Organiser): Organiser {
  const squeeze = (text: string | null) => text?.replace(/\s/g, '').toUpperCase() ?? null;
  return {
    ...organiser,
    vat_number: squeeze(organiser.vat_number)?.replace(/^IT(?=\d)/, '') ?? null,
    tax_code: squeeze(organiser.tax_code),
    rea: squeeze(organiser.rea)?.replace(/^([A-Z]{2})-?(?=\d)/, '$1-') ?? null,
  };
}

/** Empty fields are not faults: a seller without a P. IVA leaves that field empty. */
export function faultsOfSite({ organiser, support }: SiteFacts): SiteFault[] {
  const right: Record<SiteFault, boolean> = {
    vat_number: organiser.vat_number === null || isVatNumber(organiser.vat_number),
    tax_code: organiser.tax_code === null || isTaxCode(organiser.tax_code),
    rea: organiser.rea === null || /^[A-Z]{2}-\d{1,7}$/.test(organiser.rea),
    pec: organiser.pec === null || isMailAddress(organiser.pec),
    email: support.email === null || isMailAddress(support.email),
    phone: support.phone === null || isPhone(support.phone),
  };
  return siteFaults.filter((field) => !right[field]);
}

/**
 * What the seller must still fill in before a sale: buyers must know the seller and how to reach
 * them (RULES L1).
 */
export function lacksOfSite({
  organiser,
  support,
}: SiteFacts): ('organiser_tax' | 'support_email')[] {
  return [
    ...(organiser.vat_number === null && organiser.tax_code === null
      ? ['organiser_tax' as const]
      : []),
    ...(support.email === null ? ['support_email' as const] : []),
  ];
}

function isPhone(text: string): boolean {
  return /^\+?[\d ()./-]{5,30}$/.test(text) && text.replace(/\D/g, '').length >= 5;
}
