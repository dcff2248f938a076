/** The office's words for an event's waiting room. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readQueueDesk } from '#server/contract/queue.ts';
import type { QueueMode, QueuePhase } from '#server/domain/queue/queue.ts';
import type { StateWords } from '#apps/admin/kit/words.ts';

export type Desk = ReplyOf<typeof readQueueDesk>;

const phaseWords: Record<QueuePhase, StateWords> = {
  off: { word: 'Spenta', tone: 'neutral', icon: 'clock' },
  before: { word: 'Si raccoglie', tone: 'primary', icon: 'clock' },
  open: { word: 'Si entra', tone: 'good', icon: 'check' },
  paused: { word: 'In pausa', tone: 'warn', icon: 'clock' },
  closed: { word: 'Chiusa', tone: 'bad', icon: 'lock' },
};

/** A room that will open by itself is "Pronta" and not "Spenta". */
export function stateOf({ mode, phase }: Pick<Desk, 'mode' | 'phase'>): StateWords {
  return mode === 'auto' && phase === 'off'
    ? { word: 'Pronta', tone: 'neutral', icon: 'clock' }
    : phaseWords[phase];
}

export const modeOptions: [QueueMode, string, string][] = [
  ['off', 'Spenta', 'Chi arriva sceglie subito i posti.'],
  [
    'on',
    'Accesa',
    'Tutti aspettano insieme fino all’apertura, poi l’ordine si estrae a sorte; chi arriva dopo segue l’ordine di arrivo.',
  ],
  [
    'auto',
    'Da sola, sotto carico',
    'Si accende quando le prenotazioni rallentano e si spegne quando non aspetta più nessuno. Senza sorteggio.',
  ],
];

export function sayPace({ fixed_per_minute, per_minute, p95_ms }: Desk): string {
  const pace = `${per_minute.toLocaleString('it-IT')} al minuto`;
  if (fixed_per_minute !== null) return pace;
  if (p95_ms === null) return `${pace}, misurato`;
  const seconds = (p95_ms / 1_000).toLocaleString('it-IT', { maximumFractionDigits: 2 });
  return `${pace}, misurato: 95 prenotazioni su 100 entro ${seconds} s`;
}
