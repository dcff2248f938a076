/** The dialog part that settles a price difference: paid, refunded, or waived with a reason. */
import type { ReactNode } from 'react';
import type { Asked } from '#server/contract/endpoint.ts';
import type { moveTickets } from '#server/contract/order/moves.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { Check, Radios } from '#apps/admin/kit/form/choices.tsx';
import { EuroField, readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { isReason, TypedReason } from '#apps/admin/kit/form/typed-reason.tsx';

type Difference = NonNullable<Asked<typeof moveTickets>['body']['difference']>;
type Way = 'cash' | 'pos' | 'transfer' | 'refunded' | 'waived';

interface DifferenceDraft {
  way: Way;
  given: string;
  receipt: string;
  reason: string;
  handed_back: boolean;
}

export function newDifference(cents: number): DifferenceDraft {
  const way = cents > 0 ? 'cash' : 'refunded';
  return { way, given: '', receipt: '', reason: '', handed_back: false };
}

/** The settlement; null without a difference; an Italian sentence if something is missing. */
export function readDifference(draft: DifferenceDraft, cents: number): Difference | null | string {
  const { way, given, receipt, reason, handed_back } = draft;
  if (cents === 0) return null;
  if (way === 'refunded') return { way, ...(handed_back && { handed_back }) };
  if ((way === 'waived' || way === 'transfer') && !isReason(reason)) return 'Scrivi il motivo.';
  if (way === 'waived') return { way, reason: reason.trim() };
  if (way === 'transfer') return { way: 'paid', method: way, reason: reason.trim() };
  if (way === 'pos')
    return { way: 'paid', method: way, ...(receipt.trim() && { receipt: receipt.trim() }) };
  if (given.trim() === '') return { way: 'paid', method: way };
  const given_cents = readEuro(given);
  if (given_cents === null || given_cents < cents) return 'Non basta.';
  return { way: 'paid', method: way, given_cents };
}

const waysToPay: readonly (readonly [Way, string, string?])[] = [
  ['cash', 'Contanti', 'Nel cassetto del tuo turno.'],
  ['pos', 'POS', 'Nel tuo turno di cassa.'],
  ['transfer', 'Bonifico già arrivato'],
  ['waived', 'Senza differenza', 'La casa rinuncia, con un motivo.'],
];
const waysBack: readonly (readonly [Way, string, string?])[] = [
  ['refunded', 'Restituisci', 'Come è stato pagato.'],
  ['waived', 'Senza differenza', 'Non si restituisce niente, con un motivo.'],
];

/** Whether the buyer has the part by hand already, and its ways are asked. */
export function isHanded({ way, handed_back }: DifferenceDraft, byHand: number): boolean {
  return way === 'refunded' && handed_back && byHand > 0;
}

function handHint(byHand: number, back: number): string {
  const rest = 'Altrimenti resta segnato da restituire.';
  if (byHand === back) return rest;
  return `Con Stripe tornano ${formatEuro(back - byHand)}, a mano ${formatEuro(byHand)}. ${rest}`;
}

interface DifferenceFormProps {
  cents: number;
  /** Of what goes back: the part by hand. */ byHand: number;
  draft: DifferenceDraft;
  onChange: (draft: DifferenceDraft) => void;
  /** In which parts it goes back by hand. */ children: ReactNode;
}

export function DifferenceForm({ cents, byHand, draft, onChange, children }: DifferenceFormProps) {
  const change = (changes: Partial<DifferenceDraft>) => onChange({ ...draft, ...changes });
  const sum = formatEuro(Math.abs(cents));
  const given = readEuro(draft.given);
  return (
    <>
      <Radios
        legend={cents > 0 ? `Differenza da pagare: ${sum}` : `Differenza da restituire: ${sum}`}
        value={draft.way}
        options={cents > 0 ? waysToPay : waysBack}
        onChange={(way) => change({ way })}
      />
      {draft.way === 'cash' && (
        <EuroField
          label="Ricevuti"
          hint={
            given !== null && given >= cents
              ? `Resto ${formatEuro(given - cents)}.`
              : 'Vuoto: importo esatto.'
          }
          value={draft.given}
          onChange={(text) => change({ given: text })}
        />
      )}
      {draft.way === 'pos' && (
        <TextField
          label="Numero dello scontrino POS (facoltativo)"
          maxLength={40}
          value={draft.receipt}
          onChange={(receipt) => change({ receipt })}
        />
      )}
      {draft.way === 'refunded' && byHand > 0 && (
        <Check
          label="I soldi sono già in mano all’acquirente"
          hint={handHint(byHand, -cents)}
          checked={draft.handed_back}
          onChange={(handed_back) => change({ handed_back })}
        />
      )}
      {isHanded(draft, byHand) && children}
      {(draft.way === 'waived' || draft.way === 'transfer') && (
        <TypedReason value={draft.reason} onChange={(reason) => change({ reason })} />
      )}
    </>
  );
}
