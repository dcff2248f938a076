/**
 * The register of processing (art. 30 GDPR) as far as the product knows it: the purpose, the
 * data, the legal ground and the safeguards.
 */

interface Processing {
  purpose: string;
  people: string;
  data: string;
  ground: string;
  receivers: string;
}

export const processings: readonly Processing[] = [
  {
    purpose: 'Vendita dei biglietti, assistenza e rimborsi',
    people: 'Chi acquista',
    data: 'Nome, e-mail, telefono se indicato, ordini, posti, somme, numeri di pagamento, motivi scritti per il rimborso, note dell’ufficio',
    ground: 'Contratto (art. 6, par. 1, lett. b)',
    receivers: 'Stripe, fornitore della posta, pianta dei posti (senza nomi)',
  },
  {
    purpose: 'Biglietti nominativi e controllo all’ingresso',
    people: 'Chi entra',
    data: 'Nome e indirizzo dell’intestatario, posto, ora di entrata e uscita, varco',
    ground: 'Contratto (art. 6, par. 1, lett. b)',
    receivers: 'Telefoni della porta: iniziali e posto; nomi solo dove l’evento è nominativo',
  },
  {
    purpose: 'Messaggi di servizio sull’ordine e sull’evento',
    people: 'Chi acquista o riceve un biglietto',
    data: 'E-mail, testo del messaggio, esito dell’invio',
    ground: 'Contratto (art. 6, par. 1, lett. b)',
    receivers: 'Fornitore della posta',
  },
  {
    purpose: 'Avviso di apertura di una vendita',
    people: 'Chi lo chiede',
    data: 'E-mail, evento',
    ground: 'Richiesta della persona, con conferma (art. 6, par. 1, lett. b)',
    receivers: 'Fornitore della posta',
  },
  {
    purpose: 'Contabilità e obblighi di legge',
    people: 'Chi acquista',
    data: 'Somme, date, numeri d’ordine e di pagamento; dati di fattura se chiesta',
    ground: 'Obbligo di legge (art. 6, par. 1, lett. c)',
    receivers: 'Commercialista, autorità che lo chiedono',
  },
  {
    purpose: 'Lavoro dell’ufficio e sicurezza',
    people: 'Chi lavora qui',
    data: 'Nome, e-mail, ruolo, accessi, dispositivi, quanto fatto (Registro)',
    ground: 'Legittimo interesse alla sicurezza (art. 6, par. 1, lett. f)',
    receivers: 'Nessuno',
  },
];

/** Only service mails are sent, so no consent is asked for or stored. */
export const noMarketing =
  'Non si inviano messaggi promozionali: si scrive solo per l’ordine, per l’evento o a chi ha chiesto un avviso. Per questo non si chiede e non si conserva alcun consenso.';

export const measures: readonly string[] = [
  'Ruoli con diritti minimi; secondo fattore o passkey; conferma dell’identità prima di esportare, cancellare e rimborsare.',
  'Password mai conservate in chiaro, sessioni brevi, tentativi contati e rallentati.',
  'Connessioni cifrate; file leggibili solo dal programma; segreti e copie cifrati dove è impostata una chiave.',
  'Registro con sigilli concatenati: una modifica successiva si scopre.',
  'Nelle righe di diagnosi nomi, indirizzi e telefoni non ci sono.',
  'Copie ogni ora, verificate ogni giorno; le cancellazioni si ripetono dopo un ripristino.',
  'Telefoni della porta senza e-mail, telefoni e prezzi; elenco cancellato dopo 48 ore o alla revoca.',
];
