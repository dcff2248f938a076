/**
 * "Cerca": finds a place by seat; for supervisors also by order number, and by name where the
 * event is nominative. A tap only shows the place.
 */
import { useDeferredValue, useState } from 'react';
import { letGoWords } from '#server/domain/door/kept.ts';
import { readTicketCode } from '#server/domain/door/ticket-code.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { categoryBeside, joinFacts, sayCount } from '#apps/scanner/screens/words.ts';
import { Panel } from './panel.tsx';
import { phone } from '#apps/scanner/scan/phone.ts';
import type { Recognised } from '#apps/scanner/list/recognise.ts';
import {
  leastLetters,
  leastLettersOfNames,
  type FoundPlace,
  type SearchedBy,
} from '#apps/scanner/list/search.ts';
import { SeatWords } from '#apps/scanner/screens/scan/verdict/verdict-parts.tsx';
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
  orders: {
    label: 'Posto o numero d’ordine',
    hint: 'Bastano le prime lettere: «platea c 4», «A7K2». I nomi ci sono solo per gli spettacoli nominativi.',
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

/** Cleared, because the next search is about another guest. */
export function forgetSearch(): void {
  lastText = '';
}

interface SearchProps {
  event_id: string;
  onClose: () => void;
  onChosen: (recognised: Recognised, means: 'code' | 'search') => void;
}

export function SearchPanel({ event_id, onClose, onChosen }: SearchProps) {
  const [text, setText] = useState(lastText);
  const { label, hint, three } = words[phone.searchedBy(event_id)];
  // Typing must not wait until the list is drawn.
  const asked = useDeferredValue(text.trim());
  const found = asked.length < leastLetters ? [] : phone.search(event_id, asked, shownPlaces);

  function write(next: string) {
    lastText = next;
    setText(next);
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
    } else if (found.length === 1)
      onChosen(phone.recognisePlace(event_id, found.map(({ place }) => place).join('')), 'search');
  }

  return (
    <Panel title="Cerca" onClose={leave}>
      <search className={styles.form}>
        <Field
          label={label}
          hint={hint}
          value={text}
          onChange={(event) => write(event.target.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') go();
          }}
          type="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={200}
          data-autofocus
        />
      </search>
      <p className={parts.soft} aria-live="polite" data-found={found.length}>
        {resultWords(asked, found.length, three)}
      </p>
      <ul className={rows.list}>
        {found.map((place) => (
          <FoundRow
            key={place.place}
            found={place}
            onClick={() => onChosen(phone.recognisePlace(event_id, place.place), 'search')}
          />
        ))}
      </ul>
    </Panel>
  );
}

function resultWords(asked: string, count: number, three: string | null): string {
  if (asked.length < leastLetters)
    return `Scrivi almeno due caratteri${three === null ? '' : `, tre per ${three}`}.`;
  if (count === 0)
    return three !== null && asked.length < leastLettersOfNames
      ? `Per ${three} scrivi almeno tre caratteri.`
      : 'Nessun posto trovato.';
  return count === shownPlaces
    ? `I primi ${shownPlaces}: scrivi ancora qualcosa.`
    : sayCount(count, 'posto trovato', 'posti trovati');
}

function FoundRow({
  found: { seat, category, ticket, inside, name, order_number },
  onClick,
}: {
  found: FoundPlace;
  onClick: () => void;
}) {
  const about = joinFacts(
    name ?? ticket?.initials,
    categoryBeside({ seat, category }),
    ticket?.type_label,
    order_number,
  );
  return (
    <li>
      <button type="button" className={rows.button} onClick={onClick}>
        <span className={rows.text}>
          <strong>
            <SeatWords seat={seat} />
          </strong>
          <span className={parts.soft}>{about === '' ? 'Non venduto' : about}</span>
        </span>
        <TicketBadge ticket={ticket} inside={inside} />
      </button>
    </li>
  );
}

const ticketWords = {
  void: 'Annullato',
  refunded: 'Rimborsato',
  unpaid: 'Da pagare',
  trial: 'Prova',
  other: 'Da verificare',
  let_go: letGoWords,
} as const;

function TicketBadge({ ticket, inside }: Pick<FoundPlace, 'ticket' | 'inside'>) {
  if (ticket === null) return <Badge>Libero</Badge>;
  if (inside)
    return (
      <Badge tone="good" icon="check">
        Dentro
      </Badge>
    );
  if (ticket.state === 'valid' || ticket.state === 'kept') return <Badge icon="clock">Fuori</Badge>;
  return (
    <Badge tone="warn" icon="warning">
      {ticketWords[ticket.state]}
    </Badge>
  );
}
