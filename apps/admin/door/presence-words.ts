/** Says in one sentence why the number of people inside may be wrong. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readPresence } from '#server/contract/door/presence.ts';
import { formatCount } from '#apps/shared/format.ts';
import { formatSpan } from '#apps/admin/kit/clock.ts';
import { isSilent } from '#apps/admin/phone/state.tsx';

export type Presence = ReplyOf<typeof readPresence>;

/**
 * As in "2 telefoni fermi da 6 min → fino a 830 presenti (18 ingressi da inviare)."; null: all
 * phones are in touch and have sent everything.
 */
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
  const since = seen.length === 0 ? '' : ` da ${formatSpan(now - Math.min(...seen))}`;
  const who =
    silent.length > 0 &&
    `${formatCount(silent.length, 'telefono fermo', 'telefoni fermi')}${since}`;
  const held = unsent > 0 && formatCount(unsent, 'ingresso da inviare', 'ingressi da inviare');
  const most = held && `fino a ${(inside + unsent).toLocaleString('it-IT')} presenti`;
  const doubt =
    who && held ? `${who} → ${most} (${held})` : [who || held, most].filter(Boolean).join(' → ');
  const missing =
    missing_scans > 0 &&
    (missing_scans === 1
      ? 'Manca 1 lettura di un telefono'
      : `Mancano ${missing_scans} letture dei telefoni`);
  const sentences = [doubt, missing].filter(Boolean);
  return sentences.length === 0 ? null : `${sentences.join('. ')}.`;
}
