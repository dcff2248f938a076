/**
 * Why a bank or a card refused a payment: Stripe's codes in Italian, for the person who answers
 * the buyer.
 */

const words: Record<string, string> = {
  insufficient_funds: 'fondi insufficienti',
  withdrawal_count_limit_exceeded: 'superato il limite della carta',
  card_velocity_exceeded: 'superato il limite della carta',
  expired_card: 'carta scaduta',
  invalid_expiry_month: 'mese di scadenza sbagliato',
  invalid_expiry_year: 'anno di scadenza sbagliato',
  incorrect_cvc: 'codice di sicurezza sbagliato',
  invalid_cvc: 'codice di sicurezza sbagliato',
  incorrect_number: 'numero della carta sbagliato',
  invalid_number: 'numero della carta sbagliato',
  incorrect_zip: 'CAP sbagliato',
  incorrect_pin: 'PIN sbagliato',
  invalid_pin: 'PIN sbagliato',
  lost_card: 'carta segnalata come smarrita',
  stolen_card: 'carta segnalata come rubata',
  pickup_card: 'carta bloccata dalla banca',
  restricted_card: 'carta bloccata dalla banca',
  revocation_of_authorization: 'autorizzazione revocata',
  fraudulent: 'sospetta frode',
  highest_risk_level: 'sospetta frode',
  merchant_blacklist: 'carta bloccata nel conto Stripe',
  authentication_required: 'serve la conferma della banca (3-D Secure)',
  authentication_not_handled: 'serve la conferma della banca (3-D Secure)',
  payment_intent_authentication_failure: 'conferma della banca (3-D Secure) non riuscita',
  card_not_supported: 'la carta non permette questo acquisto',
  currency_not_supported: 'la carta non accetta gli euro',
  transaction_not_allowed: 'la carta non permette questo acquisto',
  service_not_allowed: 'la carta non permette questo acquisto',
  call_issuer: 'la banca non dice perché: l’acquirente la chiami',
  do_not_honor: 'la banca non dice perché: l’acquirente la chiami',
  no_action_taken: 'la banca non dice perché: l’acquirente la chiami',
  generic_decline: 'la banca non dice perché: l’acquirente la chiami',
  card_declined: 'la banca non dice perché: l’acquirente la chiami',
  issuer_not_available: 'la banca non rispondeva: si può riprovare',
  processing_error: 'errore della banca: si può riprovare',
  reenter_transaction: 'errore della banca: si può riprovare',
  try_again_later: 'errore della banca: si può riprovare',
  duplicate_transaction: 'pagamento uguale fatto poco prima',
  testmode_decline: 'carta di prova in un ambiente vero',
};

/** An unknown code is shown as it is. */
export function declineWords(code: string): string {
  return words[code] ?? code.replaceAll('_', ' ');
}
