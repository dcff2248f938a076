/** The time when seats go on sale again, as a form field; words for seats that are not free. */
import { CallError } from '#apps/shared/api.ts';
import { instantOf, readWallTime, wallTimeOf } from '#apps/admin/kit/form/wall-time.ts';

export function fieldOf(iso: string | null): string {
  const { date, time } = wallTimeOf(iso);
  return date === '' ? '' : `${date}T${time}`;
}

function wallOf(text: string) {
  const [date = '', time = ''] = text.split('T');
  return { date, time, second: false };
}

export function isoOf(text: string): string | null {
  const at = instantOf(wallOf(text));
  return at === null ? null : new Date(at).toISOString();
}

/** A fault that needs no server; null: none. */
export function releaseFault(release: string): string | null {
  if (release === '') return null;
  const reading = readWallTime(wallOf(release));
  if (!('at' in reading)) return 'Completa giorno e ora, oppure lasciali vuoti.';
  return reading.at <= Date.now() ? 'L’ora del ritorno in vendita è già passata.' : null;
}

export function takenOf(error: unknown): string[] {
  if (!(error instanceof CallError) || error.code !== 'seats_not_free') return [];
  return (error.detail as { objects?: string[] } | null)?.objects ?? [];
}
