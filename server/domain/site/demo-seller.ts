/** The seller of the demo, whose data must never be on a page or paper of a live house. */
import type { SiteFacts } from './site.ts';

/** No company has this VAT number, but its check digit is right. */
export const demoSeller = {
  address: 'Corte del Teatro 4, 30124 Venezia',
  vat_number: '12345678903',
  email: 'assistenza@botteghino.example',
  phone: '+39 041 000 0000',
} as const;

/** Leaves out what the office has not replaced by its own data. */
export function withoutDemoSeller<Site extends SiteFacts>(site: Site): Site {
  const { address, vat_number } = site.organiser;
  const { email, phone } = site.support;
  const own = <T>(value: T, demo: string) => (value === demo ? null : value);
  return {
    ...site,
    organiser: {
      ...site.organiser,
      address: own(address, demoSeller.address),
      vat_number: own(vat_number, demoSeller.vat_number),
    },
    support: { email: own(email, demoSeller.email), phone: own(phone, demoSeller.phone) },
  };
}

/** True if the data are the demo's, not yet replaced by the office's own. */
export function hasDemoSeller({ organiser, support }: SiteFacts): boolean {
  return organiser.vat_number === demoSeller.vat_number || support.email === demoSeller.email;
}
