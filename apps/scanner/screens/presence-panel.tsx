/** "Presenze": who is inside by what this phone knows, per gate, sector and category, and how far that can be trusted. */
import type { CSSProperties } from 'react';
import { formatTime } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { PresenceFigures, PresencePart } from '#server/domain/presence.ts';
import { sayCount, sayNumber } from './count.ts';
import { Panel } from './panel.tsx';
import { presence } from '#apps/scanner/scan/phone.ts';
import { agoOf } from './scan/reason.ts';
import { isOldList, useQueueLength } from './status-line.tsx';
import { useMemory, useStatus } from './status.ts';
import type { StoredEvent } from '#apps/scanner/list/store.ts';
import { useNow } from './use-now.ts';

export function PresencePanel({ event, onClose }: { event: StoredEvent; onClose: () => void }) {
  const figures = useMemory(() => presence(event.event_id));
  const waiting = useQueueLength() ?? 0;
  const { online } = useStatus();
  const now = useNow();
  const isOld = isOldList(event, now);
  return (
    <Panel title="Presenze" onClose={onClose} className="presence">
      <section
        className="card presence-all"
        aria-label="Tutto l’evento"
        data-presence={figures.inside}
      >
        <p className="presence-big">
          <strong>{sayNumber(figures.inside)}</strong> dentro
        </p>
        <Bar figures={figures} />
        <p className="soft">
          {sayCount(figures.entered, 'entrato', 'entrati')} di{' '}
          {sayCount(figures.sold, 'biglietto venduto', 'biglietti venduti')} ·{' '}
          {sayCount(figures.places, 'posto', 'posti')}
        </p>
      </section>
      <p className={isOld ? 'note note-bad' : online ? 'note note-good' : 'note note-warn'}>
        <Icon name={isOld ? 'warning' : online ? 'online' : 'offline'} />
        <span>
          {event.updated_at === null
            ? 'Degli altri telefoni non si sa ancora nulla.'
            : `Gli altri telefoni: fino alle ${formatTime(event.updated_at)} (${agoOf(now - event.updated_at)}).`}
          {waiting > 0 &&
            ` Di questo telefono ci sono già anche ${sayCount(waiting, 'lettura che gli altri non conoscono', 'letture che gli altri non conoscono')}.`}
        </span>
      </p>
      {figures.by_gate.length > 0 && (
        <section className="stack" aria-label="Per varco">
          <h2>Per varco</h2>
          <ul className="card figures">
            {figures.by_gate.map(({ name, in: entered, out, expected }) => (
              <li key={name ?? ''} className="figure">
                <span className="figure-name">{name ?? 'Senza varco'}</span>
                <span className="figure-count">
                  <Icon name="door" label="Entrati" />
                  {sayNumber(entered)}
                  {expected !== null && <span className="soft">di {sayNumber(expected)}</span>}
                </span>
                <span className="figure-count">
                  <Icon name="logout" label="Usciti" />
                  {sayNumber(out)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Parts title="Per settore" parts={figures.by_section} />
      <Parts title="Per categoria" parts={figures.by_category} />
    </Panel>
  );
}

function Parts({ title, parts }: { title: string; parts: readonly PresencePart[] }) {
  if (parts.length === 0) return null;
  return (
    <section className="stack" aria-label={title}>
      <h2>{title}</h2>
      <ul className="card figures">
        {parts.map((part) => (
          <li key={part.name} className="figure figure-part">
            <span className="figure-name">
              {part.name}
              <br />
              <span className="soft">
                {sayNumber(part.sold)} di {sayCount(part.places, 'posto venduto', 'posti venduti')}
              </span>
            </span>
            <span className="figure-count">{sayNumber(part.inside)} dentro</span>
            <Bar figures={part} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The figures beside it say the same in words. */
function Bar({ figures: { inside, sold } }: { figures: PresenceFigures }) {
  return (
    <span
      className="bar"
      aria-hidden="true"
      style={{ '--part': sold === 0 ? 0 : Math.min(1, inside / sold) } as CSSProperties}
    />
  );
}
