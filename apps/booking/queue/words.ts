/** The words of the waiting room for each stage: on the page, in the tab's title, and aloud. */
import { formatLongDate, formatTime } from '#apps/shared/format.ts';
import { sayWait, type Wait } from '#server/domain/queue/wait.ts';
import type { QueuePhase } from '#server/domain/queue/queue.ts';
import type { QueueStage } from './stage.ts';

export interface QueueFacts {
  phase: QueuePhase;
  stage: QueueStage;
  number: number | null;
  ahead: number | null;
  /** Null if unknown. */
  wait: Wait | null;
  /** The time of the draw; null if it is not fixed. */
  opensAt: string | null;
  /** The time until which a called visitor may come in. */
  until: string | null;
}

interface QueueWords {
  title: string;
  text: string;
}

const openingWords = (opensAt: string | null) =>
  opensAt === null ? 'all’apertura della vendita' : formatLongDate(opensAt);

export function sayQueue(facts: QueueFacts): QueueWords {
  switch (facts.stage) {
    case 'outside':
      return {
        title: 'Si entra dalla sala d’attesa',
        text:
          facts.phase === 'before'
            ? `L’ordine si estrae a sorte ${openingWords(facts.opensAt)} tra chi è in sala d’attesa: arrivare prima non dà vantaggio.`
            : 'Molte persone vogliono questi biglietti: si sceglie a turno. Entra, ricevi un numero e aspetta qui.',
      };
    case 'gathering':
      return {
        title: 'Sei in sala d’attesa',
        text: `L’ordine si estrae a sorte ${openingWords(facts.opensAt)}: arrivare prima non dà vantaggio. Poi questa pagina mostra il tuo numero.`,
      };
    case 'numberless':
      return {
        title: 'Il tuo numero sta arrivando',
        text: 'Tra pochi secondi lo vedi qui.',
      };
    case 'waiting':
      return { title: `Il tuo numero è ${say(facts.number)}`, text: waitWords(facts) };
    case 'paused':
      return {
        title: 'La sala d’attesa è in pausa',
        text:
          facts.number === null
            ? 'Per ora non entra nessuno. Il tuo posto resta tuo.'
            : `Per ora non entra nessuno. Il tuo numero resta ${say(facts.number)}.`,
      };
    case 'called':
      return {
        title: 'È il tuo turno',
        text: `Entra entro le ${formatTime(facts.until!)}: dopo, il turno passa ad altri.`,
      };
    case 'expired':
      return {
        title: 'Il tuo turno è passato',
        text: 'Rientra in sala d’attesa: ricevi un nuovo numero, in fondo alla fila.',
      };
    case 'done':
      return {
        title: 'Con questo turno hai già prenotato',
        text: 'Se hai annullato l’ordine, torna alla pianta finché dura il turno. Per altri biglietti rientra in sala d’attesa: ricevi un nuovo numero.',
      };
    case 'closed':
      return {
        title: 'La sala d’attesa è chiusa',
        text: 'Per ora non si entra più.',
      };
    case 'inside':
    case 'free':
      return { title: '', text: '' };
  }
}

function waitWords({ ahead, wait }: QueueFacts): string {
  const before = aheadWords(ahead ?? 0);
  return wait === null ? `${before}.` : `${before}: entri ${sayTurn(wait)}.`;
}

function sayTurn(wait: Wait): string {
  const said = sayWait(wait);
  return said.startsWith('tra') ? said : `tra ${said}`;
}

function aheadWords(ahead: number): string {
  if (ahead === 0) return 'Sei il prossimo';
  return ahead === 1 ? 'Hai una persona davanti' : `Hai ${say(ahead)} persone davanti`;
}

/**
 * For the tab's title, the only visible part of a page in the background; null: the event's
 * title.
 */
export function sayTab({ stage, number }: QueueFacts): string | null {
  if (stage === 'called') return 'È il tuo turno!';
  if (stage === 'gathering' || stage === 'numberless') return 'In sala d’attesa';
  if (stage === 'paused') return 'In pausa';
  return stage === 'waiting' ? `N. ${say(number)}` : null;
}

/** With a dot for thousands from ten thousand on. */
export function say(count: number | null): string {
  if (count === null) return '';
  return count < 10_000 ? String(count) : count.toLocaleString('it-IT');
}
