/** Category colours that are hard to see or to distinguish, and for which eyes. */
import { useMemo } from 'react';
import type { Eyes } from '#server/drawing/quality/colors.ts';
import { EYES, simulate } from '#server/drawing/quality/colors.ts';
import { confusionsOf, ENOUGH_CONTRAST, type Colour } from '#server/drawing/quality/palette.ts';

const WHO: Record<Eyes, string> = {
  usual: 'per tutti',
  protanopia: 'per chi non vede il rosso (protanopia)',
  deuteranopia: 'per chi non vede il verde (deuteranopia)',
  tritanopia: 'per chi non vede il blu (tritanopia)',
};
const SHORT: Record<Eyes, string> = {
  usual: 'Vista comune',
  protanopia: 'Protanopia',
  deuteranopia: 'Deuteranopia',
  tritanopia: 'Tritanopia',
};

function whoOf(eyes: readonly Eyes[]): string {
  return eyes.includes('usual') ? WHO.usual : eyes.map((one) => WHO[one]).join(' e ');
}

function faintOn({ contrast }: Colour): string | null {
  if (!contrast) return null;
  if (contrast.light < ENOUGH_CONTRAST) return 'chiara';
  return contrast.dark < ENOUGH_CONTRAST ? 'scura' : null;
}

export function ColourNotes({ colours }: { colours: readonly Colour[] }) {
  const confusions = useMemo(() => confusionsOf(colours), [colours]);
  const faint = colours.filter((colour) => faintOn(colour) !== null);
  if (colours.length === 0) return null;
  return (
    <>
      <h3>Come si vedono i colori</h3>
      <ul className="bsd-panel-list">
        {EYES.map((eyes) => (
          <li key={eyes}>
            <small>{SHORT[eyes]}</small>
            <span className="bsd-panel-eyes" aria-hidden="true">
              {colours.map(({ key, rgb }) => (
                <span
                  key={key}
                  className="bsd-swatch"
                  style={{ background: rgb ? simulate(rgb, eyes) : 'none' }}
                />
              ))}
            </span>
          </li>
        ))}
        {confusions.map(({ one, other, eyes }) => (
          <li key={`${one.key} ${other.key}`}>
            «{one.label}» e «{other.label}» si confondono {whoOf(eyes)}.
          </li>
        ))}
        {faint.map((colour) => (
          <li key={colour.key}>
            «{colour.label}» risalta poco su una pagina {faintOn(colour)}.
          </li>
        ))}
      </ul>
      {confusions.length === 0 && faint.length === 0 && (
        <p className="bsd-hint">I colori si distinguono bene.</p>
      )}
    </>
  );
}
