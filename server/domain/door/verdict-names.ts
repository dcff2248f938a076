/**
 * The big word of each verdict, the same on phones, in the office and on the rehearsal's sheet.
 */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { Verdict } from './admission.ts';

export const verdictNames = withOther<Record<Verdict, string>>(
  {
    admit: 'ENTRA',
    already_in: 'GIÀ ENTRATO',
    just_read: 'APPENA LETTO',
    wrong_gate: 'ALTRO VARCO',
    wrong_event: 'EVENTO SBAGLIATO',
    not_yet: 'NON ANCORA',
    too_late: 'INGRESSO CHIUSO',
    cancelled: 'ANNULLATO',
    refunded: 'RIMBORSATO',
    replaced: 'SOSTITUITO',
    moved: 'SPOSTATO',
    unpaid: 'DA PAGARE',
    trial: 'PROVA',
    verify: 'VERIFICA',
    invalid: 'NON VALIDO',
    out: 'USCITO',
    undone: 'LETTURA ANNULLATA',
  },
  newerWord,
);
