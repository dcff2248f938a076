/**
 * Free places are kept until some minutes before the start and then let go, if their guests have
 * not come (RULES O21).
 */
import { formatTime } from '#server/domain/time/dates.ts';

/**
 * How many minutes before the start a ticket's place is let go; 0: never. The terms of its sale and
 * those of today each name a moment, and the later one counts (RULES O20).
 */
export function keptMinutes(sold: number | null, today: number | null): number {
  return sold === null || today === null ? 0 : Math.min(sold, today);
}

/** What a sale made now stores: the minutes, or null if their moment has passed already. */
export function minutesKept(
  { starts_at, free_until_minutes }: { starts_at: number; free_until_minutes: number | null },
  now: number,
): number | null {
  const until = keptUntil(starts_at, free_until_minutes ?? 0);
  return until !== null && now < until ? free_until_minutes : null;
}

/** Until when a place is kept, in ms; null: for good. */
export function keptUntil(starts_at: number, minutes: number): number | null {
  return minutes === 0 ? null : starts_at - minutes * 60_000;
}

/** How many minutes before the start it is now; null: places are not let go yet. */
export function minutesLeft(
  { starts_at, free_until_minutes }: { starts_at: number; free_until_minutes: number | null },
  now: number,
): number | null {
  const until = keptUntil(starts_at, free_until_minutes ?? 0);
  return until !== null && now >= until ? Math.ceil(Math.max(0, starts_at - now) / 60_000) : null;
}

/** What a buyer reads before the booking; null: it is confirmed at once (RULES O6). */
export function sayClick(event: { free_confirm: 0 | 1; pay_minutes: number }): string | null {
  if (event.free_confirm === 0) return null;
  return `I posti gratuiti si confermano dall’e-mail che ti mandiamo, entro ${event.pay_minutes} minuti.`;
}

/** What a buyer reads before the booking; null: places are kept for good. */
export function sayKept(event: Parameters<typeof minutesKept>[0], now: number): string | null {
  const until = keptUntil(event.starts_at, minutesKept(event, now) ?? 0);
  if (until === null) return null;
  return `I posti gratuiti si tengono fino alle ${formatTime(until)}: dopo possono andare ad altri.`;
}

interface KeptTicket {
  state: string;
  kept_minutes?: number;
}

/** True when a ticket's place was let go, by the list or by the clock of a phone without signal. */
export function isLetGo({ state, kept_minutes = 0 }: KeptTicket, starts_at: number, now: number) {
  if (state !== 'kept') return state === 'let_go';
  const until = keptUntil(starts_at, kept_minutes);
  return until !== null && now >= until;
}

/** True for a ticket that admits by its code, at least until its place is let go. */
export function isGood(state: string): boolean {
  return state === 'valid' || state === 'kept';
}

/** An app of before 1.2.0 shows it, and lets in by a supervisor only. */
export const keptWords = 'Posto gratuito tenuto fino a poco prima dell’inizio: aggiorna l’app';
export const letGoWords = 'Posto liberato';
export const givenWords = 'Posto assegnato';
