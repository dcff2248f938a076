/** A legal text as a page with an address of its own: /condizioni, /privacy, /cookie, /accessibilita. */
import type { LegalName } from '#server/domain/legal-names.ts';
import { ConsentSection } from './consent-section.tsx';
import { LegalText } from './legal-text.tsx';
import { usePageTitle } from './page-title.ts';
import { PlainPage } from './plain-page.tsx';
import { useSite } from './site.ts';

export function LegalPage({ name }: { name: LegalName }) {
  const site = useSite();
  usePageTitle(site.legal[name].title);
  return (
    <PlainPage>
      <article className="prose legal-page">
        <LegalText name={name} level={1} />
      </article>
      {name === 'cookies' && <ConsentSection />}
    </PlainPage>
  );
}
