/**
 * The rehearsal (prova generale): a sheet of practice tickets, one for each verdict of the door,
 * and what to try with each.
 */
import type { TicketState, Verdict } from './admission.ts';
import { verdictNames } from './verdict-names.ts';

/**
 * Whether the rehearsal's doors are open, not yet open, or closed. This belongs to the event, not
 * to a ticket, so the office switches it.
 */
export const rehearsalPhases = ['open', 'before', 'after'] as const;
export type RehearsalPhase = (typeof rehearsalPhases)[number];

/** No real gate has this name, so every phone with a gate of its own says ALTRO VARCO. */
export const nobodysGate = 'Varco di prova';

/**
 * `ticket`: a place with a ticket in this state; `unsold`: a real place that is not sold;
 * `stranger`: a code of this event for no place; `other_event`: a code with the tag of another
 * event.
 */
type CardSource =
  | {
      kind: 'ticket';
      state: TicketState;
      /** A guest has already come in with it. */ inside?: true;
      /** A newer revision was issued. */ replaced?: true;
      /** Paid with test money. */ trial?: true;
    }
  | { kind: 'unsold' | 'stranger' | 'other_event' };

/**
 * `key` begins the name of the card's places; `verdict` is the word that must appear; `count`:
 * how many cards.
 */
export interface CardPlan {
  key: string;
  verdict: Verdict;
  count: number;
  source: CardSource;
  hint: string;
}

const valid = { kind: 'ticket', state: 'valid' } as const;

type Card = Pick<CardPlan, 'key' | 'verdict' | 'hint'> & Partial<CardPlan>;

function planOf(card: Card): CardPlan {
  return { count: 1, source: valid, ...card };
}

const cards: readonly Card[] = [
  {
    key: 'single',
    verdict: 'admit',
    hint: `Un biglietto da solo. Più tardi rileggilo: ${verdictNames.already_in}.`,
  },
  {
    key: 'group',
    verdict: 'admit',
    count: 3,
    hint: 'Un ordine di tre: dopo il primo il telefono propone di far entrare anche gli altri.',
  },
  {
    key: 'offline',
    verdict: 'admit',
    hint: 'Attiva «Senza rete» sul telefono e leggilo: entra lo stesso. Poi togli «Senza rete»: la lettura parte da sola.',
  },
  {
    key: 'twice',
    verdict: 'admit',
    hint: 'Con due telefoni senza rete, leggilo su tutti e due: ENTRA due volte. Torna la rete: in ufficio compare un conflitto.',
  },
  {
    key: 'undo',
    verdict: 'admit',
    hint: 'Leggilo, poi tocca «Annulla ultimo ingresso»: rileggendolo entra di nuovo.',
  },
  {
    key: 'already',
    verdict: 'already_in',
    source: { ...valid, inside: true },
    hint: 'È già stato ammesso dall’ufficio: il telefono dice quando e da chi.',
  },
  {
    key: 'again',
    verdict: 'just_read',
    hint: 'Leggilo due volte entro 5 secondi, togliendolo da davanti: prima ENTRA, poi APPENA LETTO.',
  },
  {
    key: 'out',
    verdict: 'out',
    source: { ...valid, inside: true },
    hint: 'È dentro. Metti il telefono su «Uscita» e leggilo.',
  },
  {
    key: 'nobody',
    verdict: 'wrong_gate',
    hint: 'Solo su un telefono che ha un varco. Un telefono per tutti i varchi dice ENTRA.',
  },
  {
    key: 'before',
    verdict: 'not_yet',
    hint: 'In ufficio, nella prova generale, metti le porte su «Non ancora aperte»; quando il telefono si è aggiornato, leggilo.',
  },
  {
    key: 'after',
    verdict: 'too_late',
    hint: 'In ufficio, nella prova generale, metti le porte su «Già chiuse»; quando il telefono si è aggiornato, leggilo.',
  },
  {
    key: 'void',
    verdict: 'cancelled',
    source: { kind: 'ticket', state: 'void' },
    hint: 'Il biglietto è stato annullato. Se si annulla tutto l’evento, lo dicono tutti i biglietti.',
  },
  {
    key: 'refunded',
    verdict: 'refunded',
    source: { kind: 'ticket', state: 'refunded' },
    hint: 'Chi l’aveva comprato ha riavuto i soldi.',
  },
  {
    key: 'replaced',
    verdict: 'replaced',
    source: { ...valid, replaced: true },
    hint: 'Il posto ha un codice più nuovo, per esempio dopo un cambio di intestatario.',
  },
  {
    key: 'unpaid',
    verdict: 'unpaid',
    source: { kind: 'ticket', state: 'unpaid' },
    hint: 'Manca il pagamento: manda alla cassa. Un responsabile può far entrare lo stesso, con un motivo.',
  },
  {
    key: 'trial',
    verdict: 'trial',
    source: { ...valid, trial: true },
    hint: 'Come un biglietto pagato con denaro di prova: non vale. Un responsabile può far entrare lo stesso, con un motivo.',
  },
  {
    key: 'unsold',
    verdict: 'verify',
    source: { kind: 'unsold' },
    hint: 'Autentico, ma per il telefono non ancora venduto: decide il responsabile.',
  },
  {
    key: 'other',
    verdict: 'wrong_event',
    source: { kind: 'other_event' },
    hint: 'Il biglietto di un’altra serata: il telefono dice quale.',
  },
  {
    key: 'stranger',
    verdict: 'invalid',
    source: { kind: 'stranger' },
    hint: 'Non è un biglietto di nessuno. Prova anche con il codice di un prodotto qualsiasi.',
  },
];

/**
 * The cards in the order of the sheet. A verdict that no scan can get (`undone`), or only a moved
 * ticket (`moved`), has no card;
 * each gate of the event has one more.
 */
export const cardPlans: readonly CardPlan[] = cards.map(planOf);

/** One card for each gate that the event's tickets name. */
export function gateCard(gate: string, nth: number): CardPlan {
  return planOf({
    key: `gate-${nth}`,
    verdict: 'admit',
    hint: `Si entra solo da «${gate}»: su un telefono di un altro varco compare ALTRO VARCO.`,
  });
}

/** When the doors of a phase open and close; `far` is later than any rehearsal. */
export function windowOf(
  phase: RehearsalPhase,
  { created_at, far }: { created_at: number; far: number },
): { admits_from: number | null; admits_until: number | null } {
  return {
    admits_from: phase === 'before' ? far : null,
    admits_until: phase === 'after' ? created_at : null,
  };
}

export function rehearsalPhaseOf(event: {
  admits_from: number | null;
  admits_until: number | null;
}): RehearsalPhase {
  if (event.admits_from !== null) return 'before';
  return event.admits_until !== null ? 'after' : 'open';
}

/**
 * Only keys of a rehearsal's order begin with this, so they are recognised without reading the
 * event.
 */
export const practiceKey = 'rehearsal:';

export function isPractice({ idempotency_key }: { idempotency_key: string }): boolean {
  return idempotency_key.startsWith(practiceKey);
}
