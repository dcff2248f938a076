/** The site's owner and contacts, from the office's settings. */
import { useEndpoint } from '#apps/shared/query.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readSite } from '#server/contract/site.ts';
import { legalNames, legalPaths } from '#server/domain/site/legal-names.ts';
import { useDrawnPage } from '#apps/booking/shell/page/page-data.ts';

export type Site = ReplyOf<typeof readSite>;

const legalTitles = {
  terms: 'Condizioni di vendita',
  privacy: 'Privacy Policy',
  cookies: 'Cookie',
  accessibility: 'Dichiarazione di accessibilità',
};

/** Used until the server has answered, and without signal. */
export const unknownSite: Site = {
  name: 'Botteghino',
  organiser: {
    name: 'Botteghino',
    address: null,
    vat_number: null,
    tax_code: null,
    rea: null,
    pec: null,
  },
  support: { email: null, phone: null },
  logo: null,
  accent: null,
  hours: null,
  monitoring: null,
  legal: Object.fromEntries(
    legalNames.map((name) => [
      name,
      { title: legalTitles[name], path: legalPaths[name], updated_on: null },
    ]),
  ) as Site['legal'],
};

/** It rarely changes, so it is fetched once per visit, unless the page has it. */
export function useSite(): Site {
  const drawn = useDrawnPage().data.site;
  return (
    useEndpoint(readSite, {}, { staleTime: Number.POSITIVE_INFINITY }).data ?? drawn ?? unknownSite
  );
}
