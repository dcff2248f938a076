/** What buyers and the office read about phases of list prices. */
import { isoOf, sayFrom, sayFromDay, sayTo, sayToDay } from '#server/domain/time/dates.ts';
import { romeDay, startOfDay } from '#server/domain/time/rome-clock.ts';
import type { PhaseEnd } from './phase.ts';
import { formatEuro } from './money.ts';

/** Above this number buyers do not read how many tickets are left at a price. */
const mostTold = 20;

interface Step {
  until: PhaseEnd;
  /** How many tickets the event has sold. */
  sold: number;
  /** In cents, fee included. */
  from: number;
  to: number;
}

/**
 * "dal 10 dicembre 25,00 €", "dal 10 dicembre alle 18:00 a 25,00 €", "da 2 ore prima 15,00 €",
 * "ancora 12 biglietti a 20,00 €, poi 25,00 €"
 */
export function stepWords({ until, sold, from, to }: Step): string {
  const price = formatEuro(to);
  if (until.kind === 'hours_before') return `da ${hourWords(until.hours)} prima ${price}`;
  if (until.kind === 'day') return `${dayWords(until.at)} ${price}`;
  const left = Math.max(1, until.tickets - sold);
  if (left > mostTold) return `per i primi ${until.tickets} biglietti, poi ${price}`;
  const tickets = left === 1 ? '1 biglietto' : `${left} biglietti`;
  return `ancora ${tickets} a ${formatEuro(from)}, poi ${price}`;
}

function hourWords(hours: number): string {
  return hours === 1 ? '1 ora' : `${hours} ore`;
}

function dayWords(at: number): string {
  const iso = isoOf(at);
  return startOfDay(romeDay(at)) === at ? sayFromDay(iso) : `${sayFrom(iso)} a`;
}

/**
 * "fino al 9 dicembre compreso", "fino a 2 ore prima dell’inizio", "fino a 100 biglietti venduti"
 */
export function untilWords(until: PhaseEnd): string {
  if (until.kind === 'hours_before') return `fino a ${hourWords(until.hours)} prima dell’inizio`;
  if (until.kind === 'sold')
    return until.tickets === 1
      ? 'fino al primo biglietto venduto'
      : `fino a ${until.tickets} biglietti venduti`;
  const isMidnight = startOfDay(romeDay(until.at)) === until.at;
  return isMidnight
    ? `fino ${sayToDay(isoOf(until.at - 1))} compreso`
    : `fino ${sayTo(isoOf(until.at))}`;
}
