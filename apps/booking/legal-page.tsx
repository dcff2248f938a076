/** A legal text as a page with an address of its own: /condizioni, /privacy, /cookie, /accessibilita. */
import { Link } from 'react-router-dom';
import type { LegalName } from '#server/domain/legal-names.ts';
import { LegalText } from './legal-text.tsx';
import { PageFooter } from './page-footer.tsx';
import { usePageTitle } from './page-title.ts';
import { useSite } from './site.ts';

export function LegalPage({ name }: { name: LegalName }) {
  const site = useSite();
  usePageTitle(site.legal[name].title);
  return (
    <div className="order">
      <header className="order-head">
        <Link to="/" className="brand"><img src="/images/logo.svg" alt="" width={40} height={40} /> <span>{site.name}</span><span className="visually-hidden">: tutti gli spettacoli</span></Link>
      </header>
      <main className="content" tabIndex={-1}>
        <article className="prose legal-page"><LegalText name={name} level={1} /></article>
      </main>
      <PageFooter />
    </div>
  );
}
