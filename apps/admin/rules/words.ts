/** Italian words about price rules that several parts of the screen say. */
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import type { KnownRule } from './owner.ts';

/** What a change of rules does not touch. */
export function soldWords(sold: number): string {
  if (sold === 0) return 'Nessun biglietto è ancora venduto.';
  return sold === 1
    ? 'Il biglietto già venduto resta com’è.'
    : `I ${sold.toLocaleString('it-IT')} biglietti già venduti restano come sono.`;
}

/** What a rule gave away. */
export function givenWords({ tickets, cents }: KnownRule['given']): string {
  if (tickets === 0) return 'Non ancora usata';
  return `${formatCount(tickets, 'biglietto', 'biglietti')}, ${formatEuro(cents)} in meno`;
}
