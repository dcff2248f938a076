/** The sections of the look form other than colours: logo, hours, mails, tickets, fee. */
import { lookLengths, type LookText } from '#server/domain/site/look.ts';
import { Field, FieldTextarea } from '#apps/shared/ui/field.tsx';
import { PriceField } from '#apps/admin/event/form/category.tsx';
import { usePrices } from '#apps/admin/event/form/known-prices.ts';
import { Picture } from '#apps/admin/event/form/picture.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { Section, Spot } from '#apps/admin/kit/form/form-section.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import type { LookSection } from './look-form.ts';
import { MailPreview, PdfPreview, ThermalPreview, type Preview } from './look-preview.tsx';
import styles from './look.module.css';

export function Logo({ values, faults, set }: LookSection) {
  return (
    <Section title="Logo" hint="Sta in testa al sito, all’ufficio e, se vuoi, ai biglietti.">
      <Spot field="logo">
        <Picture
          label="Logo"
          hint="PNG, WebP o AVIF, meglio con lo sfondo trasparente, largo almeno 160 pixel. Gli SVG non si possono usare."
          shape="logo"
          value={values.logo}
          onChange={(logo) => set({ logo })}
          error={faults.logo ?? null}
        />
      </Spot>
    </Section>
  );
}

interface LinesProps extends LookSection {
  name: LookText;
  label: string;
  hint: string;
}

/** A text of several lines; the hint says the limits. */
function Lines({ name, label, hint, values, faults, set }: LinesProps) {
  const { lines, line } = lookLengths[name];
  return (
    <Spot field={name}>
      <Field
        label={label}
        hint={`${hint} Al massimo ${lines} righe di ${line} caratteri.`}
        error={faults[name] ?? null}
      >
        <FieldTextarea
          rows={Math.min(5, lines)}
          value={values[name]}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      </Field>
    </Spot>
  );
}

export function Hours(section: LookSection) {
  return (
    <Section title="Orari della biglietteria">
      <Lines
        {...section}
        name="hours"
        label="Orari"
        hint="Si leggono sul sito, in «Info e contatti», e in fondo ai messaggi."
      />
    </Section>
  );
}

interface PreviewedProps extends LookSection {
  preview: Preview;
}

export function Mails({ preview, address, ...section }: PreviewedProps & { address: string }) {
  const { values, faults, set } = section;
  return (
    <Section title="Posta" hint={`I messaggi a chi compra partono da ${address}.`}>
      <div className={styles.beside}>
        <div className={styles.fields}>
          <Spot field="mail_sender">
            <TextField
              label="Nome del mittente"
              hint="Vuoto: quello della configurazione."
              value={values.mail_sender}
              maxLength={lookLengths.mail_sender.line}
              error={faults.mail_sender ?? null}
              onChange={(mail_sender) => set({ mail_sender })}
            />
          </Spot>
          <Lines
            {...section}
            name="mail_footer"
            label="In fondo ai messaggi"
            hint="Per esempio chi sostiene il teatro."
          />
        </div>
        <MailPreview preview={preview} address={address} />
      </div>
    </Section>
  );
}

export function Tickets({ preview, ...section }: PreviewedProps) {
  const { values, set } = section;
  return (
    <Section
      title="Biglietti"
      hint="Posto, data, prezzo e codice ci sono sempre: qui decidi che cosa aggiungere."
    >
      <div className={styles.beside}>
        <div className={styles.fields}>
          <Lines
            {...section}
            name="ticket_rules"
            label="Regole della sala"
            hint="Si aggiungono a quelle dell’ingresso. Per esempio: a spettacolo iniziato non si entra."
          />
          <Lines
            {...section}
            name="ticket_foot"
            label="In fondo al biglietto"
            hint="Su ogni carta."
          />
          <Check
            label="Logo sul PDF"
            checked={values.pdf_logo}
            onChange={(pdf_logo) => set({ pdf_logo })}
          />
          <Check
            label="Logo sulla stampa della cassa"
            hint="In bianco e nero: i colori chiari spariscono."
            checked={values.thermal_logo}
            onChange={(thermal_logo) => set({ thermal_logo })}
          />
          <Check
            label="Regole della sala sulla stampa della cassa"
            checked={values.thermal_rules}
            onChange={(thermal_rules) => set({ thermal_rules })}
          />
        </div>
        <ThermalPreview preview={preview} logo={values.logo} />
        <PdfPreview values={values} stale={preview.stale} />
      </div>
    </Section>
  );
}

export function Fee({ values, faults, set }: LookSection) {
  const find = usePrices([values.fee_price_id]);
  return (
    <Section
      title="Nuovi spettacoli"
      hint="Chi crea uno spettacolo parte da qui, e può cambiarlo. Quelli che ci sono già restano come sono."
    >
      <Spot field="fee_price_id">
        <PriceField
          label="Diritto di prevendita per biglietto (facoltativo)"
          about="diritto di prevendita"
          hint="Si aggiunge a ogni biglietto che costa qualcosa."
          value={values.fee_price_id}
          found={find(values.fee_price_id)}
          error={faults.fee_price_id ?? null}
          onChange={(fee_price_id) => set({ fee_price_id })}
        />
      </Spot>
    </Section>
  );
}

export function Factor({ values, set, required }: LookSection & { required: boolean }) {
  return (
    <Section title="Secondo fattore">
      <Check
        label="Chiedi un secondo fattore ad amministratori e ufficio"
        hint={
          required
            ? 'È già obbligatorio per configurazione.'
            : 'Hanno sette giorni dal primo accesso per aggiungerlo; poi, senza, entrano solo nel proprio accesso.'
        }
        checked={required || values.requires_factor}
        disabled={required}
        onChange={(requires_factor) => set({ requires_factor })}
      />
    </Section>
  );
}
