/**
 * "Cerca": finds a place by seat; for supervisors also by order number, and by name where the
 * event or the office allows it. A tap only shows the place.
 */
import { useDeferredValue, useState } from 'react';
import { readTicketCode } from '#server/domain/door/ticket-code.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import { sayCount } from '#apps/scanner/screens/words.ts';
import { BoxRow, FoundRow } from './found-row.tsx';
import { Panel } from './panel.tsx';
import { phone } from '#apps/scanner/scan/phone.ts';
import type { Recognised } from '#apps/scanner/list/recognise.ts';
import {
  leastLetters,
  leastLettersOfNames,
  type Found,
  type SearchedBy,
} from '#apps/scanner/list/search.ts';
import { splitCode } from '#apps/scanner/camera/keyboard-reader.ts';
import parts from '#apps/scanner/screens/parts.module.css';
import rows from './rows.module.css';
import styles from './search-panel.module.css';

const shownPlaces = 50;

/** `three`: the kinds of text that are searched only from three characters on. */
const words: Record<SearchedBy, { label: string; hint: string; three: string | null }> = {
  seats: {
    label: 'Posto',
    hint: 'Bastano le prime lettere: «pl c 4». Per nome e ordine serve il telefono di un responsabile.',
    three: null,
  },
  buyers: {
    label: 'Posto o nome di chi ha comprato',
    hint: 'Bastano le prime lettere: «pl c 4», «rossi an».',
    three: 'il nome',
  },
  orders: {
    label: 'Posto o numero d’ordine',
    hint: 'Bastano le prime lettere: «platea c 4», «A7K2». I nomi ci sono solo dove l’ufficio lo ha deciso.',
    three: 'l’ordine',
  },
  names: {
    label: 'Nome, posto o numero d’ordine',
    hint: 'Bastano le prime lettere: «rossi an», «platea c 4», «A7K2».',
    three: 'nome e ordine',
  },
};

/** The search survives while a person looks at one result and comes back. */
let lastText = '';
/** The box that was open then. */
let lastBox: string | null = null;

/** Cleared, because the next search is about another guest. */
export function forgetSearch(): void {
  lastText = '';
  lastBox = null;
}

interface SearchProps {
  event_id: string;
  onClose: () => void;
  onChosen: (recognised: Recognised, means: 'code' | 'search') => void;
}

export function SearchPanel({ event_id, onClose, onChosen }: SearchProps) {
  const [text, setText] = useState(lastText);
  const [box, setBox] = useState(lastBox);
  const { label, hint, three } = words[phone.searchedBy(event_id)];
  // Typing must not wait until the list is drawn.
  const asked = useDeferredValue(text.trim());
  const found = asked.length < leastLetters ? [] : phone.search(event_id, asked, shownPlaces);

  function write(next: string) {
    lastText = next;
    setText(next);
  }
  function open(next: string | null) {
    lastBox = next;
    setBox(next);
  }
  function choose(place: string) {
    onChosen(phone.recognisePlace(event_id, place), 'search');
  }
  function leave() {
    forgetSearch();
    onClose();
  }
  /** A handheld reader types into the focused field; its code is not a search. */
  function go() {
    const code = readTicketCode(text) ? text : (splitCode(text)?.code ?? null);
    if (code !== null) {
      forgetSearch();
      void phone.recognise(event_id, code).then((recognised) => onChosen(recognised, 'code'));
      return;
    }
    const [only, ...others] = found;
    if (only === undefined || others.length > 0) return;
    if ('seats' in only) open(only.seat);
    else choose(only.place);
  }

  return (
    <Panel title="Cerca" onClose={leave}>
      <search className={styles.form}>
        <SearchField label={label} hint={hint} value={text} onWrite={write} onEnter={go} />
      </search>
      <p className={parts.soft} aria-live="polite" data-found={found.length}>
        {resultWords(asked, found, three)}
      </p>
      <Results found={found} box={box} onBox={open} onChosen={choose} />
    </Panel>
  );
}

interface FieldProps {
  label: string;
  hint: string;
  value: string;
  onWrite: (text: string) => void;
  onEnter: () => void;
}

function SearchField({ label, hint, value, onWrite, onEnter }: FieldProps) {
  return (
    <Field
      label={label}
      hint={hint}
      value={value}
      onChange={(event) => onWrite(event.target.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') onEnter();
      }}
      type="search"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      enterKeyHint="search"
      maxLength={200}
      data-autofocus
    />
  );
}

interface ResultsProps {
  found: readonly Found[];
  /** The box that is open. */
  box: string | null;
  onBox: (box: string | null) => void;
  onChosen: (place: string) => void;
}

function Results({ found, box, onBox, onChosen }: ResultsProps) {
  return (
    <ul className={rows.list}>
      {found.map((one) =>
        'seats' in one ? (
          <BoxRow
            key={one.seat}
            found={one}
            isOpen={box === one.seat}
            onToggle={() => onBox(box === one.seat ? null : one.seat)}
            onChosen={onChosen}
          />
        ) : (
          <FoundRow key={one.place} found={one} onChosen={onChosen} />
        ),
      )}
    </ul>
  );
}

function resultWords(asked: string, found: readonly Found[], three: string | null): string {
  if (asked.length < leastLetters)
    return `Scrivi almeno due caratteri${three === null ? '' : `, tre per ${three}`}.`;
  if (found.length === 0)
    return three !== null && asked.length < leastLettersOfNames
      ? `Per ${three} scrivi almeno tre caratteri.`
      : 'Nessun posto trovato.';
  const count = found.reduce((sum, one) => sum + ('seats' in one ? one.seats.length : 1), 0);
  return found.length === shownPlaces
    ? `I primi ${shownPlaces}: scrivi ancora qualcosa.`
    : sayCount(count, 'posto trovato', 'posti trovati');
}
