/** The cards to choose the event that this phone scans for, and the help for a rehearsal. */
import { formatLongDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { useStatus } from '#apps/scanner/screens/status.ts';
import type { Device, StoredEvent } from '#apps/scanner/kit/store.ts';
import parts from '#apps/scanner/screens/parts.module.css';
import styles from './event-choice.module.css';

/** Shown for an event whose list this phone will not get, however long it waits. */
export const closedWords = 'Non disponibile: chiedi in ufficio';

interface EventChoiceProps {
  device: Device;
  events: readonly StoredEvent[];
  chosenId: string | null;
  onChoose: (event_id: string) => void;
}

export function EventChoice({ device, events, chosenId, onChoose }: EventChoiceProps) {
  const isMany = device.events.length > 1;
  const { closed_events } = useStatus();
  return (
    <fieldset className={styles.choice}>
      <legend className={isMany ? styles.legend : 'visually-hidden'}>
        Quale evento controlli?
      </legend>
      {device.events.map(({ id, title, starts_at, rehearsal }) => {
        const stored = events.find(({ event_id }) => event_id === id);
        return (
          <label key={id} className={chosenId === id ? styles.chosen : styles.card}>
            <input
              type="radio"
              name="event"
              className={isMany ? styles.radio : 'visually-hidden'}
              checked={chosenId === id}
              onChange={() => onChoose(id)}
            />
            <span>
              <strong>{stored?.facts?.title ?? title}</strong>
              <span className={styles.date}>
                {formatLongDate(stored?.facts?.starts_at ?? starts_at)}
              </span>
              {rehearsal && <Badge tone="warn">Prova</Badge>}
              {closed_events.includes(id) && !stored?.generation && (
                <Badge tone="warn" icon="warning">
                  {closedWords}
                </Badge>
              )}
              {stored?.facts?.cancelled && (
                <span className={styles.cancelled}>Evento annullato</span>
              )}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** Shown with a rehearsal only. */
export function RehearsalHelp() {
  return (
    <details className={`${parts.card} ${styles.help}`}>
      <summary>
        <Icon name="info" size={24} />
        Come si fa la prova
      </summary>
      <ol>
        <li>
          In ufficio, alla pagina dell’evento di prova, stampa il foglio dei codici: ce n’è uno per
          ogni risposta della porta.
        </li>
        <li>
          Tocca «Inizia» e inquadrali uno per uno: ogni risposta ha il suo colore, il suo suono e la
          sua vibrazione.
        </li>
        <li>Tocca «Senza rete» in alto e continua: il telefono decide da solo, come in cantina.</li>
        <li>Toccalo di nuovo: le letture partono e il numero sulla lista torna a zero.</li>
      </ol>
    </details>
  );
}
