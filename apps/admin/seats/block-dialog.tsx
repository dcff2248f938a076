/** Asks why seats are kept back, in which colour, and until when; for a standing area also how many. */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { blockColors, longestReason, type BlockColor } from '#server/domain/block.ts';
import { CallError } from '#apps/shared/api.ts';
import { formatCount } from '#apps/shared/format.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { instantOf, readWallTime, wallTimeOf } from '#apps/admin/event/form/times.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { Suggestions } from '#apps/admin/kit/form/suggestions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { tellFailure } from '#apps/admin/kit/loaded.tsx';
import { Notice } from '#apps/admin/kit/notice.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { colorWords, usualReasons } from './block-words.ts';
import styles from './blocks.module.css';

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

const twoHoursMs = 2 * 3_600_000;
const firstTerms: Terms = { reason: '', color: 'grey', release_at: null };

/** As a field of date and time wants it. */
function fieldOf(iso: string | null): string {
  const { date, time } = wallTimeOf(iso);
  return date === '' ? '' : `${date}T${time}`;
}

function wallOf(text: string) {
  const [date = '', time = ''] = text.split('T');
  return { date, time, second: false };
}

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
        <Release release={form.release} onChange={form.setRelease} startsAt={startsAt} />
        <Taken
          taken={form.taken}
          others={objects.filter((object) => !form.taken.includes(object))}
          nameOf={props.nameOf}
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

interface ReleaseProps {
  release: string;
  onChange: (release: string) => void;
  startsAt: string;
}

function Release({ release, onChange, startsAt }: ReleaseProps) {
  const [openedAt] = useState(() => Date.now());
  const soon = new Date(Date.parse(startsAt) - twoHoursMs).toISOString();
  return (
    <>
      <TextField
        label="Torna in vendita (facoltativo)"
        hint="Ora di Roma. Vuoto: resta bloccato finché qualcuno lo sblocca."
        type="datetime-local"
        value={release}
        onChange={onChange}
      />
      <div className={styles.quick}>
        <Button
          small
          disabled={Date.parse(soon) <= openedAt}
          onClick={() => onChange(fieldOf(soon))}
          label="Fino a 2 ore prima"
        />
        {release !== '' && <Button small onClick={() => onChange('')} label="Senza scadenza" />}
      </div>
    </>
  );
}

interface TakenProps {
  taken: readonly string[];
  others: readonly string[];
  nameOf: BlockDialogProps['nameOf'];
  /** Null: something is missing yet. */
  onSend: ((objects: readonly string[]) => Promise<unknown>) | null;
}

/** Which seats stood in the way, and the way on with the others. */
function Taken({ taken, others, nameOf, onSend }: TakenProps) {
  if (taken.length === 0) return null;
  return (
    <Notice as="div" tone="warn">
      <p>
        {formatCount(taken.length, 'posto non è libero', 'posti non sono liberi')}:{' '}
        {taken.map((object) => nameOf?.(object) ?? object).join('; ')}.
      </p>
      {others.length > 0 && (
        <Button
          small
          disabled={onSend === null}
          onClick={() => void onSend?.(others)}
          label={others.length === 1 ? 'Blocca l’altro' : `Blocca gli altri ${others.length}`}
        />
      )}
    </Notice>
  );
}

function isoOf(text: string): string | null {
  const at = instantOf(wallOf(text));
  return at === null ? null : new Date(at).toISOString();
}

/** What can be said without asking the server. */
function faultOf(ask: { release: string; places: string; areaFree: number | undefined }) {
  if (ask.areaFree !== undefined && !/^[1-9]\d{0,5}$/.test(ask.places.trim()))
    return 'Scrivi quanti posti, con un numero intero.';
  if (ask.release === '') return null;
  const reading = readWallTime(wallOf(ask.release));
  if (!('at' in reading)) return 'Completa giorno e ora, oppure lasciali vuoti.';
  return reading.at <= Date.now() ? 'L’ora del ritorno in vendita è già passata.' : null;
}

function takenOf(error: unknown): string[] {
  if (!(error instanceof CallError) || error.code !== 'seats_not_free') return [];
  return (error.detail as { objects?: string[] } | null)?.objects ?? [];
}

function Colors({ color, onChange }: { color: BlockColor; onChange: (color: BlockColor) => void }) {
  return (
    <fieldset className={styles.colors}>
      <legend>Colore sulla pianta</legend>
      {blockColors.map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="block-color"
            checked={name === color}
            onChange={() => onChange(name)}
          />
          <span
            className={styles.swatch}
            style={{ background: `var(--block-${name})` }}
            aria-hidden="true"
          />
          {colorWords[name]}
        </label>
      ))}
    </fieldset>
  );
}
