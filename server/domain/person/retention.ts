/**
 * How long each kind of personal data is kept: what the office may set, within which bounds, and
 * why (RULES L5).
 */

export const retentionKinds = [
  'buyers',
  'letters',
  'loose_letters',
  'readings',
  'devices',
  'notices',
  'erasures',
] as const;
export type RetentionKind = (typeof retentionKinds)[number];

interface RetentionRule {
  label: string;
  unit: 'months' | 'days';
  /** The value until the office sets another. */
  usual: number;
  least: number;
  most: number;
  /** The event from which the time counts. */
  from: string;
  law: string;
}

export const retentionRules: Record<RetentionKind, RetentionRule> = {
  buyers: {
    label: 'Nomi, e-mail e telefoni degli ordini, intestatari e note',
    unit: 'months',
    usual: 24,
    least: 1,
    most: 120,
    from: 'dalla fine dell’evento',
    law: 'Art. 5, par. 1, lett. e), GDPR: non oltre quanto serve a reclami e rimborsi. Somme, numeri e posti restano 10 anni (art. 2220 c.c.).',
  },
  letters: {
    label: 'Testi dei messaggi sugli ordini',
    unit: 'days',
    usual: 90,
    least: 7,
    most: 730,
    from: 'dall’invio',
    law: 'Art. 5, par. 1, lett. e), GDPR. Resta che cosa è stato inviato, quando e a chi, finché si conserva l’ordine.',
  },
  loose_letters: {
    label: 'Messaggi che non riguardano un ordine (link inviati di nuovo, accessi)',
    unit: 'days',
    usual: 30,
    least: 1,
    most: 90,
    from: 'dall’invio',
    law: 'Art. 5, par. 1, lett. e), GDPR: contengono link personali e servono pochi giorni.',
  },
  readings: {
    label: 'Testo dei codici estranei letti alla porta, e parole su chi entra senza biglietto',
    unit: 'days',
    usual: 7,
    least: 1,
    most: 30,
    from: 'dalla lettura',
    law: 'Art. 5, par. 1, lett. c), GDPR: un codice che non è nostro può contenere dati di altri, e chi conta può scrivere un nome. Quante persone e perché resta.',
  },
  devices: {
    label: 'Browser riconosciuti delle persone dell’ufficio',
    unit: 'days',
    usual: 365,
    least: 30,
    most: 365,
    from: 'dal primo accesso',
    law: 'Art. 32 GDPR: servono a distinguere chi lavora qui da chi indovina le password.',
  },
  notices: {
    label: 'Avvisi ricevuti da Stripe (solo numeri, senza nomi)',
    unit: 'days',
    usual: 90,
    least: 30,
    most: 730,
    from: 'dall’arrivo',
    law: 'Art. 5, par. 1, lett. e), GDPR: spiegano un pagamento contestato; Stripe li ripete per pochi giorni.',
  },
  erasures: {
    label: 'Impronte degli indirizzi cancellati',
    unit: 'months',
    usual: 12,
    least: 3,
    most: 24,
    from: 'dalla cancellazione',
    law: 'Art. 5, par. 2, e art. 17 GDPR: servono a ripetere le cancellazioni dopo il ripristino di una copia.',
  },
};

export type Retention = Record<RetentionKind, number>;

export const usualRetention = Object.fromEntries(
  retentionKinds.map((kind) => [kind, retentionRules[kind].usual]),
) as Retention;

/** Kinds whose number is outside their bounds. */
export function retentionFaults(wanted: Retention): RetentionKind[] {
  return retentionKinds.filter((kind) => {
    const { least, most } = retentionRules[kind];
    return !Number.isInteger(wanted[kind]) || wanted[kind] < least || wanted[kind] > most;
  });
}

/** `24 mesi`, `1 giorno`. */
export function sayRetention(kind: RetentionKind, n: number): string {
  const one = n === 1;
  if (retentionRules[kind].unit === 'months') return one ? '1 mese' : `${n} mesi`;
  return one ? '1 giorno' : `${n} giorni`;
}

/**
 * Times that cannot be set, because a rule of the product is stricter or another party has the
 * data.
 */
export const fixedRetention: readonly { label: string; time: string; law: string }[] = [
  {
    label: 'Sessioni di chi lavora qui',
    time: '7 giorni al massimo, 8 ore senza uso',
    law: 'Art. 32 GDPR. Per legge potrebbero restare 30 giorni: il programma le chiude prima.',
  },
  {
    label: 'Indirizzi che aspettano l’apertura di una vendita',
    time: 'fino al messaggio, o 48 ore senza conferma',
    law: 'Art. 6, par. 1, lett. b), GDPR: servono solo a quel messaggio.',
  },
  {
    label: 'Avvisi mandati ad altri programmi (solo numeri, senza nomi)',
    time: '30 giorni',
    law: 'Art. 5, par. 1, lett. e), GDPR: servono a capire una consegna mancata.',
  },
  {
    label: 'Elenchi sui telefoni della porta',
    time: '48 ore dopo l’inizio',
    law: 'Art. 5, par. 1, lett. c), GDPR: iniziali e posto; i nomi solo dove l’evento è nominativo.',
  },
  {
    label: 'Registro di chi ha fatto che cosa',
    time: 'senza termine; i dati di chi acquista se ne vanno con l’ordine',
    law: 'Art. 5, par. 2, GDPR: prova di come si trattano dati e denaro.',
  },
  {
    label: 'Righe di diagnosi del server',
    time: 'nel sistema, non in file del programma: 30 giorni con MaxRetentionSec=30day di systemd',
    law: 'Art. 32 GDPR. Non contengono nomi, indirizzi o telefoni.',
  },
  {
    label: 'Somme, numeri d’ordine, pagamenti, posti',
    time: '10 anni',
    law: 'Art. 2220 c.c. e art. 39 DPR 633/1972: libri e registri.',
  },
];
