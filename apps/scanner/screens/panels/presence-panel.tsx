/**
 * "Presenze": how many are inside as far as this phone knows, by gate, sector and category, and
 * how fresh that is.
 */
import type { CSSProperties } from 'react';
import { formatTime } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { GateFigures, PresenceFigures, PresencePart } from '#server/domain/door/presence.ts';
import { sayCount, sayNumber } from '#apps/scanner/screens/words.ts';
import { toldQueue } from '#apps/scanner/sync/told-queue.ts';
import { HeadsSection } from './heads-section.tsx';
import { Panel } from './panel.tsx';
import { phone } from '#apps/scanner/scan/phone.ts';
import { agoOf } from '#apps/scanner/screens/scan/verdict/reason.ts';
import { isOldList } from '#apps/scanner/screens/list-age.ts';
import { useLive, useMemory, useStatus } from '#apps/scanner/screens/status.ts';
import type { StoredEvent } from '#apps/scanner/kit/store.ts';
import { useNow } from '#apps/scanner/screens/use-now.ts';
import { Note, type NoteProps } from '#apps/scanner/screens/parts.tsx';
import parts from '#apps/scanner/screens/parts.module.css';
import styles from './presence-panel.module.css';

export function PresencePanel({ event, onClose }: { event: StoredEvent; onClose: () => void }) {
  const figures = useMemory(() => phone.presence(event.event_id));
  const heads = useMemory(() => phone.heads(event.event_id));
  const without = Math.max(0, heads.inside);
  const room = event.facts?.licensed ?? figures.places;
  return (
    <Panel title="Presenze" onClose={onClose}>
      <section
        className={`${parts.card} ${styles.all}`}
        aria-label="Tutto l’evento"
        data-presence={figures.inside}
      >
        <p className={styles.big}>
          <strong>{sayNumber(figures.inside + without)}</strong>{' '}
          {figures.inside + without === 1 ? 'presente' : 'presenti'}{' '}
          <span className={styles.room}>su {sayNumber(room)}</span>
        </p>
        {without > 0 && (
          <p className={styles.without}>di cui {sayNumber(without)} senza biglietto</p>
        )}
        <Bar figures={figures} />
        <p className={parts.soft}>
          {sayCount(figures.entered, 'entrato', 'entrati')} di{' '}
          {sayCount(figures.sold, 'biglietto venduto', 'biglietti venduti')} ·{' '}
          {sayCount(figures.places, 'posto', 'posti')}
        </p>
      </section>
      <Freshness event={event} />
      <HeadsSection event_id={event.event_id} />
      <Gates gates={figures.by_gate} />
      <Parts title="Per settore" of={figures.by_section} />
      <Parts title="Per categoria" of={figures.by_category} />
    </Panel>
  );
}

/** How much this phone knows of other phones' scans. */
function Freshness({ event }: { event: StoredEvent }) {
  const told = useLive(() => toldQueue(phone.db))?.events;
  const waiting = told?.find(({ event_id }) => event_id === event.event_id)?.unsent_entries ?? 0;
  const { online } = useStatus();
  const now = useNow();
  const { updated_at } = event;
  return (
    <Note {...lookOf(isOldList(event, now), online)}>
      {updated_at === null
        ? 'Degli altri telefoni non si sa ancora nulla.'
        : `Gli altri telefoni: fino alle ${formatTime(updated_at)} (${agoOf(now - updated_at)}).`}
      {waiting > 0 &&
        ` Di questo telefono ci sono già anche ${sayCount(waiting, 'ingresso che gli altri non conoscono', 'ingressi che gli altri non conoscono')}.`}
    </Note>
  );
}

function lookOf(isOld: boolean, online: boolean): Pick<NoteProps, 'tone' | 'icon'> {
  if (isOld) return { tone: 'bad' };
  return online ? { tone: 'good', icon: 'online' } : { tone: 'warn', icon: 'offline' };
}

function Gates({ gates }: { gates: readonly GateFigures[] }) {
  if (gates.length === 0) return null;
  return (
    <section className={parts.stack} aria-label="Per varco">
      <h2>Per varco</h2>
      <ul className={`${parts.card} ${styles.figures}`}>
        {gates.map(({ name, in: entered, out, expected }) => (
          <li key={name ?? ''} className={styles.figure}>
            <span className={styles.name}>{name ?? 'Senza varco'}</span>
            <span className={styles.count}>
              <Icon name="door" label="Entrati" />
              {sayNumber(entered)}
              {expected !== null && <span className={parts.soft}>di {sayNumber(expected)}</span>}
            </span>
            <span className={styles.count}>
              <Icon name="logout" label="Usciti" />
              {sayNumber(out)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Parts({ title, of }: { title: string; of: readonly PresencePart[] }) {
  if (of.length === 0) return null;
  return (
    <section className={parts.stack} aria-label={title}>
      <h2>{title}</h2>
      <ul className={`${parts.card} ${styles.figures}`}>
        {of.map((part) => (
          <li key={part.name} className={styles.figure}>
            <span className={styles.name}>
              {part.name}
              <br />
              <span className={parts.soft}>
                {sayNumber(part.sold)} di {sayCount(part.places, 'posto venduto', 'posti venduti')}
              </span>
            </span>
            <span className={styles.count}>{sayNumber(part.inside)} dentro</span>
            <Bar figures={part} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The bar repeats the figures beside it. */
function Bar({ figures: { inside, sold } }: { figures: PresenceFigures }) {
  return (
    <span
      className={styles.bar}
      aria-hidden="true"
      style={{ '--part': sold === 0 ? 0 : Math.min(1, inside / sold) } as CSSProperties}
    />
  );
}
