/** The strip at the foot of every page, and the drawer with contacts, terms and privacy (specification §2). */
import { lazy, Suspense, useState } from 'react';
import { Drawer } from '#apps/shared/ui/drawer.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { site } from './site.ts';

// Few read them: they come when they are asked for.
const LegalTexts = lazy(async () => ({ default: (await import('./legal-texts.tsx')).LegalTexts }));

export function PageFooter() {
  const [open, setOpen] = useState(false);
  return (
    <footer className="footer">
      <button type="button" className="footer-strip" aria-haspopup="dialog" onClick={() => setOpen(true)}>Info | Contatti | Privacy Policy</button>
      {open && (
        <Drawer title="Info e contatti" onClose={() => setOpen(false)}>
          <div className="prose">
            <h3>Assistenza</h3>
            <ul className="contacts">
              <li><a href={`mailto:${site.support_email}`}><Icon name="mail" /> {site.support_email}</a></li>
              <li><a href={`tel:${site.support_phone.replaceAll(' ', '')}`}><Icon name="call" /> {site.support_phone}</a></li>
            </ul>
            <Suspense fallback={<Spinner />}><LegalTexts /></Suspense>
          </div>
        </Drawer>
      )}
    </footer>
  );
}
