/**
 * What this software is not: the sentences that Italian law requires beside ticket sales (RULES
 * L3).
 */

export const noSeal =
  'Questo software non è una biglietteria automatizzata riconosciuta dall’Agenzia delle Entrate e non emette il sigillo fiscale SIAE. Per gli spettacoli e gli intrattenimenti soggetti a certificazione va usato insieme a un sistema riconosciuto; il controllo ingressi integrato non sostituisce quello fiscale.';

/** The short form for paper that has one line for it. */
export const noSealShort =
  'Emesso da un software che non è una biglietteria automatizzata: senza sigillo fiscale SIAE.';

/** The form for a ticket that has little room. */
export const paperNoSeal = `Non valido ai fini fiscali. ${noSealShort}`;
