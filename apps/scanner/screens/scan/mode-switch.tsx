/**
 * The switch for what a scan does: let in, let out, or only inform. There is only one switch, so
 * that its state is never in doubt.
 */
import { useId } from 'react';
import type { Direction } from '#server/domain/door/admission.ts';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import styles from './mode-switch.module.css';

/** "In" and "out" are apart, so that a thumb that slips hits the mode that only informs. */
const modes = ['in', 'check', 'out'] as const;
export type Mode = (typeof modes)[number];

const modeWords: Record<Mode, { word: string; icon: IconName; aim: string }> = {
  in: { word: 'Entrata', icon: 'door', aim: 'Inquadra il codice' },
  out: { word: 'Uscita', icon: 'logout', aim: 'Inquadra il codice di chi esce' },
  check: { word: 'Solo info', icon: 'info', aim: 'Controlla senza far entrare' },
};

/** Scanning begins with letting in. */
export function readMode(text: string | undefined): Mode {
  return modes.find((mode) => mode === text) ?? 'in';
}

export function aimWords(mode: Mode): string {
  return modeWords[mode].aim;
}

/** In the mode `check` a ticket is judged as if its guest wanted to go in. */
export function directionOf(mode: Mode): Direction {
  return mode === 'out' ? 'out' : 'in';
}

export function ModeSwitch({ mode, onMode }: { mode: Mode; onMode: (mode: Mode) => void }) {
  const name = useId();
  return (
    <fieldset className={styles.modes} data-mode={mode}>
      <legend className="visually-hidden">Che cosa fa una lettura</legend>
      {modes.map((value) => (
        <label key={value} className={mode === value ? styles.chosen : styles.choice}>
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
