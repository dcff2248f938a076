/** Finds an event or a show by its name, for a report. */
import { useState, type ReactNode } from 'react';
import { listEvents } from '#server/contract/events.ts';
import { listShows } from '#server/contract/shows.ts';
import { formatCount, formatListDate } from '#apps/shared/format.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { SecondLine } from '#apps/admin/kit/list/table.tsx';
import { SearchField, withoutEmpty } from '#apps/admin/kit/list/filters.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { useTypedSearch } from '#apps/admin/kit/list/typed-search.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './report.module.css';

interface ChooseProps {
  title: string;
  onChoose: (id: string) => void;
  onClose: () => void;
}

const renewMs = 60_000;

export function ChooseEvent({ title, onChoose, onClose }: ChooseProps) {
  const [q, setQ] = useState('');
  const pages = usePages(listEvents, { query: withoutEmpty({ q }) }, renewMs);
  return (
    <Finding title={title} hint="Titolo dell’evento" q={q} onSearch={setQ} onClose={onClose}>
      <PagedList pages={pages}>
        {(events) => (
          <Found
            lines={events.map(({ id, title: name, starts_at, venue_title }) => ({
              id,
              name: name || 'Evento senza titolo',
              under: `${formatListDate(starts_at)} · ${venue_title}`,
            }))}
            onChoose={onChoose}
          />
        )}
      </PagedList>
    </Finding>
  );
}

export function ChooseShow({ title, onChoose, onClose }: ChooseProps) {
  const [q, setQ] = useState('');
  const pages = usePages(listShows, { query: withoutEmpty({ q }) }, renewMs);
  return (
    <Finding title={title} hint="Titolo dello spettacolo" q={q} onSearch={setQ} onClose={onClose}>
      <PagedList pages={pages}>
        {(shows) => (
          <Found
            lines={shows.map(({ id, title: name, coming, past, venue_title }) => ({
              id,
              name: name || 'Spettacolo senza titolo',
              under: `${formatCount(coming + past, 'data', 'date')} · ${venue_title}`,
            }))}
            onChoose={onChoose}
          />
        )}
      </PagedList>
    </Finding>
  );
}

interface FindingProps {
  title: string;
  hint: string;
  q: string;
  onSearch: (q: string) => void;
  onClose: () => void;
  children: ReactNode;
}

function Finding({ title, hint, q, onSearch, onClose, children }: FindingProps) {
  const search = useTypedSearch(q, onSearch);
  return (
    <Modal title={title} onClose={onClose}>
      <SearchField search={search} label={`Cerca per ${hint.toLowerCase()}`} hint={hint} />
      <div className={styles.found}>{children}</div>
    </Modal>
  );
}

interface FoundProps {
  lines: readonly { id: string; name: string; under: string }[];
  onChoose: (id: string) => void;
}

function Found({ lines, onChoose }: FoundProps) {
  if (lines.length === 0)
    return <p className={textStyles.soft}>Non si trova nulla con questo nome.</p>;
  return (
    <ul>
      {lines.map(({ id, name, under }) => (
        <li key={id}>
          <button type="button" onClick={() => onChoose(id)}>
            {name} <SecondLine>{under}</SecondLine>
          </button>
        </li>
      ))}
    </ul>
  );
}
