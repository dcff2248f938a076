/**
 * What becomes of sold tickets when the office changes a rule of their event: they keep the better
 * one, get the new one, or return to that of their sale (RULES O20).
 */
import { formatEuro } from '#server/domain/price/money.ts';
import { dayRule } from '#server/domain/payment/refund-words.ts';
import { underTerms, type Rights } from './terms.ts';

export const metEffects = ['keep', 'gain', 'lose'] as const;
type MetEffect = (typeof metEffects)[number];

/** Tickets that were sold under the same terms. */
export interface SoldTickets extends Rights {
  tickets: number;
}

interface Met {
  effect: MetEffect;
  tickets: number;
  /** What holds for them after the change. */ words: string;
}

/** Each rule of the event form in words; two rules that say the same give the same right. */
const rules: readonly ((rights: Rights) => string)[] = [
  (rights) =>
    rights.refund_request === 'never'
      ? 'nessun rimborso su richiesta'
      : `rimborso ${rights.refund_request === 'automatic' ? 'subito' : 'deciso dall’ufficio'}, ${dayRule(rights)}`,
  ({ refund_request, refund_keeps_fees }) =>
    refund_request === 'never' || refund_keeps_fees === 1
      ? 'prevendita non restituita a chi rinuncia'
      : 'prevendita restituita a chi rinuncia',
  ({ cancel_keeps_fees }) =>
    cancel_keeps_fees === 1
      ? 'prevendita trattenuta se l’evento si annulla'
      : 'prevendita restituita se l’evento si annulla',
  ({ holder_change, holder_changes_max: most, holder_change_until_hours: hours }) =>
    holder_change === 0
      ? 'nessun cambio dell’intestatario'
      : `cambio dell’intestatario fino a ${hours === 1 ? '1 ora' : `${hours} ore`} prima, ${most === 1 ? '1 volta' : `${most} volte`}`,
  ({ exchange, exchange_until_hours: hours, exchange_fee_cents: fee }) =>
    exchange === 0
      ? 'nessun cambio di data'
      : `cambio di data fino a ${hours === 1 ? '1 ora' : `${hours} ore`} prima, ${fee === 0 ? 'gratis' : `${formatEuro(fee)} a biglietto`}`,
  ({ nominative }) => (nominative === 1 ? 'biglietti nominativi' : 'biglietti senza nome'),
  ({ reentry }) => (reentry === 1 ? 'chi esce può rientrare' : 'chi esce non rientra'),
];

/** What the change of an event's rules from `before` to `after` does to what was sold. */
export function ticketsMet(
  sold: readonly SoldTickets[],
  { before, after }: { before: Rights; after: Rights },
): Met[] {
  const met = rules
    .filter((say) => say(before) !== say(after))
    .flatMap((say) =>
      sold.flatMap(({ tickets, ...terms }): Met[] => {
        const had = underTerms(before, terms);
        const has = underTerms(after, terms);
        const words = say(has);
        if (words === say(had))
          return words === say(after) ? [] : [{ effect: 'keep', tickets, words }];
        const isBetter = say(underTerms(had, has)) === words;
        return [{ effect: isBetter ? 'gain' : 'lose', tickets, words }];
      }),
    );
  return addUp(met);
}

/** One line for each effect and its words, in the order of the form. */
export function addUp(met: readonly Met[]): Met[] {
  const sums = new Map<string, Met>();
  for (const one of met) {
    const key = `${one.effect} ${one.words}`;
    sums.set(key, { ...one, tickets: one.tickets + (sums.get(key)?.tickets ?? 0) });
  }
  return [...sums.values()];
}

/** "128 biglietti venduti tengono: rimborso …" */
export function sayMet({ effect, tickets, words }: Met): string {
  const [one, many] = verbs[effect];
  return tickets === 1
    ? `1 biglietto venduto ${one}: ${words}.`
    : `${tickets.toLocaleString('it-IT')} biglietti venduti ${many}: ${words}.`;
}

const verbs: Record<MetEffect, [one: string, many: string]> = {
  keep: ['tiene', 'tengono'],
  gain: ['avrà', 'avranno'],
  lose: ['torna alle regole della vendita', 'tornano alle regole della vendita'],
};
