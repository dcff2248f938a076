/**
 * "Info e contatti", the footer's drawer (RULES W4): how to reach the seller, the event's rules,
 * the terms and the privacy policy.
 */
import { Drawer } from '#apps/shared/ui/drawer.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { LegalText } from './legal-text.tsx';
import type { Site } from './site.ts';
import styles from '#apps/booking/shell/page/page-footer.module.css';
import prose from '#apps/booking/shell/page/prose.module.css';

/** `rights`: sentences; `terms`: the event's sanitised HTML. */
export interface EventRules {
  rights: readonly string[];
  terms: string | null;
}

interface InfoDrawerProps {
  site: Site;
  rules: EventRules | null;
  onClose: () => void;
}

export function InfoDrawer({ site, rules, onClose }: InfoDrawerProps) {
  return (
    <Drawer title="Info e contatti" onClose={onClose}>
      <div className={prose.prose}>
        <Contacts site={site} />
        {site.hours && (
          <>
            <h3>Orari</h3>
            <p className={styles.hours}>{site.hours}</p>
          </>
        )}
        {rules !== null && <OwnRules rules={rules} />}
        <LegalText name="terms" level={3} />
        <LegalText name="privacy" level={3} />
      </div>
    </Drawer>
  );
}

function OwnRules({ rules: { rights, terms } }: { rules: EventRules }) {
  return (
    <>
      <h3>Regole di questo spettacolo</h3>
      <p>{rights.join(' ')}</p>
      {terms !== null && <div className={prose.rich} dangerouslySetInnerHTML={{ __html: terms }} />}
    </>
  );
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
