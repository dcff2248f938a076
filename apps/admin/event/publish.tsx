/** Publishes or unpublishes an event; shows what is missing, and a preview. */
import { Link } from 'react-router-dom';
import { publishEvent, unpublishEvent } from '#server/contract/event-desk.ts';
import { missingParts } from '#server/domain/event/event.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { missingWords } from './form/faults.ts';
import type { DeskEvent } from './form/values.ts';
import { useAct, useMay } from '#apps/admin/kit/session/session.ts';
import { PagePreview } from './page-preview.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { OutLink } from '#apps/admin/kit/out-link.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './event.module.css';

interface PublicationProps {
  event: DeskEvent;
  dirty: boolean;
  onChanged: (event: DeskEvent) => void;
  onGo: (field: string) => void;
}

export function EventPublication({ event, dirty, onChanged, onGo }: PublicationProps) {
  const act = useAct();
  const ask = { params: { eventId: event.id }, body: { version: event.version } };
  if (event.status === 'cancelled') return null;
  if (event.status === 'published') {
    return (
      <Panel as="div" className={styles.publication}>
        <p>
          <Icon name="check" /> <span>L’evento è sul sito.</span>{' '}
          <OutLink href={`/event/${encodeURIComponent(event.id)}`}>Guarda la pagina</OutLink>
        </p>
        {event.orders === 0 ? (
          <AskButton
            label="Riporta in bozza…"
            disabled={dirty}
            title="Riportare in bozza?"
            text={
              <p>L’evento sparisce dal sito. Non ci sono ordini: nessuno perde un biglietto.</p>
            }
            confirmLabel="Riporta in bozza"
            cancelLabel="Lascialo sul sito"
            onConfirm={async () => onChanged(await act(unpublishEvent, ask))}
          />
        ) : (
          <p className={textStyles.soft}>
            Ci sono già ordini: non può tornare in bozza. Per fermarlo, annullalo.
          </p>
        )}
      </Panel>
    );
  }
  return (
    <Panel className={styles.publication} aria-label="Pubblicazione">
      <div className={styles.beside}>
        <Checklist event={event} dirty={dirty} onChanged={onChanged} onGo={onGo} />
        <PagePreview event={event} dirty={dirty} />
      </div>
    </Panel>
  );
}

function Checklist({ event, dirty, onChanged, onGo }: PublicationProps) {
  const act = useAct();
  const ask = { params: { eventId: event.id }, body: { version: event.version } };
  return (
    <div>
      <h2>{event.missing.length === 0 ? 'Pronto da pubblicare' : 'Prima di pubblicare'}</h2>
      <ul className={styles.checklist}>
        {missingParts.map((part) => (
          <ChecklistItem
            key={part}
            part={part}
            missing={event.missing.includes(part)}
            onGo={onGo}
          />
        ))}
      </ul>
      {event.missing.includes('sectors') && (
        <p>
          Senza prezzo: {event.unsaid.join(', ')}.{' '}
          <Link to={`/events/${encodeURIComponent(event.id)}/prices`}>Scrivi i prezzi</Link>
        </p>
      )}
      <div className={buttonStyles.actions}>
        <AsyncButton
          variant="primary"
          disabled={dirty || event.missing.length > 0}
          onClick={async () => onChanged(await act(publishEvent, ask))}
        >
          Pubblica
        </AsyncButton>
        {dirty && <p className={textStyles.soft}>Prima salva le modifiche.</p>}
      </div>
    </div>
  );
}

interface ChecklistItemProps {
  part: (typeof missingParts)[number];
  missing: boolean;
  onGo: (field: string) => void;
}

function ChecklistItem({ part, missing, onGo }: ChecklistItemProps) {
  const maySetSite = useMay('change_site');
  const { text, field } = missingWords[part];
  if (!missing)
    return (
      <li className={styles.done}>
        <Icon name="check" size={18} label="Fatto:" /> {text}
      </li>
    );
  return (
    <li>
      <Icon name="cross" size={18} label="Manca:" />{' '}
      {field === null && (maySetSite ? <Link to="/settings/site">{text}</Link> : text)}
      {field !== null && (
        <button type="button" className={textStyles.link} onClick={() => onGo(field)}>
          {text}
        </button>
      )}
    </li>
  );
}
