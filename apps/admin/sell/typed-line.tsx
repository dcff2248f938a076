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
}

export function TypedLine(props: TypedLineProps) {
  const { ref, ready, hasBasket, said, onSeats, onDigit, onMove, onGuest } = props;
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
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      return onMove(event.key === 'ArrowDown' ? 1 : -1);
    }
    if (hasBasket && text === '' && /^[+-]$/.test(event.key)) {
      event.preventDefault();
      return onGuest(event.key === '+' ? 1 : -1);
    }
    const isChoice = hasBasket && text === '' && /^[1-9]$/.test(event.key);
    if (isChoice && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      onDigit(Number(event.key));
    }
  };
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
        onKeyDown={press}
        maxLength={longestLine}
        hint={
          hasBasket
            ? 'Una cifra cambia il tipo di biglietto, le frecce cambiano riga; scrivi un posto per aggiungerlo.'
            : 'Quanti posti migliori (2) oppure quali (A12 A13), poi Invio.'
        }
      />
      <FailureNotice text={said} />
    </form>
  );
}
