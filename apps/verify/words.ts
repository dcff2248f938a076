/** The words of the page that checks a book. */
import type { Fault } from '#server/domain/book/check.ts';
import type { KnownHead, Verdict } from '#server/domain/book/verdict.ts';
import { sayDay } from '#server/domain/book/heads.ts';

export function faultWords({ kind, n, line }: Fault): string {
  const row = n === null ? `La riga ${line} del file` : `La riga ${n} del libro`;
  const words: Record<Fault['kind'], string> = {
    header: 'La prima riga non è quella di un libro, o è stata cambiata.',
    end: 'Manca la riga finale con la firma, o è stata cambiata: il libro è tagliato.',
    unreadable: `${row} non si legge: è stata cambiata.`,
    changed: `${row} è stata cambiata.`,
    missing: `${row} manca.`,
    doubled: `${row} c’è due volte.`,
    added: `${row} è stata aggiunta: quel numero c’è già.`,
    moved: `${row} non è al suo posto.`,
    head: `La catena non arriva alla riga ${n}, che la firma nomina come ultima.`,
    day_head: `L’impronta del giorno alla riga ${n} non corrisponde alle righe che la precedono.`,
  };
  return words[kind];
}

export function signatureWords({ signature, faults }: Verdict): string {
  if (signature === 'good' && faults.length > 0)
    return 'La firma è della chiave qui sotto, ma queste righe non sono quelle firmate.';
  const words = {
    good: 'La firma è valida: la chiave qui sotto ha firmato proprio queste righe.',
    bad: 'La firma non è valida: queste righe non sono quelle firmate.',
    unchecked:
      'Questo browser non sa controllare la firma (Ed25519): apri la pagina con un browser aggiornato.',
  };
  return words[signature];
}

export function keyWords({ key }: Verdict): string {
  const words = {
    trusted: 'La chiave è quella di cui hai l’impronta.',
    other:
      'La chiave non è quella di cui hai l’impronta: questo libro lo ha firmato qualcun altro.',
    not_compared: 'Non hai scritto nessuna impronta: non sappiamo di chi sia la chiave.',
  };
  return words[key];
}

export function headWords({ head, day, found }: KnownHead): string {
  const name = day === null ? head : `${sayDay(day)}, ${head}`;
  const words = {
    here: 'è nel libro, e le righe di prima sono quelle di allora.',
    differs: 'non è nel libro, che per quel giorno ne ha un’altra: è stato riscritto.',
    elsewhere: 'è di un giorno che questo libro non ha: non prova niente.',
    missing: 'non è nel libro.',
  };
  return `${name}: ${words[found]}`;
}

export const proves = [
  'Le righe sono tutte e sole quelle scritte dall’organizzatore, nell’ordine in cui le ha scritte: nessuna è stata cambiata, tolta, aggiunta o spostata dopo la firma.',
  'I totali di questa pagina sono ricalcolati dalle righe, uno per uno.',
  'Se un’impronta del giorno che conosci è nel libro, quello che viene prima non è stato riscritto da allora.',
];

export const provesNot = [
  'Non è un documento fiscale: non sostituisce il sistema riconosciuto né il riepilogo della SIAE.',
  'Non dice niente di quello che nessuno ha mai registrato: un posto dato senza biglietto qui non c’è.',
  'Senza un’impronta pubblicata non esclude che l’organizzatore abbia riscritto tutto e firmato di nuovo.',
  'I nomi e gli indirizzi sono sostituiti da impronte: l’organizzatore può aprirne uno su richiesta.',
];
