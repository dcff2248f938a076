/** The names of what a show's dates share, as the office reads them. */
import type { SharedField } from '#server/domain/event/show.ts';
import { fieldWords } from '#apps/admin/event/form/faults.ts';

/** Those that the form draws as a switch or a choice, and so never names in a fault. */
const switchWords: Partial<Record<SharedField, string>> = {
  regime: 'Certificazione degli incassi',
  nominative: 'Biglietti nominativi',
  holder_change: 'Cambio dell’intestatario',
  refund_keeps_fees: 'Prevendita nei rimborsi',
  cancel_keeps_fees: 'Prevendita se annullato',
  refund_request: 'Richiesta di rimborso',
  reentry: 'Rientro',
  verify_policy: 'Biglietti da verificare',
};

/** "titolo, prezzi" */
export function sayFields(fields: readonly SharedField[]): string {
  return fields
    .map((field) => (switchWords[field] ?? fieldWords[field] ?? field).toLowerCase())
    .join(', ');
}
