/** The section of the event form with its three pictures. */
import { eventFieldNames } from '#server/domain/event/field-names.ts';
import type { ImageShape } from '#server/domain/event/image.ts';
import { Section, Spot } from '#apps/admin/kit/form/form-section.tsx';
import type { SectionProps } from './controls.tsx';
import { Picture } from './picture.tsx';
import styles from './picture.module.css';

const pictures: [
  name: 'event_ball_image' | 'band_ball_image' | 'banner_image',
  shape: ImageShape,
  hint: string,
][] = [
  ['event_ball_image', 'ball', 'Rotonda, accanto al titolo e nell’elenco degli eventi.'],
  ['band_ball_image', 'ball', 'Rotonda, più piccola: compagnia, orchestra, gruppo.'],
  ['banner_image', 'banner', 'Larga, dietro al titolo: meglio almeno 1280 pixel.'],
];

export function Pictures({ section: { values, faults, set } }: { section: SectionProps }) {
  return (
    <Section
      title="Immagini"
      hint="JPEG, PNG, WebP o AVIF, fino a 8 MB. Non scriverci data o prezzi: chi usa un lettore di schermo non li sente."
    >
      <div className={styles.pictures}>
        {pictures.map(([name, shape, hint]) => (
          <Spot key={name} field={name}>
            <Picture
              label={eventFieldNames[name]}
              hint={hint}
              shape={shape}
              value={values[name]}
              error={faults[name] ?? null}
              onChange={(url) => set({ [name]: url })}
            />
          </Spot>
        ))}
      </div>
    </Section>
  );
}
