/** One legal text in a foldable section, with a button to restore the standard text. */
import { useState } from 'react';
import { readSite } from '#server/contract/site.ts';
import { legalHtml } from '#server/domain/site/legal.ts';
import type { LegalName } from '#server/domain/site/legal-names.ts';
import { monitorsOf } from '#server/domain/site/monitoring.ts';
import type { SiteFacts } from '#server/domain/site/site.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Field, FieldTextarea } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Spot } from '#apps/admin/kit/form/form-section.tsx';
import type { SiteSettings } from './form.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './text.module.css';

interface SiteTextProps {
  name: LegalName;
  legal: SiteSettings['legal'][LegalName];
  value: string;
  onChange: (text: string) => void;
  error: string | null;
  facts: SiteFacts;
}

export function SiteText({ name, legal, value, onChange, error, facts }: SiteTextProps) {
  const own = value.trim() !== legal.standard;
  return (
    <Spot field={name}>
      <details className={styles.text} open={error !== null || undefined}>
        <summary>
          <Icon name="forward" size={18} /> {legal.title}{' '}
          <Badge tone="neutral">{own ? 'Testo tuo' : 'Testo standard'}</Badge>
        </summary>
        <Field
          label={`Testo: ${legal.title}`}
          error={error}
          hint={
            <>
              Una riga vuota divide i paragrafi, «## » all’inizio fa un titolo, «- » un elenco.
              Segnaposto:{' '}
              {
                '{organiser} {address} {vat_number} {tax_code} {rea} {pec} {email} {phone} {site} {refund_days} {refund_stop_days} {refund_today} {banner} {monitoring}'
              }
              .
            </>
          }
        >
          <FieldTextarea
            rows={16}
            maxLength={12_000}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </Field>
        <TextPreview text={value} facts={facts} />
        <p className={textStyles.links}>
          <a className={textStyles.out} href={legal.path} target="_blank" rel="noopener">
            Vedi la pagina <Icon name="external" size={16} label="si apre in una nuova scheda" />
          </a>
          {own && (
            <button
              type="button"
              className={textStyles.link}
              onClick={() => onChange(legal.standard)}
            >
              Torna al testo standard
            </button>
          )}
        </p>
      </details>
    </Spot>
  );
}

/** The text as on the public page, with the values typed above. */
function TextPreview({ text, facts }: { text: string; facts: SiteFacts }) {
  const { data: site } = useEndpoint(readSite, {}, { staleTime: 60_000 });
  const monitoring = site?.monitoring ?? null;
  const [now] = useState(() => Date.now());
  const html = legalHtml(text, {
    site: facts,
    now,
    monitored: monitoring !== null,
    watched: monitorsOf(monitoring),
  });
  return (
    <details className={styles.preview}>
      <summary>Anteprima</summary>
      <div dangerouslySetInnerHTML={{ __html: html }} />
    </details>
  );
}
