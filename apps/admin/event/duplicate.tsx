/** Copies an event into a new draft: another date of the show, or a show of its own. */
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { duplicateEvent } from '#server/contract/event-desk.ts';
import { slugMax } from '#server/domain/event/event.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { slugFault } from './form/slug.ts';
import { TimeField } from './form/time-field.tsx';
import { instantOf, noTime, type WallTime } from '#apps/admin/kit/form/wall-time.ts';
import type { DeskEvent } from './form/values.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

/** Users who may not change events see nothing. */
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

interface Copy {
  /** The address of the copy. */ id: string;
  as: 'date' | 'show';
  day: WallTime;
}

interface DuplicateDialogProps {
  event: Pick<DeskEvent, 'id' | 'title'>;
  onClose: () => void;
}

function DuplicateDialog({ event, onClose }: DuplicateDialogProps) {
  const change = useChange();
  const navigate = useNavigate();
  const [{ id, as, day }, setCopy] = useState<Copy>({
    id: nextSlug(event.id),
    as: 'date',
    day: noTime,
  });
  const [fault, setFault] = useState<string | null>(null);
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
        <CopyFields
          copy={{ id, as, day }}
          fault={fault}
          onChange={(typed) => {
            setCopy((now) => ({ ...now, ...typed }));
            if (typed.id !== undefined) setFault(null);
          }}
        />
      }
    />
  );
}

interface CopyFieldsProps {
  copy: Copy;
  /** Why the last try failed. */
  fault: string | null;
  onChange: (typed: Partial<Copy>) => void;
}

function CopyFields({ copy: { id, as, day }, fault, onChange }: CopyFieldsProps) {
  return (
    <div className={formStyles.stack}>
      <p>
        Nasce una bozza con gli stessi testi, prezzi, immagini e regole. Senza un giorno suo non si
        pubblica.
      </p>
      <Radios
        legend="La copia è"
        value={as}
        onChange={(kind) => onChange({ as: kind })}
        options={[
          ['date', 'Un’altra data dello stesso spettacolo'],
          ['show', 'Un altro spettacolo'],
        ]}
      />
      <TimeField
        label="Inizio (anche dopo)"
        value={day}
        onChange={(time) => onChange({ day: time })}
      />
      <Field
        label="Indirizzo della nuova pagina"
        value={id}
        onChange={(change) => onChange({ id: change.target.value })}
        maxLength={slugMax}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={<code>/event/{id || '…'}</code>}
        error={fault ?? slugFault(id)}
      />
    </div>
  );
}

/** "amleto" becomes "amleto-2", "amleto-2" becomes "amleto-3". */
function nextSlug(id: string): string {
  const [, base = id, number] = /^(.*?)(?:-(\d{1,3}))?$/.exec(id) ?? [];
  const tail = `-${Number(number ?? 1) + 1}`;
  return base.slice(0, slugMax - tail.length).replace(/-$/, '') + tail;
}
