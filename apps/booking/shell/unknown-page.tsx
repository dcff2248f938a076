/** The screen of an unknown address (RULES W3). */
import { Link } from 'react-router-dom';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { usePageTitle } from './page-title.ts';
import { PlainPage } from './plain-page.tsx';

export function UnknownPage() {
  usePageTitle('Pagina non trovata');
  return (
    <PlainPage>
      <div className="ui-view">
        <span className="ui-view-sign">
          <Icon name="search" size={40} />
        </span>
        <h1 className="ui-view-title">Ti sei perso?</h1>
        <p className="ui-view-detail">La pagina che cerchi non esiste o ha cambiato indirizzo.</p>
        <Link className="ui-button ui-button-primary" to="/">
          Torna alla pagina iniziale
        </Link>
      </div>
    </PlainPage>
  );
}
