/** Colours of the house: contrast as WCAG counts it, what is refused and why, and the near colour that is offered. */
import { expect, test } from 'vitest';
import {
  accentAtDoor,
  contrastOf,
  faultOfColour,
  isLikeVerdict,
  leastContrast,
  palette,
  themes,
  tonesOf,
} from '#server/domain/site/colour.ts';
import { faultsOfLook, plainLook, spellLook } from '#server/domain/site/look.ts';

/** The strictest grounds of apps/shared/ui/theme.css. */
const strictest = { light: '#e9edf3', dark: '#161c26' };

test('contrast is what WCAG says', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastOf('#ffffff', '#777777')).toBeCloseTo(4.48, 2);
});

test('at the door green, amber and red are verdicts: a colour of the house that is near them is not worn', () => {
  const verdicts = ['#35c07f', '#14784a', '#00532a', '#f0b03f', '#8a5a00', '#ff6b6b', '#97000b'];
  expect(verdicts.filter((colour) => !isLikeVerdict(colour))).toEqual([]);
  const worn = palette.filter((pair) => accentAtDoor(pair) !== null).map(({ name }) => name);
  expect(worn).toEqual(['Blu', 'Petrolio', 'Viola', 'Grafite']);
  expect(accentAtDoor(null)).toBeNull();
});

test('every colour of the palette can be read and written on, in all its tones', () => {
  for (const { name, ...pair } of palette)
    for (const theme of themes) {
      expect([name, theme, faultOfColour(pair[theme], theme)]).toEqual([name, theme, null]);
      const tones = tonesOf(pair[theme], theme);
      for (const [above, below] of [
        [tones.primary, strictest[theme]],
        [tones.on, tones.primary],
        [tones.strong, strictest[theme]],
        [tones.strong, tones.soft],
      ] as const)
        expect([name, theme, contrastOf(above, below) >= leastContrast]).toEqual([
          name,
          theme,
          true,
        ]);
    }
});

test('whatever is offered instead of a colour is taken, and is hardly another one', () => {
  let seed = 7;
  const chance = () => (seed = (seed * 48_271) % 2_147_483_647) % 0x1000000;
  for (let nth = 0; nth < 400; nth += 1) {
    const colour = `#${chance().toString(16).padStart(6, '0')}`;
    for (const theme of themes) {
      const fault = faultOfColour(colour, theme);
      if (fault === null) continue;
      expect(fault.contrast).toBeLessThan(leastContrast);
      expect([colour, theme, faultOfColour(fault.nearest, theme)]).toEqual([colour, theme, null]);
      const ground = strictest[theme];
      if (fault.why === 'page') expect(contrastOf(fault.nearest, ground)).toBeLessThan(5.2);
    }
  }
});

const faults = (changes: object) => faultsOfLook(spellLook({ ...plainLook, ...changes }));

test('each field says what is wrong with it', () => {
  expect(faults({})).toEqual({});
  expect(faults({ accent_light: '#8C1D40 ', accent_dark: '#f08ba6' })).toEqual({});
  expect(faults({ accent_light: '#ffe45c', accent_dark: '#101010' })).toEqual({
    accent_light: expect.stringMatching(
      /^Sulla pagina chiara non si legge bene: il contrasto è 1,\d?, ne serve almeno 4,5\. Il colore più vicino che va bene è #[0-9a-f]{6}\.$/,
    ),
    accent_dark: expect.stringContaining('Sulla pagina scura'),
  });
  expect(faults({ accent_light: 'rosso', accent_dark: '#f08ba6' })).toEqual({
    accent_light: 'Un colore si scrive con sei cifre, per esempio #8c1d40.',
  });
  expect(faults({ accent_dark: '#f08ba6' })).toEqual({
    accent_light: 'Serve anche il colore per la pagina chiara.',
  });
  expect(faults({ hours: 'x\n'.repeat(11), mail_sender: 'Teatro <a@b.it>' })).toEqual({
    hours: 'Al massimo 10 righe.',
    mail_sender: 'Scrivi solo un nome, senza indirizzo: l’indirizzo è quello della configurazione.',
  });
  expect(faults({ mail_sender: 'a\nb', ticket_foot: `ok\n${'x'.repeat(85)}` })).toEqual({
    mail_sender: 'Deve stare in una riga.',
    ticket_foot: 'La riga 2 è troppo lunga: al massimo 84 caratteri.',
  });
  expect(faults({ mail_footer: 'a\u0007b', fee_price_id: 'diritto' })).toEqual({
    mail_footer: 'Qui ci sono caratteri che non si vedono: riscrivi il testo.',
    fee_price_id: 'Un prezzo di Stripe comincia con «price_».',
  });
});
