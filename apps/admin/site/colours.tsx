/** The house's colours, from the palette or typed, with a preview of the site's head. */
import { useId } from 'react';
import {
  faultOfColour,
  isColour,
  pageColours,
  palette,
  themes,
  tonesOf,
  type Theme,
} from '#server/domain/site/colour.ts';
import { Field, FieldInput } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { requireValue } from '#server/domain/require-value.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Section, Spot } from '#apps/admin/kit/form/form-section.tsx';
import { useHouse } from '#apps/admin/shell/house.ts';
import { checkLook, suggestedColour, type LookSection, type LookValues } from './look-form.ts';
import styles from './look.module.css';

const fields = { light: 'accent_light', dark: 'accent_dark' } as const;
const pageNames: Record<Theme, string> = { light: 'chiare', dark: 'scure' };

/** Empty fields mean the product's own colour. */
function coloursOf({ accent_light, accent_dark }: LookValues): Record<Theme, string> {
  const spelled = { light: accent_light.trim(), dark: accent_dark.trim() };
  if (spelled.light === '' && spelled.dark === '') return requireValue(palette[0], 'colour');
  return { light: spelled.light.toLowerCase(), dark: spelled.dark.toLowerCase() };
}

export function Colours(section: LookSection) {
  const { values, set } = section;
  const name = useId();
  const now = coloursOf(values);
  return (
    <Section
      title="Colori"
      hint="Pulsanti e link del sito, della posta e dell’ufficio. Ogni colore deve potersi leggere."
    >
      <fieldset className={styles.palette}>
        <legend>Colori pronti</legend>
        {palette.map(({ name: label, light, dark }, at) => (
          <label key={label}>
            <input
              type="radio"
              name={name}
              checked={now.light === light && now.dark === dark}
              onChange={() =>
                set({ accent_light: at === 0 ? '' : light, accent_dark: at === 0 ? '' : dark })
              }
            />
            <span className={styles.swatch} style={{ background: light }} />
            <span className={styles.swatch} style={{ background: dark }} />
            {label}
          </label>
        ))}
      </fieldset>
      <div className={styles.pair}>
        {themes.map((theme) => (
          <OwnColour key={theme} theme={theme} section={section} now={now[theme]} />
        ))}
      </div>
      <div className={styles.pair}>
        {themes.map((theme) => (
          <SiteHead key={theme} theme={theme} colour={now[theme]} logo={values.logo} />
        ))}
      </div>
    </Section>
  );
}

interface OwnColourProps {
  theme: Theme;
  section: LookSection;
  now: string;
}

function OwnColour({ theme, section: { values, set }, now }: OwnColourProps) {
  const field = fields[theme];
  // Checked while typing.
  const fault = checkLook(values)[field];
  const offered = suggestedColour(fault);
  const type = (text: string) => {
    const other = fields[theme === 'light' ? 'dark' : 'light'];
    const begun =
      values[other] === '' ? { [other]: nearTo(text, theme === 'light' ? 'dark' : 'light') } : {};
    set({ ...begun, [field]: text });
  };
  return (
    <Spot field={field}>
      <Field label={`Sulle pagine ${pageNames[theme]}`} error={fault ?? null}>
        <span className={styles.colour}>
          <input
            type="color"
            aria-label={`Scegli il colore per le pagine ${pageNames[theme]}`}
            value={isColour(now) ? now : '#000000'}
            onChange={(event) => type(event.target.value)}
          />
          <FieldInput
            type="text"
            autoComplete="off"
            spellCheck={false}
            maxLength={7}
            placeholder={now}
            value={values[field]}
            onChange={(event) => type(event.target.value)}
          />
        </span>
      </Field>
      {offered !== null && (
        <Button small onClick={() => set({ [field]: offered })}>
          Usa {offered}
        </Button>
      )}
    </Spot>
  );
}

/** A colour for the other theme close to the typed one; empty for an invalid text. */
function nearTo(text: string, theme: Theme): string {
  const colour = text.trim().toLowerCase();
  if (!isColour(colour)) return '';
  return faultOfColour(colour, theme)?.nearest ?? colour;
}

interface SiteHeadProps {
  theme: Theme;
  colour: string;
  logo: string | null;
}

/** A sample of the public site: the head, a main button and a link. */
function SiteHead({ theme, colour, logo }: SiteHeadProps) {
  const { data: house } = useHouse();
  if (!isColour(colour)) return null;
  const { primary, on, strong } = tonesOf(colour, theme);
  const page = pageColours[theme];
  return (
    <div
      className={styles.head}
      style={{ background: page.ground, borderColor: page.line, color: page.words }}
      role="img"
      aria-label={`Anteprima del sito su pagine ${pageNames[theme]}`}
    >
      <span className={styles.siteName}>
        <img src={logo === null ? '/images/logo.svg' : `${logo}/320.webp`} alt="" /> {house?.name}
      </span>
      <span className={styles.siteParts}>
        <span className={styles.siteButton} style={{ background: primary, color: on }}>
          <Icon name="cart" size={18} /> Procedi al pagamento
        </span>
        <span style={{ color: strong }}>
          <u>Come arrivare</u>
        </span>
      </span>
    </div>
  );
}
