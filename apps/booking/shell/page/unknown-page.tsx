/** The screen for an unknown address (RULES W3). */
import { LostPage } from './lost-page.tsx';
import { usePageTitle } from './page-title.ts';
import { PlainPage } from './plain-page.tsx';

export function UnknownPage() {
  usePageTitle('Pagina non trovata');
  return (
    <PlainPage>
      <LostPage
        title="Ti sei perso?"
        detail="La pagina che cerchi non esiste o ha cambiato indirizzo."
      />
    </PlainPage>
  );
}
