/** Asks why seats are kept back, in which colour, and until when; for a standing area also how many. */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { longestReason, type BlockColor } from '#server/domain/block.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { Suggestions } from '#apps/admin/kit/form/suggestions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { tellFailure } from '#apps/admin/kit/loaded.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { usualReasons } from './block-words.ts';
import { fieldOf, isoOf, releaseFault, takenOf } from './release-time.ts';
import { Colors, Release, Taken } from './terms-fields.tsx';

export interface Terms {
  reason: string;
  color: BlockColor;
  release_at: string | null;
}

export interface BlockDialogProps {
  title: string;
  submitLabel: string;
  /** Of a block that is changed. */
  start?: Terms;
  /** When the evening begins. */
  startsAt: string;
  /** What is blocked; none where only the terms change. */
  objects?: readonly string[];
  nameOf?: (object: string) => string;
  /** Of a standing area: how many places are free. */
  areaFree?: number;
  onSubmit: (
    terms: Terms,
    what: { objects: readonly string[]; places: number },
  ) => Promise<unknown>;
  /** They were not free. */
  onRefused?: (objects: readonly string[]) => void;
  onClose: () => void;
}

const firstTerms: Terms = { reason: '', color: 'grey', release_at: null };

function useBlockForm(props: BlockDialogProps) {
  const { start = firstTerms, areaFree, onRefused } = props;
  const [reason, setReason] = useState(start.reason);
  const [color, setColor] = useState(start.color);
  const [release, setRelease] = useState(fieldOf(start.release_at));
  const [places, setPlaces] = useState(areaFree === undefined ? '' : '1');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [taken, setTaken] = useState<readonly string[]>([]);

  async function send(objects: readonly string[]) {
    const fault = faultOf({ release, places, areaFree });
    if (fault !== null) return setFailure(fault);
    setBusy(true);
    setFailure(null);
    setTaken([]);
    // Untouched, an hour that comes twice in a night stays the one it was.
    const isSame = release === fieldOf(start.release_at);
    const release_at = isSame ? start.release_at : isoOf(release);
    try {
      const terms = { reason: reason.trim(), color, release_at };
      await props.onSubmit(terms, { objects, places: Number(places) });
    } catch (error) {
      const refused = takenOf(error);
      if (areaFree === undefined) setTaken(refused);
      if (refused.length > 0) onRefused?.(refused);
      setFailure(tellFailure(error));
    } finally {
      setBusy(false);
    }
  }
  return {
    reason,
    setReason,
    color,
    setColor,
    release,
    setRelease,
    places,
    setPlaces,
    busy,
    failure,
    taken,
    send,
  };
}

export function BlockDialog(props: BlockDialogProps) {
  const { title, submitLabel, startsAt, objects = [], areaFree } = props;
  const form = useBlockForm(props);
  const hasReason = form.reason.trim() !== '';
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <Modal title={title} onClose={props.onClose}>
      <form
        className={formStyles.stack}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!form.busy) void form.send(objects);
        }}
      >
        {areaFree !== undefined && (
          <TextField
            ref={first}
            label="Quanti posti"
            hint={`Liberi adesso: ${areaFree.toLocaleString('it-IT')}.`}
            inputMode="numeric"
            required
            value={form.places}
            onChange={form.setPlaces}
          />
        )}
        <TextField
          ref={areaFree === undefined ? first : undefined}
          label="Motivo"
          required
          maxLength={longestReason}
          list="block-reasons"
          value={form.reason}
          onChange={form.setReason}
        />
        <Suggestions
          id="block-reasons"
          options={usualReasons.map((usual) => [usual, usual] as const)}
        />
        <Colors color={form.color} onChange={form.setColor} />
        <Release
          release={form.release}
          onChange={form.setRelease}
          startsAt={startsAt}
          hint="Ora di Roma. Vuoto: resta bloccato finché qualcuno lo sblocca."
          hoursBefore={2}
        />
        <Taken
          taken={form.taken}
          others={objects.filter((object) => !form.taken.includes(object))}
          nameOf={props.nameOf}
          sendLabel={(count) => (count === 1 ? 'Blocca l’altro' : `Blocca gli altri ${count}`)}
          onSend={hasReason ? form.send : null}
        />
        <FormActions
          busy={form.busy}
          failure={form.failure}
          onCancel={props.onClose}
          submitLabel={submitLabel}
          disabled={!hasReason}
        />
      </form>
    </Modal>
  );
}

/** What can be said without asking the server. */
function faultOf(ask: { release: string; places: string; areaFree: number | undefined }) {
  if (ask.areaFree !== undefined && !/^[1-9]\d{0,5}$/.test(ask.places.trim()))
    return 'Scrivi quanti posti, con un numero intero.';
  return releaseFault(ask.release);
}
