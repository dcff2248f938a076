/** A draft's public page in a frame, as wide as a phone or a desktop, without the sale. */
import { useState } from 'react';
import { Button } from '#apps/admin/kit/button.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './page-preview.module.css';

const widths = { phone: 'Telefono', desktop: 'Computer' } as const;
type Width = keyof typeof widths;

interface PagePreviewProps {
  event: { id: string; version: number };
  /** Unsaved changes are missing in the preview. */ dirty: boolean;
}

/** A new version reloads the frame. */
export function PagePreview({ event: { id, version }, dirty }: PagePreviewProps) {
  const [width, setWidth] = useState<Width>('phone');
  return (
    <section className={styles.preview} aria-label="Anteprima">
      <div className={styles.head}>
        <h3>Così la vedrà il pubblico</h3>
        <span role="group" aria-label="Larghezza dell’anteprima" className={styles.widths}>
          {(Object.keys(widths) as Width[]).map((name) => (
            <Button
              key={name}
              small
              aria-pressed={name === width}
              label={widths[name]}
              onClick={() => setWidth(name)}
            />
          ))}
        </span>
      </div>
      <p className={textStyles.soft}>
        {dirty ? 'Mostra quello che è salvato. ' : ''}Qui non si compra nulla.
      </p>
      <div className={`${styles.window} ${styles[width]}`}>
        {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our page needs scripts */}
        <iframe
          key={version}
          title="Anteprima della pagina pubblica"
          src={`/anteprima/${encodeURIComponent(id)}`}
          loading="lazy"
        />
      </div>
    </section>
  );
}
