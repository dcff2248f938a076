/**
 * What a ticket allows besides entering: a refund, another date or holder, coming back in. Each
 * sentence is made by the rule that decides it, at the moment at which it is read (RULES O20).
 */
import { formatEuro } from '#server/domain/price/money.ts';
import { sayOffer } from '#server/domain/payment/refund-words.ts';
import { formatListDate, formatLongDate } from '#server/domain/time/dates.ts';
import { exchangeUntil, type ExchangeEvent } from './exchange-terms.ts';
import {
  holderChangeUntil,
  holderStepOf,
  isNameAsked,
  type HolderEvent,
  type HolderTicket,
} from './holder.ts';
import { refundEventOf, type Rights } from './terms.ts';

type RightsEvent = Rights & HolderEvent;
interface KnownTicket extends HolderTicket {
  used: boolean;
}

/**
 * The rights of a ticket that is bought now; `fees`: surcharges are charged, `service`: a
 * commission is among them.
 */
export function saleRights(
  event: RightsEvent,
  { now, fees, service = false }: { now: number; fees: boolean; service?: boolean },
): [string, ...string[]] {
  const bought: KnownTicket = { state: 'valid', holder: null, holder_changes: 0, used: false };
  const exchange = sayExchange(event, now);
  return [
    sayOffer({ now, fees, service, event: refundEventOf(event, now) }),
    ...(exchange === null ? [] : [exchange]),
    sayChange(event, { tickets: [bought], now }),
    sayReentry(event),
  ];
}

/** Whether and until when a ticket may be passed on; a name that is missing may come later. */
export function sayChange(
  event: HolderEvent,
  { tickets, now }: { tickets: readonly KnownTicket[]; now: number },
): string {
  const until = holderChangeUntil(event);
  const mayChange = tickets.some(({ used, ...ticket }) => {
    const named = { ...ticket, holder: ticket.holder ?? '' };
    return holderStepOf({ event, ticket: named, used }, now).step === 'change';
  });
  if (until === null || !mayChange) return 'Il biglietto è personale e non cedibile.';
  const [day, time] = formatListDate(until).split(' ');
  return `Il biglietto è personale: fino al ${day} alle ${time} puoi passarlo a un’altra persona dalla pagina dell’ordine, e il codice di prima smette di valere.`;
}

/** Until when the date may be changed, and what it costs; null: not, or not any more. */
export function sayExchange(event: ExchangeEvent, now: number): string | null {
  const until = exchangeUntil(event);
  if (until === null || now > until) return null;
  const { exchange_fee_cents: fee } = event;
  const [day, time] = formatListDate(until).split(' ');
  const cost =
    fee === 0
      ? 'Il cambio è gratuito: paghi solo la differenza, se i posti nuovi costano di più.'
      : `Il cambio costa ${formatEuro(fee)} a biglietto, più la differenza se i posti nuovi costano di più.`;
  return `Puoi cambiare data fino al ${day} alle ${time}, dalla pagina dell’ordine. ${cost}`;
}

/** The same on the order page, which also says that it is too late. */
export function sayOwnExchange(event: ExchangeEvent, now: number): string | null {
  const until = exchangeUntil(event);
  if (until === null || now <= until || now > event.starts_at) return sayExchange(event, now);
  const [day, time] = formatListDate(until).split(' ');
  return `Da qui si poteva cambiare data fino al ${day} alle ${time}. Ora puoi chiedere alla biglietteria.`;
}

export function sayReentry({ reentry }: Pick<Rights, 'reentry'>): string {
  return reentry === 1
    ? 'Chi esce può rientrare con lo stesso codice, se lo fa leggere anche all’uscita.'
    : 'Chi esce non può rientrare.';
}

/** What the order page says above the names on tickets; null: there is nothing to do about them. */
export function sayNames(
  event: HolderEvent,
  about: { tickets: readonly KnownTicket[]; now: number },
): string | null {
  const asked = about.tickets.some((ticket) => isNameAsked(event, ticket));
  const words = [
    ...(asked && event.names_due !== null ? [sayAsked(event.names_due)] : []),
    ...(event.nominative === 1
      ? ['I biglietti sono nominativi: all’ingresso serve un documento d’identità.']
      : []),
    ...(event.holder_change === 1 ? [sayChange(event, about)] : []),
  ];
  return words.length === 0 ? null : words.join(' ');
}

/** The event was sold without names and now asks for them; no ticket ends by it. */
export function sayAsked(due: number): string {
  return `Chi organizza chiede nome e cognome di chi entra, entro ${formatLongDate(due)}. I biglietti restano validi anche senza.`;
}
