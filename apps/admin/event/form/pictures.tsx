/** Section of the event form: its three pictures. */
import { Section, Spot, type SectionProps } from '#apps/admin/kit/form/form-section.tsx';
import { Picture } from './picture.tsx';
import styles from './picture.module.css';

export function Pictures({ section: { values, faults, set } }: { section: SectionProps }) {
  return (
    <Section
      title="Immagini"
      hint="JPEG, PNG, WebP o AVIF, fino a 8 MB. Non scriverci data o prezzi: chi usa un lettore di schermo non li sente."
    >
      <div className={styles.pictures}>
        <Spot field="event_ball_image">
          <Picture
            label="Immagine dell’evento"
            hint="Rotonda, accanto al titolo e nell’elenco degli eventi."
            shape="ball"
            value={values.event_ball_image}
            error={faults['event_ball_image'] ?? null}
            onChange={(event_ball_image) => set({ event_ball_image })}
          />
        </Spot>
        <Spot field="band_ball_image">
          <Picture
            label="Immagine degli artisti"
            hint="Rotonda, più piccola: compagnia, orchestra, gruppo."
            shape="ball"
            value={values.band_ball_image}
            error={faults['band_ball_image'] ?? null}
            onChange={(band_ball_image) => set({ band_ball_image })}
          />
        </Spot>
        <Spot field="banner_image">
          <Picture
            label="Sfondo"
            hint="Larga, dietro al titolo: meglio almeno 1280 pixel."
            shape="banner"
            value={values.banner_image}
            error={faults['banner_image'] ?? null}
            onChange={(banner_image) => set({ banner_image })}
          />
        </Spot>
      </div>
    </Section>
  );
}
