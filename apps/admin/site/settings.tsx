/** The site settings: seller, contacts and legal texts, used at once on pages, in mails and on tickets. */
import { useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { readSiteSettings, writeSiteSettings } from '#server/contract/site.ts';
import { legalNames } from '#server/domain/legal-names.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Field, type FieldProps } from '#apps/shared/ui/field.tsx';
import { Section, Spot } from '#apps/admin/kit/form/form-section.tsx';
import { PageTitle } from '#apps/admin/kit/page-title.tsx';
import { Loaded } from '#apps/admin/kit/loaded.tsx';
import { useAct } from '#apps/admin/shell/session.ts';
import {
  bodyOfSite,
  checkSite,
  faultsOfAnswer,
  siteFields,
  valuesOfSite,
  type SiteFaults,
  type SiteField,
  type SiteSettings,
  type SiteValues,
} from './form.ts';
import { SiteText } from './text.tsx';
import { useUnsavedGuard } from '#apps/admin/kit/form/unsaved-guard.tsx';
import { Notice } from '#apps/admin/kit/notice.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import sectionStyles from '#apps/admin/kit/form/form-section.module.css';
import barStyles from '#apps/admin/kit/form/save-bar.module.css';

export function SiteSettingsScreen() {
  // Later answers must not touch what is being typed.
  const query = useEndpoint(readSiteSettings, {}, { refetchOnWindowFocus: false });
  const settings = { ...query, data: query.isFetchedAfterMount ? query.data : undefined };
  return (
    <>
      <PageTitle title="Il sito" />
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
  const [held, setHeld] = useState(settings);
  const [values, setValues] = useState(() => valuesOfSite(settings));
  const [faults, setFaults] = useState<SiteFaults>({});
  const [saved, setSaved] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  const before = valuesOfSite(held);
  const dirty = [...siteFields, ...legalNames].some((field) => values[field] !== before[field]);
  const guard = useUnsavedGuard(dirty);
  const faulty = Object.keys(faults).length > 0;
  useEffect(() => {
    if (Object.keys(faults).length > 0) summary.current?.focus();
  }, [faults]);

  async function save() {
    const found = checkSite(values);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    try {
      const next = await act(writeSiteSettings, { body: bodyOfSite(values, held.version) });
      client.setQueryData(keyOf(readSiteSettings, {}), next);
      setHeld(next);
      setValues(valuesOfSite(next));
      setSaved(true);
    } catch (error) {
      setFaults(faultsOfAnswer(error));
    }
  }

  const set = (change: Partial<SiteValues>) => setValues((now) => ({ ...now, ...change }));
  const entry = (name: SiteField, label: string, more: Partial<FieldProps> = {}) => (
    <Spot field={name}>
      <Field
        {...more}
        label={label}
        value={values[name]}
        onChange={(event) => set({ [name]: event.target.value })}
        error={faults[name] ?? null}
      />
    </Spot>
  );
  return (
    <form className={sectionStyles.form} noValidate onSubmit={(submit) => submit.preventDefault()}>
      {faulty && (
        <Notice ref={summary} as="div" tone="bad" role="alert" tabIndex={-1}>
          <strong>
            {faults.form ?? 'Non è stato salvato: correggi i campi segnati in rosso.'}
          </strong>
        </Notice>
      )}
      {held.lacks.length > 0 && (
        <Notice tone="warn">
          <span>
            Per mettere in vendita un evento manca ancora:{' '}
            {held.lacks.map((lack) => lackWords[lack]).join(' e ')}.
          </span>
        </Notice>
      )}
      <div className={sectionStyles.sections}>
        <Section
          title="Chi vende"
          hint="Sta in fondo a ogni pagina, nei messaggi e sui biglietti. La partita IVA sul sito è un obbligo di legge."
        >
          <div className={formStyles.pair}>
            {entry('name', 'Nome del sito', { required: true, maxLength: 80, autoComplete: 'off' })}
            {entry('seller', 'Chi vende i biglietti', {
              required: true,
              maxLength: 200,
              autoComplete: 'organization',
              hint: 'La ragione sociale, per esempio Fondazione Teatro Goldoni.',
            })}
          </div>
          {entry('address', 'Sede', {
            maxLength: 300,
            autoComplete: 'street-address',
            hint: 'Via, numero, CAP e città.',
          })}
          <div className={formStyles.pair}>
            {entry('vat_number', 'Partita IVA', {
              maxLength: 40,
              inputMode: 'numeric',
              autoComplete: 'off',
              spellCheck: false,
            })}
            {entry('tax_code', 'Codice fiscale', {
              maxLength: 40,
              autoCapitalize: 'characters',
              autoComplete: 'off',
              spellCheck: false,
            })}
            {entry('rea', 'Numero REA', { maxLength: 40, autoComplete: 'off', spellCheck: false })}
            {entry('pec', 'PEC', {
              type: 'email',
              maxLength: 254,
              autoComplete: 'off',
              spellCheck: false,
            })}
          </div>
        </Section>
        <Section
          title="Assistenza"
          hint="A chi scrive e chi telefona chi ha comprato. Le risposte ai nostri messaggi arrivano a questo indirizzo."
        >
          <div className={formStyles.pair}>
            {entry('email', 'E-mail', {
              type: 'email',
              maxLength: 254,
              autoComplete: 'email',
              spellCheck: false,
            })}
            {entry('phone', 'Telefono', { type: 'tel', maxLength: 30, autoComplete: 'tel' })}
          </div>
        </Section>
        <Section
          title="Testi legali"
          hint="Sono testi di partenza: falli leggere a chi ti assiste. Una riga che parla di un dato che manca non si vede."
        >
          {legalNames.map((name) => (
            <SiteText
              key={name}
              legal={held.legal[name]}
              value={values[name]}
              onChange={(text) => set({ [name]: text })}
              error={faults[name] ?? null}
              name={name}
            />
          ))}
        </Section>
        <Notice>
          <span>
            Non siamo una biglietteria automatizzata: questo software non emette il sigillo fiscale.
            Se i tuoi spettacoli sono soggetti a certificazione, usalo insieme a un sistema
            riconosciuto.
          </span>
        </Notice>
      </div>
      <div className={barStyles.bar}>
        <p className={barStyles.state} aria-live="polite">
          {dirty ? 'Modifiche non salvate' : saved ? 'Salvato: si vede subito.' : ''}
        </p>
        {dirty && (
          <button
            type="button"
            className="ui-button ui-button-quiet"
            onClick={() => {
              setValues(before);
              setFaults({});
            }}
          >
            Scarta
          </button>
        )}
        <AsyncButton variant="primary" disabled={!dirty} onClick={save}>
          Salva
        </AsyncButton>
      </div>
      {guard}
    </form>
  );
}
