/**
 * The foot of every page: a strip with a drawer (RULES W4), the legal texts, and the seller
 * (RULES L1).
 */
import { Fragment, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import { latePart } from '#apps/shared/late-part.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { legalNames } from '#server/domain/site/legal-names.ts';
import type { EventRules } from '#apps/booking/shell/info-drawer.tsx';
import { useSite, type Site } from '#apps/booking/shell/site.ts';
import frame from './frame.module.css';
import styles from './page-footer.module.css';

// Fetched late, because few visitors read it.
const InfoDrawer = latePart(
  () => import('#apps/booking/shell/info-drawer.tsx').then((part) => part.InfoDrawer),
  () => <ErrorView />,
);

/** `rules` belong to the page's event. */
export function PageFooter({ rules = null }: { rules?: EventRules | null }) {
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
        <Suspense>
          <InfoDrawer site={site} rules={rules} onClose={() => setOpen(false)} />
        </Suspense>
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
