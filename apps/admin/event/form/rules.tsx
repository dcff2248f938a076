/** Section of the event form: rules for buying, refunds and admission. */
import {
  Check,
  NumberField,
  Radios,
  Section,
  type SectionProps,
} from '#apps/admin/kit/form/form-section.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';

export function Rules({ section }: { section: SectionProps }) {
  const { values, faults, set } = section;
  return (
    <Section title="Regole">
      <h3>Acquisto</h3>
      <div className={formStyles.pair}>
        <NumberField
          section={section}
          name="max_seats"
          label="Posti per ordine, al massimo"
          unit="posti"
          hint="In Italia di solito 10."
        />
        <NumberField
          section={section}
          name="pay_minutes"
          label="Tempo per pagare"
          unit="minuti"
          hint="Poi i posti tornano liberi. Da 5 a 30."
        />
      </div>
      <h3>Intestatari</h3>
      <Check
        label="Biglietti nominativi"
        hint="Dopo il pagamento si chiedono nome e cognome per ogni biglietto."
        checked={values.nominative}
        onChange={(nominative) => set({ nominative })}
      />
      <Check
        label="L’intestatario si può cambiare"
        hint="Il vecchio codice smette di valere."
        checked={values.holder_change}
        onChange={(holder_change) => set({ holder_change })}
      />
      {(values.holder_change ||
        'holder_changes_max' in faults ||
        'holder_change_until_hours' in faults) && (
        <div className={formStyles.pair}>
          <NumberField
            section={section}
            name="holder_changes_max"
            label="Cambi per biglietto, al massimo"
            unit="cambi"
          />
          <NumberField
            section={section}
            name="holder_change_until_hours"
            label="Fino a quante ore prima dell’inizio"
            unit="ore"
          />
        </div>
      )}
      <h3>Rimborsi</h3>
      <Radios
        legend="Chi ha comprato può chiedere il rimborso?"
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
            <NumberField
              section={section}
              name="refund_days"
              label="Entro quanti giorni dall’acquisto"
              unit="giorni"
            />
            <NumberField
              section={section}
              name="refund_stop_days"
              label="Non più negli ultimi giorni prima dell’evento"
              unit="giorni"
            />
          </div>
          <Check
            label="In caso di rinuncia la prevendita resta a noi"
            checked={values.refund_keeps_fees}
            onChange={(refund_keeps_fees) => set({ refund_keeps_fees })}
          />
        </>
      )}
      <Check
        label="In caso di annullamento la prevendita resta a noi"
        hint="Sconsigliato: per i tribunali va restituita."
        checked={values.cancel_keeps_fees}
        onChange={(cancel_keeps_fees) => set({ cancel_keeps_fees })}
      />
      <h3>Alla porta</h3>
      <Check
        label="Chi esce può rientrare"
        checked={values.reentry}
        onChange={(reentry) => set({ reentry })}
      />
      <Radios
        legend="Un biglietto autentico venduto dopo l’ultimo aggiornamento del telefono"
        value={values.verify_policy}
        onChange={(verify_policy) => set({ verify_policy })}
        options={[
          ['ask', 'Chiede al responsabile', 'Compare VERIFICA: decide una persona.'],
          ['admit', 'Entra'],
        ]}
      />
    </Section>
  );
}
