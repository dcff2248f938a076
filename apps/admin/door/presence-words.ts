/** Says in one or two sentences why the number of people inside may be wrong. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readPresence } from '#server/contract/door/presence.ts';
import { formatCount } from '#apps/shared/format.ts';
import { formatSpan } from '#apps/admin/kit/clock.ts';
import { isSilent } from '#apps/admin/phone/state.tsx';

export type Presence = ReplyOf<typeof readPresence>;

type Unknown = Pick<
  Presence,
  'most_people' | 'phones' | 'unsent' | 'unsent_heads' | 'missing_scans' | 'missing_at_most'
>;

/**
 * As in "Fino a 830 presenti: 18 ingressi da inviare. 2 telefoni fermi da 6 min: quello che hanno
 * letto da allora non si sa."; null: all phones are in touch and have sent everything.
 */
export function tellUnknown(presence: Unknown, now: number): string | null {
  const { most_people, phones } = presence;
  const reasons = reasonsOf(presence);
  const most = `Fino a ${formatCount(most_people, 'presente', 'presenti')}: ${reasons.join(', ')}.`;
  const silent = phones.filter((phone) => isSilent(phone, now));
  const sentences = [reasons.length > 0 && most, silent.length > 0 && tellSilent(silent, now)];
  const told = sentences.filter((sentence) => sentence !== false);
  return told.length === 0 ? null : told.join(' ');
}

/** What may still add people: each number is the most that is possible. */
function reasonsOf({ unsent, unsent_heads, missing_scans, missing_at_most }: Unknown): string[] {
  return [
    unsent > 0 && formatCount(unsent, 'ingresso da inviare', 'ingressi da inviare'),
    unsent_heads > 0 &&
      formatCount(unsent_heads, 'persona senza biglietto', 'persone senza biglietto') +
        ' da inviare',
    missing_scans > 0 &&
      (missing_at_most ? 'fino a ' : '') +
        formatCount(missing_scans, 'lettura mai arrivata', 'letture mai arrivate'),
  ].filter((reason) => reason !== false);
}

function tellSilent(silent: Presence['phones'], now: number): string {
  const seen = silent.flatMap(({ last_seen_at }) =>
    last_seen_at === null ? [] : [Date.parse(last_seen_at)],
  );
  const since = seen.length === 0 ? '' : ` da ${formatSpan(now - Math.min(...seen))}`;
  const who = `${formatCount(silent.length, 'telefono fermo', 'telefoni fermi')}${since}`;
  const what = silent.length === 1 ? 'ha letto' : 'hanno letto';
  return `${who}: quello che ${what} da allora non si sa.`;
}
