/** Shared fields of dialogs about seats: the colour, the end, seats that are not free. */
import { useState } from 'react';
import { blockColors, type BlockColor } from '#server/domain/seat/block.ts';
import { formatCount } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { colorWords } from './block-words.ts';
import { fieldOf } from './release-time.ts';
import { Swatch } from './swatch.tsx';
import styles from './blocks.module.css';

const hourMs = 3_600_000;

interface ReleaseProps {
  release: string;
  onChange: (release: string) => void;
  startsAt: string;
  hint: string;
  /** The end that a button offers. */
  hoursBefore: number;
}

export function Release({ release, onChange, startsAt, hint, hoursBefore }: ReleaseProps) {
  const [openedAt] = useState(() => Date.now());
  const soon = new Date(Date.parse(startsAt) - hoursBefore * hourMs).toISOString();
  return (
    <>
      <TextField
        label="Torna in vendita (facoltativo)"
        hint={hint}
        type="datetime-local"
        value={release}
        onChange={onChange}
      />
      <div className={styles.quick}>
        <Button
          small
          disabled={Date.parse(soon) <= openedAt}
          onClick={() => onChange(fieldOf(soon))}
          label={`Fino a ${hoursBefore} ore prima`}
        />
        {release !== '' && <Button small onClick={() => onChange('')} label="Senza scadenza" />}
      </div>
    </>
  );
}

interface TakenProps {
  taken: readonly string[];
  others: readonly string[];
  nameOf: ((object: string) => string) | undefined;
  sendLabel: (count: number) => string;
  /** Null while something is missing. */
  onSend: ((objects: readonly string[]) => Promise<unknown>) | null;
}

/** Names the seats that were not free, and offers to continue with the others. */
export function Taken({ taken, others, nameOf, sendLabel, onSend }: TakenProps) {
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
          label={sendLabel(others.length)}
        />
      )}
    </Notice>
  );
}

export function Colors({
  color,
  onChange,
}: {
  color: BlockColor;
  onChange: (color: BlockColor) => void;
}) {
  return (
    <fieldset className={styles.colors}>
      <legend>Colore sulla pianta</legend>
      {blockColors.map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="seat-color"
            checked={name === color}
            onChange={() => onChange(name)}
          />
          <Swatch color={name} />
          {colorWords[name]}
        </label>
      ))}
    </fieldset>
  );
}
