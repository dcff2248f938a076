/**
 * The look of the house: logo, colours, opening hours, sender and foot of its mails, and its own
 * words on tickets.
 */
import {
  faultOfColour,
  isColour,
  leastContrast,
  type Accent,
  type ColourFault,
  type Theme,
} from './colour.ts';

/** The most characters and lines of its texts. */
export const lookLengths = {
  hours: { lines: 10, line: 80 },
  mail_sender: { lines: 1, line: 60 },
  mail_footer: { lines: 5, line: 120 },
  ticket_rules: { lines: 2, line: 110 },
  ticket_foot: { lines: 2, line: 84 },
} as const;
export type LookText = keyof typeof lookLengths;
export const lookTexts = Object.keys(lookLengths) as LookText[];

/**
 * Null where the house has nothing of its own. `logo` is `/media/{id}`; colours are `#rrggbb`,
 * both or none; `fee_price_id`: the presale fee of new shows.
 */
export interface LookDraft extends Record<LookText, string | null> {
  logo: string | null;
  accent_light: string | null;
  accent_dark: string | null;
  pdf_logo: boolean;
  thermal_logo: boolean;
  thermal_rules: boolean;
  fee_price_id: string | null;
  /** Administrators and the office need a second factor, whatever the configuration says. */
  requires_factor: boolean;
}

export const plainLook: LookDraft = {
  logo: null,
  accent_light: null,
  accent_dark: null,
  hours: null,
  mail_sender: null,
  mail_footer: null,
  ticket_rules: null,
  ticket_foot: null,
  pdf_logo: true,
  thermal_logo: false,
  thermal_rules: false,
  fee_price_id: null,
  requires_factor: false,
};

export type LookField = keyof LookDraft;
/** An Italian sentence per field. */
export type LookFaults = Partial<Record<LookField, string>>;

/**
 * Removes blanks at the ends of lines and empty lines at both ends of a text; an empty text
 * becomes null.
 */
export function spellLook(draft: LookDraft): LookDraft {
  const texts = lookTexts.map((name) => [name, spellText(draft[name])]);
  return {
    ...draft,
    ...(Object.fromEntries(texts) as Record<LookText, string | null>),
    accent_light: draft.accent_light?.trim().toLowerCase() || null,
    accent_dark: draft.accent_dark?.trim().toLowerCase() || null,
    fee_price_id: draft.fee_price_id?.trim() || null,
  };
}

function spellText(text: string | null): string | null {
  const lines = (text ?? '').replaceAll('\r\n', '\n').split('\n');
  return (
    lines
      .map((line) => line.trim())
      .join('\n')
      .trim() || null
  );
}

export function linesOf(text: string | null): string[] {
  return text === null ? [] : text.split('\n');
}

export function accentOf({
  accent_light,
  accent_dark,
}: Pick<LookDraft, 'accent_light' | 'accent_dark'>): Accent | null {
  return accent_light === null || accent_dark === null
    ? null
    : { light: accent_light, dark: accent_dark };
}

/** The faults of a spelled look; without any it may be stored. */
export function faultsOfLook(look: LookDraft): LookFaults {
  const sentences: [LookField, string | null][] = [
    ...lookTexts.map((name): [LookField, string | null] => [name, faultOfText(name, look[name])]),
    ['accent_light', colourFault(look, 'light')],
    ['accent_dark', colourFault(look, 'dark')],
    ['fee_price_id', faultOfPrice(look.fee_price_id)],
  ];
  return Object.fromEntries(sentences.filter(([, sentence]) => sentence !== null));
}

function faultOfText(name: LookText, text: string | null): string | null {
  const lines = linesOf(text);
  const { lines: most, line: longest } = lookLengths[name];
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
  if (lines.some((line) => /[\u0000-\u001f\u007f]/.test(line)))
    return 'Qui ci sono caratteri che non si vedono: riscrivi il testo.';
  if (name === 'mail_sender' && /[<>"@]/.test(text ?? ''))
    return 'Scrivi solo un nome, senza indirizzo: l’indirizzo è quello della configurazione.';
  if (lines.length > most)
    return most === 1 ? 'Deve stare in una riga.' : `Al massimo ${most} righe.`;
  const tooLong = lines.findIndex((line) => [...line].length > longest);
  if (tooLong < 0) return null;
  const which = most === 1 ? 'È troppo lungo' : `La riga ${tooLong + 1} è troppo lunga`;
  return `${which}: al massimo ${longest} caratteri.`;
}

function faultOfPrice(id: string | null): string | null {
  return id === null || /^price_\w{1,90}$/.test(id)
    ? null
    : 'Un prezzo di Stripe comincia con «price_».';
}

const pageNames: Record<Theme, string> = { light: 'chiara', dark: 'scura' };

function colourFault(look: LookDraft, theme: Theme): string | null {
  const own = look[`accent_${theme}`];
  const other = look[theme === 'light' ? 'accent_dark' : 'accent_light'];
  if (own === null)
    return other === null ? null : `Serve anche il colore per la pagina ${pageNames[theme]}.`;
  if (!isColour(own)) return 'Un colore si scrive con sei cifre, per esempio #8c1d40.';
  const fault = faultOfColour(own, theme);
  return fault === null ? null : sayColourFault(fault, theme);
}

function sayColourFault({ why, contrast, nearest }: ColourFault, theme: Theme): string {
  const ratio = (Math.floor(contrast * 10) / 10).toLocaleString('it-IT', {
    minimumFractionDigits: 1,
  });
  const least = leastContrast.toLocaleString('it-IT');
  const problem =
    why === 'page'
      ? `Sulla pagina ${pageNames[theme]} non si legge bene`
      : 'Le scritte sopra questo colore non si leggono bene';
  return `${problem}: il contrasto è ${ratio}, ne serve almeno ${least}. Il colore più vicino che va bene è ${nearest}.`;
}
