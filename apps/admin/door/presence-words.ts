/** Says in one sentence why the number of people inside may be wrong: silent phones, unsent or missing scans. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readPresence } from '#server/contract/presence.ts';
import { staleMs } from '#server/domain/presence.ts';
import { formatCount } from '#apps/shared/format.ts';
import { formatSpan } from '#apps/admin/kit/clock.ts';

export type Presence = ReplyOf<typeof readPresence>;

/** Not heard for so long that nobody knows what it has read since. Of one that was stopped nobody expects a word. */
export function isSilent(
  { state, last_seen_at }: Pick<Presence['phones'][number], 'state' | 'last_seen_at'>,
  now: number,
): boolean {
  return state === 'paired' && (last_seen_at === null || now - Date.parse(last_seen_at) > staleMs);
}

/** "2 telefoni fermi da 6 min → fino a 830 presenti (18 ingressi da inviare)."; null: nothing is unknown. */
export function tellUnknown(
  {
    inside,
    phones,
    unsent,
    missing_scans,
  }: Pick<Presence, 'inside' | 'phones' | 'unsent' | 'missing_scans'>,
  now: number,
): string | null {
  const silent = phones.filter((phone) => isSilent(phone, now));
  const seen = silent.flatMap(({ last_seen_at }) =>
    last_seen_at === null ? [] : [Date.parse(last_seen_at)],
  );
  const who =
    silent.length === 0
      ? null
      : `${silent.length === 1 ? '1 telefono fermo' : `${silent.length} telefoni fermi`}${seen.length === 0 ? '' : ` da ${formatSpan(now - Math.min(...seen))}`}`;
  const held =
    unsent === 0 ? null : formatCount(unsent, 'ingresso da inviare', 'ingressi da inviare');
  const most = `fino a ${(inside + unsent).toLocaleString('it-IT')} presenti`;
  const doubt =
    held === null ? who : who === null ? `${held} → ${most}` : `${who} → ${most} (${held})`;
  const missing =
    missing_scans === 0
      ? null
      : missing_scans === 1
        ? 'Manca 1 lettura di un telefono'
        : `Mancano ${missing_scans} letture dei telefoni`;
  const sentences = [doubt, missing].filter((sentence) => sentence !== null);
  return sentences.length === 0 ? null : `${sentences.join('. ')}.`;
}
