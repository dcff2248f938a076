/** The screen for an address without content: a sentence and a link home. */
import { Link } from 'react-router-dom';
import { Icon } from '#apps/shared/ui/icon.tsx';

export function LostPage({ title, detail }: { title: string; detail: string }) {
  return (
    <div className="ui-view">
      <span className="ui-view-sign">
        <Icon name="search" size={40} />
      </span>
      <h1 className="ui-view-title">{title}</h1>
      <p className="ui-view-detail">{detail}</p>
      <Link className="ui-button ui-button-primary" to="/">
        Torna alla pagina iniziale
      </Link>
    </div>
  );
}
