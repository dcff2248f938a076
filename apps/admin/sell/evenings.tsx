/** Evenings on sale as a list of links; a digit key opens one. */
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { formatCount, formatShortDate } from '#apps/shared/format.ts';
import type { Counter } from '#apps/admin/print/printed.tsx';
import styles from './sell.module.css';

interface EveningLinksProps {
  events: Counter['events'];
  pathOf: (eventId: string) => string;
}

export function EveningLinks({ events, pathOf }: EveningLinksProps) {
  useDigits(events.map(({ id }) => pathOf(id)));
  return (
    <ol className={styles.events}>
      {events.map((event, at) => (
        <li key={event.id}>
          <Link to={pathOf(event.id)}>
            {at < 9 && <kbd>{at + 1}</kbd>}
            <span>
              <strong>{event.title}</strong> {formatShortDate(event.starts_at)}
            </span>
            <span>{formatCount(event.places_left, 'posto libero', 'posti liberi')}</span>
          </Link>
        </li>
      ))}
    </ol>
  );
}

/** A digit key opens the evening with that number, except while a text is typed. */
function useDigits(paths: readonly string[]): void {
  const navigate = useNavigate();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
      const { target } = event;
      const isTyping = target instanceof HTMLInputElement && target.type !== 'checkbox';
      const path = /^[1-9]$/.test(event.key) ? paths[Number(event.key) - 1] : undefined;
      if (isPlain && !isTyping && path !== undefined) navigate(path);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [paths, navigate]);
}
