/**
 * The question about third-party services at the foot of the screen: refusing is as easy as
 * accepting, and closing it refuses.
 */
import { useLayoutEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { Monitor } from '#server/domain/site/monitoring.ts';
import styles from './banner.late.module.css';

interface ConsentAsk {
  asked: readonly Monitor[];
  /** Services that the visitor allowed before. */ allowed: readonly Monitor[];
  /** True if the visitor opened the question. */ takesFocus: boolean;
  onChoice: (allowed: Monitor[]) => void;
}

const words: Record<Monitor, { purpose: string; label: string; detail: string }> = {
  errors: {
    purpose: 'trovare gli errori del sito',
    label: 'Segnalazione degli errori',
    detail:
      'Un fornitore riceve gli errori della pagina e, a campione, una sua registrazione con i testi nascosti.',
  },
  speed: {
    purpose: 'misurarne la velocità',
    label: 'Misure di velocità',
    detail: 'Un fornitore riceve i tempi di caricamento e i passi compiuti nella pagina.',
  },
  statistics: {
    purpose: 'contare le visite',
    label: 'Statistiche',
    detail: 'Un fornitore conta le pagine viste.',
  },
};

/** Draws into a React root of its own, so it appears on every page without code there. */
export function showConsent({ onChoice, ...ask }: ConsentAsk): void {
  document.querySelector('.consent-host')?.remove();
  const host = document.createElement('div');
  host.className = 'consent-host no-print';
  // The question is first in the keyboard's order, although it is drawn at the foot.
  document.body.prepend(host);
  const root = createRoot(host);
  root.render(
    <ConsentBanner
      {...ask}
      onChoice={(allowed) => {
        root.unmount();
        host.remove();
        onChoice(allowed);
      }}
    />,
  );
}

function ConsentBanner({ asked, allowed, takesFocus, onChoice }: ConsentAsk) {
  const [choosing, setChoosing] = useState(false);
  const [chosen, setChosen] = useState(allowed);
  const section = useRef<HTMLElement>(null);
  useRoom(section);
  useLayoutEffect(() => {
    if (takesFocus) section.current?.focus();
  }, [takesFocus]);
  return (
    <section className={styles.banner} aria-labelledby="consent-title" tabIndex={-1} ref={section}>
      <div className={styles.head}>
        <h2 id="consent-title">Ci permetti di misurare?</h2>
        <button
          type="button"
          className="ui-dialog-close"
          aria-label="Chiudi e rifiuta"
          onClick={() => onChoice([])}
        >
          <Icon name="cross" />
        </button>
      </div>
      <p>
        Con il tuo consenso usiamo strumenti di terze parti per{' '}
        {joinWords(asked.map((service) => words[service].purpose))}. Se rifiuti, il sito funziona
        allo stesso modo. <a href="/cookie">Leggi di più</a>
      </p>
      {choosing && <Choices asked={asked} chosen={chosen} onChange={setChosen} />}
      <div className={styles.actions}>
        <button type="button" className="ui-button ui-button-primary" onClick={() => onChoice([])}>
          Rifiuta
        </button>
        <button
          type="button"
          className="ui-button ui-button-primary"
          onClick={() => onChoice([...asked])}
        >
          Accetta
        </button>
        <button
          type="button"
          className="ui-button"
          aria-expanded={choosing ? undefined : false}
          onClick={() =>
            choosing
              ? onChoice(asked.filter((service) => chosen.includes(service)))
              : setChoosing(true)
          }
        >
          {choosing ? 'Salva le scelte' : 'Personalizza'}
        </button>
      </div>
    </section>
  );
}

interface ChoicesProps {
  asked: readonly Monitor[];
  chosen: readonly Monitor[];
  onChange: (chosen: Monitor[]) => void;
}

function Choices({ asked, chosen, onChange }: ChoicesProps) {
  return (
    <fieldset className={styles.choices}>
      <legend className="visually-hidden">Che cosa accetti</legend>
      {asked.map((service) => (
        <label key={service}>
          <input
            type="checkbox"
            checked={chosen.includes(service)}
            onChange={({ target }) => {
              const others = chosen.filter((one) => one !== service);
              onChange(target.checked ? [...others, service] : others);
            }}
          />
          <span>
            {words[service].label}
            <span className="soft">{words[service].detail}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Reserves room for the question below the page and below the booking bar. */
function useRoom(section: React.RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const page = document.documentElement;
    const observer = new ResizeObserver(() =>
      page.style.setProperty('--consent-height', `${section.current?.offsetHeight ?? 0}px`),
    );
    if (section.current) observer.observe(section.current);
    return () => {
      observer.disconnect();
      page.style.removeProperty('--consent-height');
    };
  }, [section]);
}

/** As in "a, b e c". */
function joinWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} e ${parts.at(-1)}`;
}
