/**
 * The tax rule for an event's takings, and what it requires of the tickets
 * (server/domain/RULES.md, L7).
 */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';

/** `external`: a recognised ticketing system issues the fiscal titles beside ours. */
export const regimes = ['unsaid', 'not_subject', 'exempt', 'external'] as const;
export type Regime = (typeof regimes)[number];

export const regimeNames = withOther<Record<Regime, string>>(
  {
    unsaid: 'Non indicato',
    not_subject: 'Non soggetto',
    exempt: 'Esonerato',
    external: 'Biglietteria esterna',
  },
  newerWord,
);

/**
 * Every valid ticket of such an event must have the seal of its fiscal title before the doors
 * open.
 */
export function needsSeals(event: { regime: Regime }): boolean {
  return event.regime === 'external';
}

/** Missing seals need attention from this long before the start until the event is over. */
export const sealsWantedMs = 48 * 3_600_000;

/** The fiscal seal in one line of paper or screen. */
export function fiscalWords({
  seal,
  progressive,
  card,
}: {
  seal: string;
  progressive: string | null;
  card: string | null;
}): string {
  return [
    `Sigillo fiscale ${seal}`,
    progressive && `progressivo ${progressive}`,
    card && `carta ${card}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
