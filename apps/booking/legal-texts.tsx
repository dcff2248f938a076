/** The default terms and privacy policy: refund terms of specification §9, with the decision that a cancelled event refunds the fees too. */
import { creditWords } from '#server/domain/order-words.ts';
import { site } from './site.ts';

export function LegalTexts() {
  return (
    <>
      <TermsOfSale />
      <PrivacyPolicy />
    </>
  );
}

function TermsOfSale() {
  return (
    <>
      <h3>Condizioni di vendita</h3>
      <h4>Acquisto</h4>
      <p>Quando scegli un posto, la pianta lo tiene per te per alcuni minuti. Premendo «Procedi al pagamento» invii un ordine con obbligo di pagare e passi alla pagina sicura del nostro partner per i pagamenti. L’acquisto è concluso quando l’ordine risulta confermato: da quel momento i biglietti sono nella pagina dell’ordine.</p>
      <h4>Biglietti e ingresso</h4>
      <p>Si entra mostrando il codice QR del biglietto, sul telefono o stampato. Ogni codice vale per una sola entrata. I biglietti sono personali e non cedibili: non pubblicarne la foto. Per i biglietti ridotti porta con te il documento che ne dà diritto.</p>
      <h4>Recesso</h4>
      <p>Ai sensi dell’art. 59, comma 1, lett. n), del Codice del consumo, per i servizi del tempo libero con una data stabilita non è previsto il diritto di recesso.</p>
      <h4>Rimborsi</h4>
      <p>Come scelta nostra, puoi chiedere il rimborso entro 10 giorni dall’acquisto, purché l’evento non sia già passato o imminente. I biglietti acquistati nei 15 giorni che precedono l’evento non sono rimborsabili. In caso di rinuncia le commissioni di vendita e di gestione non vengono restituite. {creditWords}</p>
      <p>Se l’evento viene annullato rimborsiamo il prezzo del biglietto, commissioni comprese.</p>
      <p>Il rimborso si chiede dalla pagina dell’ordine, dove leggi anche entro quando. Se non la trovi, scrivi a <a href={`mailto:${site.support_email}`}>{site.support_email}</a> indicando il numero dell’ordine.</p>
    </>
  );
}

function PrivacyPolicy() {
  return (
    <>
      <h3>Privacy Policy</h3>
      <p className="small soft">Ultima modifica: <time dateTime="2024-08-05">5 agosto 2024</time></p>
      <h4>Quali dati usiamo</h4>
      <p>Per venderti un biglietto servono il nome, l’indirizzo e-mail e, se lo indichi, il numero di telefono che scrivi nella pagina di pagamento. I dati della carta li tratta soltanto il partner per i pagamenti: noi non li vediamo e non li conserviamo.</p>
      <h4>A che cosa servono</h4>
      <p>A concludere e gestire l’ordine, a inviarti i biglietti e gli avvisi sull’evento, a controllare gli ingressi e a rispettare gli obblighi di legge. Non li usiamo per pubblicità senza il tuo consenso e non li vendiamo a nessuno.</p>
      <h4>Chi li tratta e per quanto tempo</h4>
      <p>Li trattano l’organizzatore dell’evento e i fornitori che gli prestano il servizio: pagamenti, invio della posta, pianta dei posti. Al varco il personale vede soltanto quanto serve per farti entrare. I dati di chi acquista sono resi anonimi 24 mesi dopo l’evento, salvo quanto la legge impone di conservare.</p>
      <h4>Cookie e memoria del browser</h4>
      <p>Il sito usa solo strumenti tecnici: nella memoria di questa scheda restano i posti che stai scegliendo e gli ordini appena iniziati, e si cancellano quando la chiudi. Nessun tracciamento di terzi.</p>
      <h4>I tuoi diritti</h4>
      <p>Puoi chiedere di vedere, correggere, cancellare o ricevere i tuoi dati, o opporti al loro uso, scrivendo a <a href={`mailto:${site.support_email}`}>{site.support_email}</a>. Puoi anche rivolgerti al Garante per la protezione dei dati personali.</p>
    </>
  );
}
