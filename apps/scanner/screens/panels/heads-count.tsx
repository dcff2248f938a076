/**
 * The dialog that counts people without a ticket: how many, why they are there, and one large
 * button that says both.
 */
import { useState } from 'react';
import type { Direction } from '#server/domain/door/admission.ts';
import {
  beyondInside,
  headReasonNames,
  headReasons,
  mostHeads,
  type HeadReason,
} from '#server/domain/door/heads.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { splitCode } from '#apps/scanner/camera/keyboard-reader.ts';
import { signal } from '#apps/scanner/device/signals.ts';
import { phone, syncSoon } from '#apps/scanner/scan/phone.ts';
import { sayCount } from '#apps/scanner/screens/words.ts';
import { Note } from '#apps/scanner/screens/parts.tsx';
import parts from '#apps/scanner/screens/parts.module.css';
import styles from './heads.module.css';

interface HeadsCountProps {
  event_id: string;
  direction: Direction;
  /** How many are inside as far as this phone knows. */
  inside: number;
  onClose: () => void;
}

/** A reason must be chosen before anything can be counted, so that a stray tap has no effect. */
export function HeadsCount({ event_id, direction, inside, onClose }: HeadsCountProps) {
  // The same id after a failed try: it may have been written all the same.
  const [head_id] = useState(() => phone.newId());
  const [people, setPeople] = useState(1);
  const [reason, setReason] = useState<HeadReason | null>(null);
  const [words, setWords] = useState('');
  const [trouble, setTrouble] = useState<string | null>(null);
  const beyond = beyondInside({ inside }, { direction, people });
  const own = ownWords(words);
  const isReady = reason !== null && (reason !== 'other' || own !== null);
  async function count() {
    if (reason === null) return;
    try {
      await phone.countHeads({ event_id, head_id, direction, people, reason, words: own });
      signal('looked');
      syncSoon();
      onClose();
    } catch {
      setTrouble('Non salvato: il telefono non riesce a scrivere. Riprova.');
      signal('not_saved');
    }
  }
  return (
    <Modal
      title={direction === 'in' ? 'Chi entra senza biglietto?' : 'Chi esce senza biglietto?'}
      onClose={onClose}
    >
      <div className={parts.stack}>
        <HowMany people={people} onChange={setPeople} />
        <Reasons reason={reason} onReason={setReason} />
        <Field
          label={reason === 'other' ? 'Chi sono' : 'Chi sono (facoltativo)'}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          autoComplete="off"
          enterKeyHint="done"
          maxLength={100}
        />
        <Warnings inside={inside} beyond={beyond} trouble={trouble} />
        <div className={styles.act}>
          <button
            type="button"
            className={parts.big}
            disabled={!isReady}
            onClick={() => void count()}
          >
            {sayAct(direction, people, beyond > 0)}
          </button>
        </div>
      </div>
    </Modal>
  );
}

function sayInside(inside: number): string {
  if (inside <= 0) return 'non risulta dentro nessuno';
  return inside === 1 ? 'risulta dentro 1 persona' : `risultano dentro ${inside} persone`;
}

interface WarningsProps {
  inside: number;
  beyond: number;
  trouble: string | null;
}

/** Only warns and does not refuse, because the phone may not know of entries at other gates. */
function Warnings({ inside, beyond, trouble }: WarningsProps) {
  return (
    <>
      {beyond > 0 && (
        <Note tone="warn">
          Senza biglietto {sayInside(inside)}: se gli altri sono entrati altrove, conta lo stesso.
        </Note>
      )}
      {trouble !== null && (
        <Note tone="bad" role="alert">
          {trouble}
        </Note>
      )}
    </>
  );
}

function sayAct(direction: Direction, people: number, anyway: boolean): string {
  const act = direction === 'in' ? 'Fai entrare' : 'Fai uscire';
  return `${act} ${sayCount(people, 'persona', 'persone')}${anyway ? ' lo stesso' : ''}`;
}

/** Null: nothing was typed, except perhaps by a handheld reader whose code is no name. */
function ownWords(typed: string): string | null {
  const words = (splitCode(typed)?.before ?? typed).trim();
  return words === '' ? null : words;
}

const usual = [1, 2, 3, 4, 5, 10] as const;

function HowMany({ people, onChange }: { people: number; onChange: (people: number) => void }) {
  return (
    <div className={styles.how}>
      <div className={styles.stepper} role="group" aria-label="Quante persone">
        <button
          type="button"
          className={`${parts.control} ${styles.step}`}
          aria-label="Una in meno"
          disabled={people <= 1}
          onClick={() => onChange(people - 1)}
        >
          −
        </button>
        <output className={styles.people} aria-live="polite">
          {people}
        </output>
        <button
          type="button"
          className={`${parts.control} ${styles.step}`}
          aria-label="Una in più"
          disabled={people >= mostHeads}
          onClick={() => onChange(people + 1)}
        >
          +
        </button>
      </div>
      <div className={styles.usual}>
        {usual.map((many) => (
          <button
            key={many}
            type="button"
            className={parts.chip}
            aria-pressed={people === many}
            onClick={() => onChange(many)}
          >
            {many}
          </button>
        ))}
      </div>
    </div>
  );
}

interface ReasonsProps {
  reason: HeadReason | null;
  onReason: (reason: HeadReason) => void;
}

function Reasons({ reason, onReason }: ReasonsProps) {
  return (
    <div className={`${parts.chips} ${styles.why}`} role="group" aria-label="Motivo">
      {headReasons.map((one) => (
        <button
          key={one}
          type="button"
          className={parts.chip}
          aria-pressed={reason === one}
          onClick={() => onReason(one)}
        >
          {headReasonNames[one]}
        </button>
      ))}
    </div>
  );
}
