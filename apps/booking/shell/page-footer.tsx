/** The foot of every page: the strip with its drawer (RULES W4), the legal texts, and who sells (RULES L1). */
import { Fragment, useState } from 'react';
import { Link } from 'react-router-dom';
import { Drawer } from '#apps/shared/ui/drawer.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { legalNames } from '#server/domain/legal-names.ts';
import { LegalText } from '#apps/booking/legal/text.tsx';
import { useSite, type Site } from './site.ts';
import frame from './frame.module.css';
import styles from './page-footer.module.css';
import prose from './prose.module.css';

export function PageFooter() {
  const [open, setOpen] = useState(false);
  const site = useSite();
  return (
    <footer className={`${frame.column} ${styles.footer} no-print`}>
      <button
        type="button"
        className={`${styles.strip} needs-script`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        Info | Contatti | Privacy Policy
      </button>
      <ul className={styles.links}>
        <li>
          <Link to="/i-miei-biglietti">I miei biglietti</Link>
        </li>
        {legalNames.map((name) => (
          <li key={name}>
            <Link to={site.legal[name].path}>{site.legal[name].title}</Link>
          </li>
        ))}
      </ul>
      <p className={styles.seller}>
        {sellerParts(site).map((part, at, { length }) => (
          <Fragment key={part}>
            <span>
              {part}
              {at < length - 1 && ' ·'}
            </span>{' '}
          </Fragment>
        ))}
      </p>
      {open && (
        <Drawer title="Info e contatti" onClose={() => setOpen(false)}>
          <div className={prose.prose}>
            <Contacts site={site} />
            <LegalText name="terms" level={3} />
            <LegalText name="privacy" level={3} />
          </div>
        </Drawer>
      )}
    </footer>
  );
}

function sellerParts({
  organiser: { name, address, vat_number, tax_code, rea, pec },
}: Site): string[] {
  const named: [string, string | null][] = [
    ['', name],
    ['', address],
    ['P. IVA ', vat_number],
    ['C.F. ', tax_code],
    ['REA ', rea],
    ['PEC ', pec],
  ];
  return named.flatMap(([label, value]) => (value === null ? [] : [`${label}${value}`]));
}

function Contacts({
  site: {
    support: { email, phone },
  },
}: {
  site: Site;
}) {
  if (email === null && phone === null) return null;
  return (
    <>
      <h3>Assistenza</h3>
      <ul className={styles.contacts}>
        {email !== null && (
          <li>
            <a href={`mailto:${email}`}>
              <Icon name="mail" /> {email}
            </a>
          </li>
        )}
        {phone !== null && (
          <li>
            <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
              <Icon name="call" /> {phone.replaceAll(' ', '\u00a0')}
            </a>
          </li>
        )}
      </ul>
    </>
  );
}
