/** The site settings: seller, contacts and legal texts for pages, mails and tickets. */
import { useEffect, useRef } from 'react';
import { mailInput } from '#apps/shared/ui/mail-input.ts';
import { useQueryClient } from '@tanstack/react-query';
import { readSiteSettings, writeSiteSettings } from '#server/contract/site.ts';
import { legalNames } from '#server/domain/site/legal-names.ts';
import { keyOf } from '#apps/shared/query.ts';
import { useFormQuery } from '#apps/admin/kit/form/form-query.ts';
import { TextField, type TextFieldProps } from '#apps/admin/kit/form/text-field.tsx';
import { Section, Spot } from '#apps/admin/kit/form/form-section.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import {
  bodyOfSite,
  checkSite,
  factsOfSite,
  faultsOfSiteAnswer,
  valuesOfSite,
  type SiteFaults,
  type SiteField,
  type SiteSettings,
  type SiteValues,
} from './form.ts';
import { SiteParts } from './parts.tsx';
import { SavedForm } from './saved-form.tsx';
import { useSavedForm } from './use-saved-form.ts';
import { SiteText } from './text.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';

export function SiteSettingsScreen() {
  const settings = useFormQuery(readSiteSettings, {});
  return (
    <>
      <PageTitle title="Sito e aspetto" />
      <SiteParts />
      <Loaded query={settings}>{(data) => <SiteForm settings={data} />}</Loaded>
    </>
  );
}

const lackWords = {
  organiser_tax: 'la partita IVA o il codice fiscale di chi vende',
  support_email: 'l’e-mail dell’assistenza',
};

function SiteForm({ settings }: { settings: SiteSettings }) {
  const act = useAct();
  const client = useQueryClient();
  const form = useSavedForm({
    stored: settings,
    valuesOf: valuesOfSite,
    check: checkSite,
    async write(values, { version }) {
      const next = await act(writeSiteSettings, { body: bodyOfSite(values, version) });
      client.setQueryData(keyOf(readSiteSettings, {}), next);
      return next;
    },
    faultsOf: faultsOfSiteAnswer,
  });
  const { held, values, faults, set } = form;
  const section: SiteSectionProps = { values, faults, set };
  return (
    <SavedForm form={form} notices={<Notices faults={faults} lacks={held.lacks} />}>
      <Seller section={section} />
      <Support section={section} />
      <LegalTexts section={section} legal={held.legal} />
      <Notice>
        Non siamo una biglietteria automatizzata: questo software non emette il sigillo fiscale. Se
        i tuoi spettacoli sono soggetti a certificazione, usalo insieme a un sistema riconosciuto.
      </Notice>
    </SavedForm>
  );
}

interface NoticesProps {
  faults: SiteFaults;
  lacks: SiteSettings['lacks'];
}

function Notices({ faults, lacks }: NoticesProps) {
  const summary = useRef<HTMLDivElement>(null);
  const faulty = Object.keys(faults).length > 0;
  useEffect(() => {
    if (Object.keys(faults).length > 0) summary.current?.focus();
  }, [faults]);
  return (
    <>
      {faulty && (
        <Notice ref={summary} as="div" tone="bad" role="alert" tabIndex={-1}>
          <strong>
            {faults.form ?? 'Non è stato salvato: correggi i campi segnati in rosso.'}
          </strong>
        </Notice>
      )}
      {lacks.length > 0 && (
        <Notice tone="warn">
          Per mettere in vendita un evento manca ancora:{' '}
          {lacks.map((lack) => lackWords[lack]).join(' e ')}.
        </Notice>
      )}
    </>
  );
}

interface SiteSectionProps {
  values: SiteValues;
  faults: SiteFaults;
  set: (change: Partial<SiteValues>) => void;
}

/** Draws fields by name. */
function fieldsOf({ values, faults, set }: SiteSectionProps) {
  return (name: SiteField, label: string, more: Partial<TextFieldProps>) => (
    <Spot field={name}>
      <TextField
        {...more}
        label={label}
        value={values[name]}
        onChange={(text) => set({ [name]: text })}
        error={faults[name] ?? null}
      />
    </Spot>
  );
}

function Seller({ section }: { section: SiteSectionProps }) {
  const field = fieldsOf(section);
  const number = { maxLength: 40, spellCheck: false };
  return (
    <Section
      title="Chi vende"
      hint="Sta in fondo a ogni pagina, nei messaggi e sui biglietti. La partita IVA sul sito è un obbligo di legge."
    >
      <div className={formStyles.pair}>
        {field('name', 'Nome del sito', { required: true, maxLength: 80 })}
        {field('seller', 'Chi vende i biglietti', {
          required: true,
          maxLength: 200,
          autoComplete: 'organization',
          hint: 'La ragione sociale, per esempio Fondazione Teatro Goldoni.',
        })}
      </div>
      {field('address', 'Sede', {
        maxLength: 300,
        autoComplete: 'street-address',
        hint: 'Via, numero, CAP e città.',
      })}
      <div className={formStyles.pair}>
        {field('vat_number', 'Partita IVA', { ...number, inputMode: 'numeric' })}
        {field('tax_code', 'Codice fiscale', { ...number, autoCapitalize: 'characters' })}
        {field('rea', 'Numero REA', number)}
        {field('pec', 'PEC', mailInput)}
      </div>
    </Section>
  );
}

function Support({ section }: { section: SiteSectionProps }) {
  const field = fieldsOf(section);
  return (
    <Section
      title="Assistenza"
      hint="A chi scrive e chi telefona chi ha comprato. Le risposte ai nostri messaggi arrivano a questo indirizzo."
    >
      <div className={formStyles.pair}>
        {field('email', 'E-mail', { ...mailInput, autoComplete: 'email' })}
        {field('phone', 'Telefono', { type: 'tel', maxLength: 30, autoComplete: 'tel' })}
      </div>
    </Section>
  );
}

interface LegalTextsProps {
  section: SiteSectionProps;
  legal: SiteSettings['legal'];
}

function LegalTexts({ section: { values, faults, set }, legal }: LegalTextsProps) {
  return (
    <Section
      title="Testi legali"
      hint="Sono testi di partenza: falli leggere a chi ti assiste. Una riga che parla di un dato che manca non si vede."
    >
      {legalNames.map((name) => (
        <SiteText
          key={name}
          legal={legal[name]}
          value={values[name]}
          onChange={(text) => set({ [name]: text })}
          error={faults[name] ?? null}
          name={name}
          facts={factsOfSite(values)}
        />
      ))}
    </Section>
  );
}
