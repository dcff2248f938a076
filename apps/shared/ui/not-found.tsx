/** The screen of an unknown address (specification §2). */
import { Icon } from './icon.tsx';

/** A plain link: the home page may belong to another app. */
export function NotFound({ text }: { text?: string }) {
  return (
    <main className="ui-view">
      <span className="ui-view-sign"><Icon name="search" size={40} /></span>
      <h1 className="ui-view-title">Ti sei perso?</h1>
      {text !== undefined && <p className="ui-view-detail">{text}</p>}
      <a className="ui-button ui-button-primary" href="/">Torna alla pagina iniziale</a>
    </main>
  );
}
