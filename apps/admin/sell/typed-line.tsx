/**
 * The line for typed seats or a number of best seats; while it is empty, a digit sets the type.
 */
import { useEffect, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import styles from './till.module.css';

/** Enough for a whole group, seat by seat. */
const longestLine = 1_000;

interface TypedLineProps {
  ref: Ref<HTMLInputElement>;
  ready: boolean;
  hasBasket: boolean;
  /** Says which seats could not be chosen and why. */
  said: string | null;
  onSeats: (text: string) => Promise<void>;
  onDigit: (nth: number) => void;
  onMove: (step: 1 | -1) => void;
  /** One guest more or less at the table of the marked line. */
  onGuest: (step: 1 | -1) => void;
  /** The seat of the marked line is not wanted any more. */
  onTakeOut: () => void;
}

export function TypedLine(props: TypedLineProps) {
  const { ref, ready, hasBasket, said, onSeats } = props;
  const [text, setText] = useState('');
  // A text entered before the map is ready, applied later.
  const hasty = useRef<string | null>(null);
  const choose = useRef(onSeats);
  useEffect(() => {
    choose.current = onSeats;
  });
  useEffect(() => {
    if (!ready || hasty.current === null) return;
    const typed = hasty.current;
    hasty.current = null;
    void choose.current(typed);
  }, [ready]);
  return (
    <form
      className={styles.typed}
      aria-label="Scelta dei posti"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') return;
        setText('');
        if (ready) void onSeats(text.trim());
        else hasty.current = text.trim();
      }}
    >
      <TextField
        ref={ref}
        label="Posti"
        value={text}
        onChange={setText}
        onKeyDown={(event) => pressed(event, text === '', props)}
        maxLength={longestLine}
        hint={
          hasBasket
            ? 'Una cifra cambia il tipo di biglietto, le frecce cambiano riga, Canc la toglie; scrivi un posto per aggiungerlo.'
            : 'Quanti posti migliori (2, o 2 galleria) oppure quali (A12 A13), poi Invio.'
        }
      />
      <FailureNotice text={said} />
    </form>
  );
}

/** Keys that mean something in an empty line with a basket below it. */
function pressed(
  event: KeyboardEvent,
  isEmpty: boolean,
  { hasBasket, onDigit, onMove, onGuest, onTakeOut }: TypedLineProps,
): void {
  const act = () => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      return onMove(event.key === 'ArrowDown' ? 1 : -1);
    if (!hasBasket || !isEmpty || event.ctrlKey || event.altKey || event.metaKey) return false;
    if (event.key === '+' || event.key === '-') return onGuest(event.key === '+' ? 1 : -1);
    if (event.key === 'Delete') return onTakeOut();
    return /^[1-9]$/.test(event.key) ? onDigit(Number(event.key)) : false;
  };
  if (act() !== false) event.preventDefault();
}
