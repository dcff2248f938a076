/**
 * The sentences under a verdict's big word: why, since when, and what to do; and how long the
 * verdict stays.
 */
import { mayComeBack } from '#server/domain/door/admission.ts';
import { sayEnded } from '#server/domain/door/ended-code.ts';
import { foreignTextOf, foreignWords } from '#server/domain/door/foreign-text.ts';
import { givenWords, isLetGo, letGoWords } from '#server/domain/door/kept.ts';
import { formatShortDate, formatTime } from '#apps/shared/format.ts';
import { leftWords, verdictWords, type VerdictTone } from '#apps/shared/verdict-words.ts';
import type { Shown } from '#apps/scanner/scan/admit.ts';

/** One sentence; empty when the big word is enough. */
export function reasonOf(shown: Shown): string {
  const { verdict, event, place, first, at } = shown;
  switch (verdict) {
    case 'admit':
      if (shown.overridden || shown.approved_by !== null) return approvedWords(shown);
      return shown.offline ? 'Ingresso salvato: sarà inviato appena torna la linea' : '';
    case 'already_in':
      if (first === null) return 'Già usato';
      return first.direction === 'out' ? leftWords(whenOf(first.at, at)) : sinceOf(first, shown);
    case 'just_read':
      return 'Letto da questo telefono pochi secondi fa';
    case 'wrong_gate':
      return `Questo biglietto entra da: ${place?.ticket?.gates.join(' o ') ?? 'un altro varco'}`;
    case 'wrong_event':
      return shown.other_event
        ? `È per ${shown.other_event.title}, ${formatShortDate(shown.other_event.starts_at)}`
        : 'È di un altro evento';
    case 'not_yet':
      return event.admits_from === null
        ? ''
        : `Ingresso ${momentOf(event.admits_from, at, { today: 'dalle ', another: 'da ' })}`;
    case 'too_late':
      return event.admits_until === null
        ? ''
        : `Si entrava fino ${momentOf(event.admits_until, at, { today: 'alle ', another: 'a ' })}`;
    case 'cancelled':
      if (event.cancelled) return 'L’evento è annullato';
      if (shown.ended?.why === 'exchanged') return sayEnded(shown.ended, at);
      return isGiven(shown)
        ? `${givenWords}: non è entrato in tempo. Manda alla cassa`
        : 'Biglietto annullato. Manda alla cassa';
    case 'refunded':
      return 'Biglietto rimborsato. Manda alla cassa';
    case 'replaced':
      // For a paper from before a move, `ended` knows only the old seat.
      return shown.left === null ? sayEnded(shown.ended, at) : movedAndEnded(place);
    case 'moved':
      return shown.counts
        ? 'Può entrare: il posto è cambiato'
        : 'Il posto è cambiato. Chiedi al responsabile';
    case 'unpaid':
      return 'Manda alla cassa';
    case 'trial':
      return 'Biglietto di prova, non pagato davvero: non vale per entrare';
    case 'verify':
      return unknownTicket(shown);
    case 'invalid':
      return foreignWords[foreignTextOf(shown.read)];
    case 'out':
      return wasInside(shown)
        ? `alle ${formatTime(at)}${mayComeBack(place?.ticket, event) ? ' · può rientrare' : ' · non può rientrare'}`
        : 'Non risultava entrato: sei su «Uscita»?';
    case 'undone':
      return 'La lettura di prima non conta più';
    default:
      return verdict satisfies never;
  }
}

function approvedWords({ approved_by }: Shown): string {
  return approved_by === null
    ? 'Ingresso autorizzato dal responsabile'
    : `Ingresso autorizzato dal responsabile: ${approved_by}`;
}

/** The sentence about a paper from before a move whose ticket has ended since. */
function movedAndEnded(place: Shown['place']): string {
  const end = place?.ticket?.state === 'refunded' ? 'rimborsato' : 'annullato';
  return `Il biglietto ha cambiato posto, poi è stato ${end}. Manda alla cassa`;
}

/** The place of a ticket that was let go has another guest. */
function isGiven({ place }: Shown): boolean {
  if (place === null) return false;
  return (place.given?.includes(place.revision) ?? false) || place.ticket?.note === givenWords;
}

function unknownTicket({ updated_at, at, counts, place, event }: Shown): string {
  if (place?.ticket && isLetGo(place.ticket, event.starts_at, at))
    return `${letGoWords}: ${counts ? 'può entrare' : 'chiedi al responsabile'}`;
  // A state of a later release: the server says in a few words what it is.
  if (place?.ticket?.state === 'other')
    return `${place.ticket.note ?? 'Il biglietto ha uno stato nuovo'}. Chiedi al responsabile`;
  if (place !== null && place.revision < place.issued)
    return 'Biglietto autentico di una vendita andata persa: il posto è stato venduto di nuovo. Chiedi al responsabile';
  const since = updated_at === null ? '' : ` (${momentOf(updated_at, at)})`;
  const advice = counts ? 'Può entrare' : 'Chiedi al responsabile';
  return `Biglietto autentico, venduto dopo l’ultimo aggiornamento${since}. ${advice}`;
}

/** The verdict's own tone; a warning for an exit without an entry. */
export function toneOf(shown: Shown): VerdictTone {
  return shown.verdict === 'out' && !wasInside(shown) ? 'warn' : verdictWords[shown.verdict].tone;
}

/**
 * Whether this phone knows of an entry. An exit without one mostly means that the switch was left
 * on "Uscita".
 */
function wasInside({ first }: Shown): boolean {
  return first?.direction === 'in';
}

/** "alle 20:41 al Varco A, da Luca – 18 minuti fa" */
function sinceOf(first: NonNullable<Shown['first']>, { at, phone_id }: Shown): string {
  const isOwn = first.phone_id !== null && first.phone_id === phone_id;
  const who = isOwn ? 'questo telefono' : first.by;
  const by = who === '' ? '' : `, da ${who}`;
  return `${whenOf(first.at, at)}${atGate(first.gate)}${by} – ${agoOf(at - first.at)}`;
}

/** " al Varco A", " (Ingresso nord)", or empty. */
export function atGate(gate: string | null): string {
  if (gate === null || gate === '') return '';
  return /^varco\b/i.test(gate) ? ` al ${gate}` : ` (${gate})`;
}

/** "40 secondi fa", "18 minuti fa", "2 ore fa" */
export function agoOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return seconds === 1 ? 'un secondo fa' : `${seconds} secondi fa`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return minutes === 1 ? 'un minuto fa' : `${minutes} minuti fa`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return hours === 1 ? 'un’ora fa' : `${hours} ore fa`;
  return `${Math.round(hours / 24)} giorni fa`;
}

/** "alle 20:41"; on another day "sab 21 nov · 20:41". */
export function whenOf(ms: number, now: number): string {
  return momentOf(ms, now, { today: 'alle ', another: '' });
}

/** The time alone on the same day, else with its date; Italian needs different words for each. */
function momentOf(
  ms: number,
  now: number,
  { today, another } = { today: '', another: '' },
): string {
  return isSameDay(ms, now) ? `${today}${formatTime(ms)}` : `${another}${formatShortDate(ms)}`;
}

/** Whether both are the same calendar day in Italy. */
function isSameDay(a: number, b: number): boolean {
  return dayOf.format(a) === dayOf.format(b);
}
const dayOf = new Intl.DateTimeFormat('it-IT', { timeZone: 'Europe/Rome', dateStyle: 'short' });

/** A reduced price needs the guest's document; full-price, free and rehearsal tickets do not. */
export function typeNotice(type_label: string): string | null {
  return /^(intero|omaggio|prova)\b/i.test(type_label.trim()) || type_label.trim() === ''
    ? null
    : `${type_label}: controlla il documento`;
}

/** How long the verdict stays by itself; null: until it is tapped away or the next code comes. */
export function staysMs(shown: Shown): number | null {
  const { verdict, counts, place, name, party } = shown;
  // The verdict stays longer where companions can be let in, because that needs a tap and a group
  // takes time.
  if (party.companions.length > 0 && (counts || verdict === 'just_read')) return 6_000;
  if (counts && verdict !== 'out' && place?.ticket?.door_note !== undefined) return 6_000;
  // Long enough to look at a document, where one is needed.
  if (verdict === 'admit')
    return name !== null || (place?.ticket && typeNotice(place.ticket.type_label) !== null)
      ? 3_000
      : 1_500;
  if (verdict === 'out' && !wasInside(shown)) return null;
  if (verdict === 'out' || verdict === 'just_read' || verdict === 'undone') return 1_500;
  return (verdict === 'verify' || verdict === 'moved') && counts ? 3_000 : null;
}
