/** Chooses seats by keyboard, and extends a seat to its row, section or category. */
import { useState, type FormEvent } from 'react';
import { typedFaults } from '#server/domain/seat/typed-fault-words.ts';
import type { NamedSeat } from '#server/domain/seat/typed-index.ts';
import { readTypedSeats } from '#server/domain/seat/typed-seats.ts';
import { formatCount } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { parts, type Part } from './selection.ts';
import styles from '#apps/admin/seats/kept/blocks.module.css';

const partWords: Record<Part, string> = {
  row: 'Tutta la fila',
  section: 'Tutto il settore',
  category: 'Tutta la categoria',
};

interface SelectionBarProps {
  named: readonly NamedSeat[];
  count: number;
  isMany: boolean;
  onMany: (isMany: boolean) => void;
  onTyped: (objects: readonly string[]) => void;
  onPart: (part: Part) => void;
  onClear: () => void;
}

export function SelectionBar(props: SelectionBarProps) {
  const { named, count, isMany } = props;
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const { objects, ...others } = readTypedSeats(text, named);
    const faults = typedFaults(others);
    setFault(faults.length === 0 ? null : `${faults.join('; ')}.`);
    if (objects.length === 0) return;
    props.onTyped(objects);
    if (faults.length === 0) setText('');
  }

  return (
    <section className={styles.bar} aria-label="Scegli i posti">
      <form onSubmit={submit} className={styles.typed}>
        <TextField
          label="Scrivi i posti"
          placeholder="A12 A13, B4-9"
          value={text}
          error={fault}
          onChange={setText}
        />
        <Button type="submit" disabled={text.trim() === ''} label="Scegli" />
      </form>
      <Check small label="Scegli più posti" checked={isMany} onChange={props.onMany} />
      {count > 0 && (
        <div className={styles.parts}>
          {parts.map((part) => (
            <Button key={part} small onClick={() => props.onPart(part)} label={partWords[part]} />
          ))}
          <Button small icon="cross" onClick={props.onClear}>
            Togli la scelta ({formatCount(count, 'posto', 'posti')})
          </Button>
        </div>
      )}
    </section>
  );
}
