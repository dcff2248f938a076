/** A legal text as a page of its own: /condizioni, /privacy, /cookie, /accessibilita. */
import type { LegalName } from '#server/domain/site/legal-names.ts';
import { ConsentSection } from '#apps/booking/consent/section.tsx';
import { LegalText } from '#apps/booking/shell/legal-text.tsx';
import { usePageTitle } from '#apps/booking/shell/page/page-title.ts';
import { PlainPage } from '#apps/booking/shell/page/plain-page.tsx';
import { useSite } from '#apps/booking/shell/site.ts';
import prose from '#apps/booking/shell/page/prose.module.css';
import styles from '#apps/booking/shell/legal-text.module.css';

export function LegalPage({ name }: { name: LegalName }) {
  const site = useSite();
  usePageTitle(site.legal[name].title);
  return (
    <PlainPage>
      <article className={`${prose.prose} ${styles.page}`}>
        <LegalText name={name} level={1} />
      </article>
      {name === 'cookies' && <ConsentSection />}
    </PlainPage>
  );
}
