/**
 * Says that the order shown was saved earlier, and when, so that nobody takes it for the present
 * state.
 */
import { formatListDate, formatTime } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { ShownOrder } from './use-order.ts';
import state from './state.module.css';

export function SavedNotice({ saved }: { saved: NonNullable<ShownOrder['saved']> }) {
  return (
    <output className={state.saved} aria-label="Senza rete">
      <Icon name="offline" />{' '}
      <span>
        {saved.offline ? 'Sei offline' : 'Il sito non risponde'}: questi sono i biglietti salvati{' '}
        {sayWhen(saved.at)}.
      </span>
    </output>
  );
}

const sameDay = (a: number, b: number) =>
  formatListDate(a).slice(0, 10) === formatListDate(b).slice(0, 10);

function sayWhen(at: number): string {
  if (sameDay(at, Date.now())) return `alle ${formatTime(at)}`;
  const [day, time] = formatListDate(at).split(' ');
  return `il ${day} alle ${time}`;
}
