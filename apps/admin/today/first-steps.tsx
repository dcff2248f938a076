/** The first steps of a new house, from its legal data to the rehearsal, until all are done. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readToday } from '#server/contract/today.ts';
import type { FirstStep, StepState } from '#server/domain/user/first-steps.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import type { StateWords } from '#apps/admin/kit/words.ts';
import { newEventPath } from '#apps/admin/shell/navigation.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './first-steps.module.css';

interface Words {
  title: string;
  why: string;
  /** Where it is done; a function if something begun is continued. */
  to: string | ((event_id: string | null) => string);
  act: string;
}

const words: Record<FirstStep, Words> = {
  seller: {
    title: 'Chi vende',
    why: 'La legge vuole su ogni pagina il nome, la partita IVA o il codice fiscale e un recapito.',
    to: '/settings/site',
    act: 'Scrivi chi vende',
  },
  mail: {
    title: 'La posta',
    why: 'Senza un server di posta nessun compratore riceve i suoi biglietti.',
    to: '/settings/guide#4-la-posta',
    act: 'Vedi come si imposta',
  },
  stripe: {
    title: 'Stripe',
    why: 'Senza le sue chiavi i pagamenti sono simulati; per cominciare bastano quelle di prova.',
    to: '/settings/guide#3-stripe-e-la-mappa-dei-posti',
    act: 'Vedi dove vanno le chiavi',
  },
  hall: {
    title: 'La sala',
    why: 'I posti si scelgono sulla pianta: si disegna o si importa, poi si pubblica.',
    to: '/settings/charts',
    act: 'Prepara la pianta',
  },
  event: {
    title: 'Il primo spettacolo',
    why: 'Con una data, la sala e i prezzi si pubblica, e comincia la vendita.',
    to: (id) => (id === null ? newEventPath : `/events/${encodeURIComponent(id)}`),
    act: 'Prepara lo spettacolo',
  },
  phone: {
    title: 'Un telefono per la porta',
    why: 'Legge i biglietti anche senza rete; si abbina inquadrando un codice.',
    to: '/door/phones',
    act: 'Abbina un telefono',
  },
  rehearsal: {
    title: 'La prova generale',
    why: 'Un foglio di codici da leggere con i telefoni, poi la prova si chiude: così la prima sera non ha sorprese.',
    to: (id) => `/door/rehearsals${id === null ? '' : `/${encodeURIComponent(id)}`}`,
    act: 'Fai la prova',
  },
};

const states: Record<StepState, StateWords> = {
  done: { tone: 'good', icon: 'check', word: 'Fatto' },
  next: { tone: 'primary', icon: 'forward', word: 'Adesso' },
  later: { tone: 'neutral', icon: 'clock', word: 'Poi' },
};

export function FirstSteps({ steps }: { steps: ReplyOf<typeof readToday>['first_steps'] }) {
  if (steps.length === 0) return null;
  const done = steps.filter(({ state }) => state === 'done').length;
  return (
    <Panel wide aria-labelledby="first-steps-title">
      <div className={panelStyles.title}>
        <h2 id="first-steps-title">Primi passi</h2>
        <span className={textStyles.soft}>
          {done} di {steps.length}
        </span>
      </div>
      <ol className={styles.steps}>
        {steps.map(({ name, state, event_id }) => {
          const { title, why, to, act } = words[name];
          return (
            <li key={name} className={styles.step} data-state={state}>
              <StateBadge {...states[state]} />
              <p>
                <b>{title}</b> {state !== 'done' && why}
              </p>
              {state !== 'done' && (
                <Link
                  className={
                    state === 'next'
                      ? `ui-button ui-button-primary ${buttonStyles.small}`
                      : undefined
                  }
                  to={typeof to === 'string' ? to : to(event_id)}
                >
                  {act}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
