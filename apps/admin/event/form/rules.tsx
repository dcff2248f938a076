/** The section of the event form with the rules for buying, refunds and admission. */
import { Section, Spot } from '#apps/admin/kit/form/form-section.tsx';
import { controlsOf, type SectionProps } from './controls.tsx';
import { GiftRules } from './gifts.tsx';
import { readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { instantOf } from '#apps/admin/kit/form/wall-time.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { buyerSearchNames } from '#server/domain/door/buyer-search.ts';
import { sayExchange } from '#server/domain/order/right-words.ts';
import { eventFieldNames } from '#server/domain/event/field-names.ts';
import { regimeNames } from '#server/domain/papers/regime.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

export function Rules({ section }: { section: SectionProps }) {
  const { values, set } = section;
  const { check } = controlsOf(section);
  return (
    <Section title="Regole">
      <PurchaseRules section={section} />
      <FreeRules section={section} />
      <HolderRules section={section} />
      <TaxRules section={section} />
      <RefundRules section={section} />
      <ExchangeRules section={section} />
      <h3>Alla porta</h3>
      {check('reentry')}
      <Radios
        legend={eventFieldNames.verify_policy}
        value={values.verify_policy}
        onChange={(verify_policy) => set({ verify_policy })}
        options={[
          ['ask', 'Chiede al responsabile', 'Compare VERIFICA: decide una persona.'],
          ['admit', 'Entra'],
        ]}
      />
      <Radios
        legend={eventFieldNames.moved_policy}
        value={values.moved_policy}
        onChange={(moved_policy) => set({ moved_policy })}
        options={[
          ['admit', 'Entra', 'Compare SPOSTATO con il posto nuovo.'],
          ['ask', 'Chiede al responsabile'],
        ]}
      />
      <Radios
        legend={eventFieldNames.buyer_search}
        value={values.buyer_search}
        onChange={(buyer_search) => set({ buyer_search })}
        options={[
          ['off', buyerSearchNames.off],
          [
            'supervisors',
            buyerSearchNames.supervisors,
            'I nomi di chi ha comprato vanno su quei telefoni, cifrati, fino a 48 ore dopo l’inizio.',
          ],
          [
            'everybody',
            buyerSearchNames.everybody,
            'I nomi vanno su ogni telefono della porta: sceglilo solo se serve davvero.',
          ],
        ]}
      />
    </Section>
  );
}

function PurchaseRules({ section }: { section: SectionProps }) {
  const { number, check } = controlsOf(section);
  return (
    <>
      <h3>Acquisto</h3>
      <div className={formStyles.pair}>
        {number('max_seats', 'posti', { more: ', al massimo', hint: 'In Italia di solito 10.' })}
        {number('max_per_email', 'biglietti', {
          more: ' (facoltativo)',
          hint: 'Contando tutti gli ordini. Chi lo supera dopo aver pagato compare in «Da sistemare»; per i posti gratuiti è rifiutato prima. Vuoto: senza limite.',
        })}
        {number('pay_minutes', 'minuti', { hint: 'Poi i posti tornano liberi. Da 5 a 30.' })}
      </div>
      {check('ask_phone', 'Lo chiede la pagina del pagamento, e per i posti gratuiti il sito.')}
    </>
  );
}

function FreeRules({ section }: { section: SectionProps }) {
  const { number, check } = controlsOf(section);
  return (
    <>
      <h3>Posti gratuiti</h3>
      {check(
        'free_confirm',
        'Chi prenota apre l’e-mail e conferma; i posti lo aspettano per i «Minuti per pagare».',
      )}
      {check('free_reminder', 'Con il link «Non vengo più», che rimette in vendita i posti.')}
      {number('free_until_minutes', 'minuti prima dell’inizio', {
        more: ' (facoltativo)',
        hint: 'Poi il posto di chi non è entrato torna in vendita; finché è libero la porta dice VERIFICA. Vuoto: il posto resta suo.',
      })}
    </>
  );
}

function HolderRules({ section }: { section: SectionProps }) {
  const { values, faults } = section;
  const { number, check } = controlsOf(section);
  return (
    <>
      <h3>Intestatari</h3>
      {check('nominative', 'Dopo il pagamento si chiedono nome e cognome per ogni biglietto.')}
      {check('holder_change', 'Il vecchio codice smette di valere.')}
      {(values.holder_change ||
        'holder_changes_max' in faults ||
        'holder_change_until_hours' in faults) && (
        <div className={formStyles.pair}>
          {number('holder_changes_max', 'cambi', { more: ', al massimo' })}
          {number('holder_change_until_hours', 'ore')}
        </div>
      )}
    </>
  );
}

/** The fields for certifying the takings (RULES L7), and for the VAT in the prices. */
function TaxRules({ section }: { section: SectionProps }) {
  const { values, set } = section;
  const { number } = controlsOf(section);
  return (
    <>
      <h3>Fisco</h3>
      <Radios
        legend={eventFieldNames.regime}
        value={values.regime}
        onChange={(regime) => set({ regime })}
        options={[
          ['unsaid', regimeNames.unsaid],
          ['not_subject', regimeNames.not_subject, 'Per esempio convegni, corsi, visite guidate.'],
          [
            'exempt',
            regimeNames.exempt,
            'Piccoli organizzatori sotto le soglie di legge: l’esonero va dimostrato da chi organizza.',
          ],
          [
            'external',
            regimeNames.external,
            'Un sistema riconosciuto emette i titoli: i sigilli si importano in «Sigilli».',
          ],
        ]}
      />
      <div className={formStyles.pair}>{number('vat_percent', '%', { hint: noVat })}</div>
      <GiftRules section={section} />
    </>
  );
}

const noVat = 'È già nel prezzo. Vuoto: esente o escluso.';
function RefundRules({ section }: { section: SectionProps }) {
  const { values, faults, set } = section;
  const { number, check } = controlsOf(section);
  return (
    <>
      <h3>Rimborsi</h3>
      <Radios
        legend={eventFieldNames.refund_request}
        value={values.refund_request}
        onChange={(refund_request) => set({ refund_request })}
        options={[
          ['office', 'Sì, e decide l’ufficio'],
          ['automatic', 'Sì, e lo riceve subito'],
          ['never', 'No', 'Se l’evento viene annullato il rimborso resta dovuto.'],
        ]}
      />
      {(values.refund_request !== 'never' ||
        'refund_days' in faults ||
        'refund_stop_days' in faults) && (
        <>
          <div className={formStyles.pair}>
            {number('refund_days', 'giorni')}
            {number('refund_stop_days', 'giorni')}
          </div>
          {check('refund_keeps_fees')}
        </>
      )}
      {check('cancel_keeps_fees', 'Sconsigliato: per i tribunali va restituita.')}
    </>
  );
}

function ExchangeRules({ section }: { section: SectionProps }) {
  const { values, faults, set } = section;
  const { number, check } = controlsOf(section);
  return (
    <>
      <h3>Cambio di data</h3>
      {check(
        'exchange',
        'Chi ha comprato passa da solo a un’altra data dello spettacolo. L’ufficio e la cassa possono farlo sempre.',
      )}
      {(values.exchange || 'exchange_until_hours' in faults || 'exchange_fee_cents' in faults) && (
        <>
          <div className={formStyles.pair}>
            {number('exchange_until_hours', 'ore', {
              hint: 'Prima della serata a cui si rinuncia: 24 è il giorno prima alla stessa ora.',
            })}
            <Spot field="exchange_fee_cents">
              <TextField
                label={`${eventFieldNames.exchange_fee_cents} (€)`}
                hint="Oltre alla differenza di prezzo. Vuoto: gratis."
                inputMode="decimal"
                maxLength={12}
                value={values.exchange_fee_cents}
                onChange={(exchange_fee_cents) => set({ exchange_fee_cents })}
                error={faults['exchange_fee_cents'] ?? null}
              />
            </Spot>
          </div>
          <BuyerReads values={values} />
        </>
      )}
    </>
  );
}

/** The sentence of the order page, as it would be with what is typed. */
function BuyerReads({ values }: Pick<SectionProps, 'values'>) {
  const starts_at = instantOf(values.starts_at);
  const exchange_until_hours = Number(values.exchange_until_hours);
  if (!values.exchange || typeof starts_at !== 'number' || !Number.isFinite(exchange_until_hours))
    return null;
  const exchange_fee_cents = readEuro(values.exchange_fee_cents) ?? 0;
  const terms = { exchange: 1, exchange_until_hours, exchange_fee_cents } as const;
  return (
    <Notice icon="user">
      Chi compra legge: «{sayExchange({ ...terms, status: 'published', starts_at }, 0)}» Vale per
      chi compra da adesso; chi ha già comprato ha i termini migliori tra quelli di allora e questi.
    </Notice>
  );
}
