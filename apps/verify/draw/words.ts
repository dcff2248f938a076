/** The words of the page that repeats a draw. */
import type { DrawFault } from '#server/domain/queue/draw.ts';

export const faultWords: Record<DrawFault | 'promised', string> = {
  seed: 'Il numero segreto non è quello di cui era stata pubblicata l’impronta.',
  root: 'L’elenco non è quello fissato prima di aprire il numero segreto.',
  twice: 'Nell’elenco c’è due volte lo stesso posto.',
  promised: 'Prima dell’apertura era stata pubblicata un’altra impronta.',
};

export const steps = [
  'Impronta vuol dire SHA-256, scritta in base 64 per indirizzi: 43 caratteri.',
  'L’impronta del numero segreto è quella pubblicata prima dell’apertura.',
  'L’elenco, una riga per persona con posto, spazio, numero del browser e a capo, ha l’impronta che è stata fissata.',
  'Per ogni posto: l’impronta di numero segreto, impronta dell’elenco e posto, scritti di seguito. Il posto con l’impronta più piccola, in ordine di caratteri, ha il numero 1.',
];

export const proves = [
  'Il numero segreto c’era già quando le persone sono entrate: nessuno lo ha scelto dopo.',
  'Chi è entrato non poteva calcolare l’ordine prima dell’apertura: gli mancava il numero segreto.',
  'Chi era in elenco è stato estratto, una volta sola.',
];

export const provesNot = [
  'Non dice chi c’è dietro un posto: l’elenco non contiene dati personali.',
  'Non prova che la casa non conoscesse l’ordine: il numero segreto lo aveva lei, e fino all’apertura poteva aggiungere posti suoi finché l’ordine le andava bene.',
  'Non esclude che qualcuno sia entrato con più browser.',
  'Chi è entrato dopo l’apertura segue l’ordine di arrivo e qui non c’è.',
];
