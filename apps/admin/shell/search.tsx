/** The search of the whole office, opened over any screen by "/" or Ctrl K. */
import { keepPreviousData } from '@tanstack/react-query';
import { useDeferredValue, useId, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { searchOffice } from '#server/contract/search.ts';
import { formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { SecondLine } from '#apps/admin/kit/list/table.tsx';
import { orderStateWords } from '#apps/admin/kit/words.ts';
import styles from './search.module.css';

type Found = ReplyOf<typeof searchOffice>['items'][number];

interface Line {
  to: string;
  icon: IconName;
  name: string;
  about: string;
}

function lineOf(found: Found): Line {
  switch (found.kind) {
    case 'order':
      return {
        to: `/orders/${encodeURIComponent(found.id)}`,
        icon: 'cart',
        name: joinParts(found.number, found.buyer_name ?? found.buyer_email),
        about: joinParts(
          orderStateWords[found.state].word,
          found.seat,
          `${found.event_title}, ${formatShortDate(found.starts_at)}`,
        ),
      };
    case 'event':
      return {
        to: `/events/${encodeURIComponent(found.id)}`,
        icon: 'calendar',
        name: found.title || 'Senza titolo',
        about: formatShortDate(found.starts_at),
      };
    case 'phone':
      return {
        to: `/door/phones?q=${encodeURIComponent(found.name)}`,
        icon: 'phone',
        name: found.name,
        about: joinParts('Telefono della porta', found.gate),
      };
  }
}

const shortest = 2;

function useFound(text: string) {
  const q = useDeferredValue(text.trim());
  const found = useEndpoint(
    searchOffice,
    { query: { q } },
    { enabled: q.length >= shortest, placeholderData: keepPreviousData, staleTime: 5_000 },
  );
  const isFresh = q === text.trim() && !found.isPlaceholderData && !found.isFetching;
  return {
    ...found,
    lines: q.length < shortest ? [] : (found.data?.items ?? []).map(lineOf),
    isFresh,
  };
}

export function SearchDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { lines, isFresh, isError, error } = useFound(text);
  const chosen = lines[Math.min(at, lines.length - 1)];

  function open(line: Line) {
    onClose();
    void navigate(line.to);
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, lines.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
    // Enter waits for the results of the present text.
    else if (event.key === 'Enter' && chosen !== undefined && isFresh) open(chosen);
    else return;
    event.preventDefault();
  }

  return (
    <Modal title="Cerca in tutto l’ufficio" onClose={onClose}>
      <input
        className="ui-input"
        type="text"
        role="combobox"
        aria-label="Numero, nome, e-mail, posto, ricevuta, biglietto, spettacolo o telefono"
        aria-expanded={lines.length > 0}
        aria-controls={id}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${lines.indexOf(chosen)}`}
        placeholder="Numero, nome, e-mail, posto, ricevuta…"
        value={text}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onKeyDown={press}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
      />
      <p className={styles.told} role="status">
        {tellFound({
          text,
          count: lines.length,
          isFresh,
          failure: isError ? tellFailure(error) : null,
        })}
      </p>
      <FoundList id={id} lines={lines} chosen={chosen} onOpen={open} />
    </Modal>
  );
}

interface FoundListProps {
  id: string;
  lines: readonly Line[];
  chosen: Line | undefined;
  onOpen: (line: Line) => void;
}

function FoundList({ id, lines, chosen, onOpen }: FoundListProps) {
  return (
    <div id={id} className={styles.found} role="listbox" aria-label="Trovati">
      {lines.map((line, index) => (
        <button
          key={`${line.to} ${line.about}`}
          id={`${id}-${index}`}
          type="button"
          className={styles.line}
          role="option"
          tabIndex={-1}
          aria-selected={line === chosen}
          onClick={() => onOpen(line)}
        >
          <Icon name={line.icon} />
          <span>
            {line.name}
            <SecondLine>{line.about}</SecondLine>
          </span>
        </button>
      ))}
    </div>
  );
}

interface Told {
  text: string;
  count: number;
  isFresh: boolean;
  failure: string | null;
}

function tellFound({ text, count, isFresh, failure }: Told): string {
  if (text.trim().length < shortest)
    return 'Scrivi almeno due lettere. Frecce per scegliere, Invio per aprire.';
  if (failure !== null && count === 0) return failure;
  if (!isFresh) return 'Cerco…';
  if (count === 0)
    return 'Niente con queste parole. Prova con il numero dell’ordine o una parte del nome.';
  return count === 1 ? '1 risultato' : `${count} risultati`;
}
