/** What a reading does: lets in, lets out, or only tells. One switch, because it must never be doubted which. */
import { useId } from 'react';
import type { Direction } from '#server/domain/admission.ts';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';

export const modes = ['in', 'out', 'check'] as const;
export type Mode = (typeof modes)[number];

const modeWords: Record<Mode, { word: string; icon: IconName; aim: string }> = {
  in: { word: 'Entrata', icon: 'door', aim: 'Inquadra il codice' },
  out: { word: 'Uscita', icon: 'logout', aim: 'Inquadra il codice di chi esce' },
  check: { word: 'Solo info', icon: 'info', aim: 'Controlla senza far entrare' },
};

export function aimWords(mode: Mode): string {
  return modeWords[mode].aim;
}

/** Who is looked at without being let in or out is looked at as one who comes in. */
export function directionOf(mode: Mode): Direction {
  return mode === 'out' ? 'out' : 'in';
}

export function ModeSwitch({ mode, onMode }: { mode: Mode; onMode: (mode: Mode) => void }) {
  const name = useId();
  return (
    <fieldset className="direction">
      <legend className="visually-hidden">Che cosa fa una lettura</legend>
      {modes.map((value) => (
        <label
          key={value}
          className={mode === value ? 'direction-choice direction-chosen' : 'direction-choice'}
        >
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={mode === value}
            onChange={() => onMode(value)}
          />
          <Icon name={modeWords[value].icon} size={22} />
          {modeWords[value].word}
        </label>
      ))}
    </fieldset>
  );
}
