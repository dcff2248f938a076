/** Italian words for payouts and their lines, for the screen and for files. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import type { LineStanding, MovementKind, PayoutState, SumKind } from './payout.ts';

export const payoutStateNames = withOther<Record<PayoutState, string>>(
  {
    pending: 'In preparazione',
    in_transit: 'In viaggio verso la banca',
    paid: 'Accreditato',
    failed: 'Respinto dalla banca',
    canceled: 'Annullato',
  },
  newerWord,
);

export const movementNames = withOther<Record<MovementKind, string>>(
  {
    charge: 'Incasso',
    refund: 'Rimborso',
    dispute: 'Contestazione',
    fee: 'Commissione di Stripe',
    adjustment: 'Rettifica di Stripe',
    payout: 'Accredito precedente',
  },
  newerWord,
);

export const sumNames: Record<SumKind, string> = {
  ...movementNames,
  foreign: 'Altro: altre vendite sullo stesso conto',
};

export const standingNames: Record<LineStanding, string> = {
  agrees: 'Quadra',
  stripe: 'Di Stripe',
  foreign: 'Di un’altra vendita sullo stesso conto',
  unknown: 'Qui non risulta',
  amount_differs: 'Importo diverso',
  fee_differs: 'Commissione diversa',
  twice: 'Contata due volte',
};

/** Why a bank sent a payout back; an unknown code of Stripe stays as it is. */
export function failureName(code: string): string {
  const names: Record<string, string> = {
    account_closed: 'il conto è chiuso',
    account_frozen: 'il conto è bloccato',
    bank_account_restricted: 'il conto non accetta accrediti',
    could_not_process: 'la banca non ha potuto eseguirlo',
    incorrect_account_holder_name: 'il nome dell’intestatario non corrisponde',
    invalid_account_number: 'l’IBAN non è valido',
    no_account: 'il conto non esiste',
  };
  return (Object.hasOwn(names, code) && names[code]) || code;
}

/** A payout line whose amount at Stripe differs from ours. */
export interface LineDifference {
  standing: LineStanding;
  kind: MovementKind;
  source_id: string | null;
  order_number: string | null;
  gross_cents: number;
  fee_cents: number;
  our_cents: number | null;
  our_fee_cents: number | null;
}

/** `Incasso dell’ordine 12-345: 59,00 € su Stripe, 58,00 € qui`. */
export function tellDifference(line: LineDifference): string {
  const whose =
    line.order_number === null ? (line.source_id ?? '') : `dell’ordine ${line.order_number}`;
  const what = `${movementNames[line.kind]} ${whose}`.trim();
  switch (line.standing) {
    case 'unknown':
      return `${what}: ${formatEuro(Math.abs(line.gross_cents))}, qui non risulta`;
    case 'amount_differs':
      return `${what}: ${formatEuro(Math.abs(line.gross_cents))} su Stripe, ${formatEuro(line.our_cents ?? 0)} qui`;
    case 'fee_differs':
      return `${what}: commissione di ${formatEuro(line.fee_cents)} su Stripe, ${formatEuro(line.our_fee_cents ?? 0)} qui`;
    case 'twice':
      return `${what}: ${formatEuro(Math.abs(line.gross_cents))}, contata due volte`;
    default:
      return what;
  }
}

/** Whether a payout agrees: `Quadra`, `2 differenze`, or why that is unknown. */
export function tellAgreement(payout: {
  automatic: boolean;
  read: boolean;
  differences: number;
}): string {
  if (!payout.automatic) return 'Chiesto a mano: senza righe';
  if (!payout.read) return 'Da leggere';
  if (payout.differences === 0) return 'Quadra';
  return payout.differences === 1 ? '1 differenza' : `${payout.differences} differenze`;
}
