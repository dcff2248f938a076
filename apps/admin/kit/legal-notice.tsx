/** What this software is not: the sentence that Italian law asks for beside ticket sales. */
import { Notice } from './notice.tsx';

export function LegalNotice() {
  return (
    <Notice icon="info">
      Questo software non è una biglietteria automatizzata riconosciuta dall’Agenzia delle Entrate e
      non emette il sigillo fiscale SIAE. Per gli spettacoli e gli intrattenimenti soggetti a
      certificazione va usato insieme a un sistema riconosciuto; il controllo ingressi integrato non
      sostituisce quello fiscale.
    </Notice>
  );
}
