/**
 * The Italian name of each field of the event form except its address. The form, its faults, a
 * show's page and the Registro use it.
 */
import type { emptyForm } from './event.ts';

export type EventField = keyof typeof emptyForm | 'starts_at';

export const eventFieldNames: Record<EventField, string> = {
  title: 'Titolo',
  kind: 'Genere',
  description: 'Descrizione',
  terms: 'Condizioni di vendita',
  starts_at: 'Inizio',
  doors_at: 'Apertura porte',
  ends_at: 'Fine',
  admits_from: 'Ingresso dalle',
  admits_until: 'Ingresso fino alle',
  sales_opens_at: 'Inizio della vendita',
  sales_closes_at: 'Fine della vendita',
  venue_title: 'Luogo',
  venue_href: 'Sito o mappa del luogo',
  venue_address: 'Indirizzo del luogo',
  event_ball_image: 'Immagine dell’evento',
  band_ball_image: 'Immagine degli artisti',
  banner_image: 'Sfondo',
  chart_key: 'Pianta',
  seat_pricing: 'Prezzi',
  price_phases: 'Fasi di prezzo',
  whole_terms: 'Tavoli e séparé',
  fee_price_id: 'Diritto di prevendita',
  surcharges: 'Altre prevendite e commissioni',
  regime: 'Certificazione degli incassi',
  vat_percent: 'IVA sui biglietti',
  fee_vat_percent: 'IVA sulla prevendita',
  service_vat_percent: 'IVA sulla commissione',
  gift_terms: 'Omaggi senza IVA',
  max_seats: 'Posti per ordine',
  max_per_email: 'Biglietti per indirizzo e-mail',
  pay_minutes: 'Minuti per pagare',
  ask_phone: 'Telefono di chi compra sul sito',
  nominative: 'Biglietti nominativi',
  holder_change: 'Cambio dell’intestatario',
  holder_changes_max: 'Cambi per biglietto',
  holder_change_until_hours: 'Cambi fino a quante ore prima dell’inizio',
  refund_days: 'Rimborso entro quanti giorni dall’acquisto',
  refund_stop_days: 'Rimborso fino a quanti giorni prima dell’evento',
  refund_keeps_fees: 'Prevendita e commissione trattenute in caso di rinuncia',
  cancel_keeps_fees: 'Prevendita e commissione trattenute in caso di annullamento',
  refund_request: 'Richiesta di rimborso',
  exchange: 'Cambio di data dalla pagina dell’ordine',
  exchange_until_hours: 'Cambio di data fino a quante ore prima dell’inizio',
  exchange_fee_cents: 'Costo del cambio di data, per biglietto',
  reentry: 'Rientro di chi esce',
  verify_policy: 'Biglietto venduto dopo l’ultimo aggiornamento del telefono',
  moved_policy: 'Biglietto di prima di uno spostamento',
  free_confirm: 'Posti gratuiti: conferma dalla e-mail',
  free_until_minutes: 'Posti gratuiti: tenuti fino a quanti minuti prima',
  free_reminder: 'Posti gratuiti: promemoria il giorno prima',
  buyer_search: 'Chi cerca un ospite con il nome di chi ha comprato',
};

/** "titolo, IVA sui biglietti" */
export function listEventFields(fields: readonly EventField[]): string {
  return fields
    .map((field) =>
      eventFieldNames[field].replace(/^\p{Lu}(?!\p{Lu})/u, (first) => first.toLowerCase()),
    )
    .join(', ');
}
