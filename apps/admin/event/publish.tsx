/** Publishing an event: what is still missing, each item leading to its field; publish, unpublish, duplicate. */
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { duplicateEvent, publishEvent, unpublishEvent } from '#server/contract/event-desk.ts';
import { missingParts, slugMax } from '#server/domain/event.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { missingWords } from '#apps/admin/kit/form-faults.ts';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { TimeField } from './form/time-field.tsx';
import { instantOf, noTime } from './form/times.ts';
import { slugFault } from './form/slug.ts';
import type { DeskEvent } from './form/values.ts';
import { tellFailure } from '#apps/admin/kit/loaded.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { useAct, useMay } from '#apps/admin/shell/session.ts';
import { Panel } from '#apps/admin/kit/panel.tsx';
import { OutLink } from '#apps/admin/kit/out-link.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './event.module.css';

interface PublicationProps {
  event: DeskEvent;
  /** The form has changes that are not saved. */ dirty: boolean;
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
    </Panel>
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

/** Only whoever may change events sees it. */
export function DuplicateEvent({ event }: { event: Pick<DeskEvent, 'id' | 'title'> }) {
  const mayDuplicate = useMay(duplicateEvent.who);
  const [open, setOpen] = useState(false);
  if (!mayDuplicate) return null;
  return (
    <>
      <button type="button" className={textStyles.link} onClick={() => setOpen(true)}>
        Duplica<span className="visually-hidden"> {event.title}</span>
      </button>
      {open && <DuplicateDialog event={event} onClose={() => setOpen(false)} />}
    </>
  );
}

interface DuplicateDialogProps {
  event: Pick<DeskEvent, 'id' | 'title'>;
  onClose: () => void;
}

function DuplicateDialog({ event, onClose }: DuplicateDialogProps) {
  const change = useChange();
  const navigate = useNavigate();
  const [id, setId] = useState(nextSlug(event.id));
  const [fault, setFault] = useState<string | null>(null);
  const [as, setAs] = useState<'date' | 'show'>('date');
  const [day, setDay] = useState(noTime);
  const starts_at = instantOf(day);

  async function copy() {
    try {
      const made = await change(duplicateEvent, {
        params: { eventId: event.id },
        body: {
          id,
          as,
          ...(starts_at === null ? {} : { starts_at: new Date(starts_at).toISOString() }),
        },
      });
      await navigate(`/events/${encodeURIComponent(made.id)}/edit`);
    } catch (error) {
      setFault(tellFailure(error));
    }
  }

  return (
    <ConfirmDialog
      title={`Duplica «${event.title || event.id}»`}
      confirmLabel="Crea la copia"
      disabled={slugFault(id) !== null}
      onCancel={onClose}
      onConfirm={copy}
      text={
        <div className={formStyles.stack}>
          <p>
            Nasce una bozza con gli stessi testi, prezzi, immagini e regole. Senza un giorno suo non
            si pubblica.
          </p>
          <Radios
            legend="La copia è"
            value={as}
            onChange={setAs}
            options={[
              ['date', 'Un’altra data dello stesso spettacolo'],
              ['show', 'Un altro spettacolo'],
            ]}
          />
          <TimeField label="Inizio (anche dopo)" value={day} onChange={setDay} />
          <Field
            label="Indirizzo della nuova pagina"
            value={id}
            onChange={(change) => {
              setId(change.target.value);
              setFault(null);
            }}
            maxLength={slugMax}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            hint={<code>/event/{id || '…'}</code>}
            error={fault ?? slugFault(id)}
          />
        </div>
      }
    />
  );
}

/** "amleto" becomes "amleto-2", and that "amleto-3". */
function nextSlug(id: string): string {
  const [, base = id, number] = /^(.*?)(?:-(\d{1,3}))?$/.exec(id) ?? [];
  const tail = `-${Number(number ?? 1) + 1}`;
  return base.slice(0, slugMax - tail.length).replace(/-$/, '') + tail;
}
