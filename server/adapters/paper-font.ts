/**
 * The fonts of our papers, opened once. A line with Arabic or Hebrew is laid out as a whole, in
 * the order in which it is seen (UAX #9); pdfkit alone lays out each word from the left.
 */
import { createRequire } from 'node:module';
import type { Bidi } from 'bidi-js';
import type PdfOf from 'pdfkit';
import { hasRightToLeft } from '#server/domain/text/direction.ts';
import { showText, type ShownText } from '#server/domain/text/shown.ts';

export type Weight = 'regular' | 'bold';
type Direction = 'ltr' | 'rtl';

/** Glyphs in the order in which they are seen; `advanceWidth` is the sum of their advances. */
interface GlyphRun {
  glyphs: { id: number }[];
  positions: { xAdvance: number }[];
  readonly advanceWidth: number;
}
/** A font that pdfkit has opened, with the methods that we use. */
interface OpenFont {
  hasGlyphForCodePoint: (codePoint: number) => boolean;
  /** `codePoints`: the letters that it stands for. */
  getGlyph: (id: number, codePoints?: number[]) => { codePoints: number[] };
  layout: (
    text: string,
    features?: readonly string[],
    script?: string,
    language?: string,
    direction?: Direction,
  ) => GlyphRun;
}

const files: Record<Weight, string> = {
  regular: 'DejaVuSansCondensed.ttf',
  bold: 'DejaVuSansCondensed-Bold.ttf',
};

let loading: Promise<typeof PdfOf> | undefined;
let fonts: Record<Weight, OpenFont>;
let bidi: Bidi;

/** Loads pdfkit and the fonts for the first sheet, because they take 25 MB of memory. */
export function loadPdf(): Promise<typeof PdfOf> {
  return (loading ??= openFonts());
}

async function openFonts(): Promise<typeof PdfOf> {
  const [{ default: Pdf }, { default: makeBidi }] = await Promise.all([
    import('pdfkit'),
    import('bidi-js'),
  ]);
  // Its types describe the file for bundlers; in Node the default is the function itself.
  bidi = (makeBidi as unknown as () => Bidi)();
  const open = (weight: Weight): OpenFont => {
    const file = createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${files[weight]}`);
    const doc = new Pdf({ autoFirstPage: false, font: file });
    const { font } = Reflect.get(doc, '_font') as { font: OpenFont };
    return readBothWays(rememberLetters(font));
  };
  fonts = { regular: open('regular'), bold: open('bold') };
  return Pdf;
}

/**
 * pdfkit also accepts an opened font, though its types do not say so; opening a font again takes
 * as long as ten pages.
 */
export function fontSource(weight: Weight): Buffer {
  return fonts[weight] as unknown as Buffer;
}

/** What both of our fonts can show of a text. */
export function showOnPaper(text: string): ShownText {
  return showText(text, isOnPaper);
}

function isOnPaper(codePoint: number): boolean {
  return Object.values(fonts).every((font) => font.hasGlyphForCodePoint(codePoint));
}

/**
 * The option that makes pdfkit lay out a line with Arabic or Hebrew as a whole; it carries the
 * direction of the first letter to `layout`. Other texts get no option, which is faster.
 */
export function directionOption(text: string): { features?: PDFKit.Mixins.OpenTypeFeatures[] } {
  if (!hasRightToLeft(text)) return {};
  const isRight = bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1;
  const direction: Direction = isRight ? 'rtl' : 'ltr';
  return { features: [direction as PDFKit.Mixins.OpenTypeFeatures] };
}

/**
 * fontkit stores each glyph with the letters of its first use, or with none if it was first used
 * inside another glyph (p in the Cyrillic р). Searches and screen readers need the letters of this
 * text.
 */
function rememberLetters(font: OpenFont): OpenFont {
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints = []) => {
    const glyph = getGlyph(id, codePoints);
    if (codePoints.length > 0) glyph.codePoints = codePoints;
    return glyph;
  };
  return font;
}

function readBothWays(font: OpenFont): OpenFont {
  const layout = font.layout.bind(font);
  const space = layout(' ').glyphs[0]?.id;
  font.layout = (text, features, ...others) => {
    const direction = features?.[0];
    if (direction !== 'ltr' && direction !== 'rtl') return layout(text, features, ...others);
    const runs = runsOf(text, direction).map((run) =>
      layout(run.text, [], run.script, undefined, run.direction),
    );
    const glyphs: GlyphRun['glyphs'] = [];
    const positions: GlyphRun['positions'] = [];
    for (const run of runs)
      run.glyphs.forEach((glyph, at) => {
        const position = run.positions[at]!;
        // Skips a control character, which the font draws as a space without width.
        if (glyph.id === space && position.xAdvance === 0) return;
        glyphs.push(glyph);
        positions.push(position);
      });
    return {
      glyphs,
      positions,
      // pdfkit scales the positions before it reads the sum.
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
  return font;
}

interface Run {
  text: string;
  script: string | undefined;
  direction: Direction;
}

/** The parts of a line that run one way in one script, in the order in which they are seen. */
function runsOf(line: string, base: Direction): Run[] {
  // A space at a line break is drawn at the right end in either direction, so lines stay aligned.
  const text = line.trimEnd();
  const embedding = bidi.getEmbeddingLevels(text, base);
  const runs: (Run & { level: number; from: number })[] = [];
  let from = 0;
  for (const sign of text) {
    const level = embedding.levels[from]!;
    const script = scriptOf(sign);
    const last = runs.at(-1);
    const mirrored = (level % 2 === 1 && bidi.getMirroredCharacter(sign)) || sign;
    const seen = isOnPaper(mirrored.codePointAt(0)!) ? mirrored : sign;
    const shown = controls.test(sign) ? '' : seen;
    if (last?.level === level && (script ?? last.script) === (last.script ?? script)) {
      last.text += shown;
      last.script ??= script;
    } else
      runs.push({ text: shown, script, direction: level % 2 === 1 ? 'rtl' : 'ltr', level, from });
    from += sign.length;
  }
  const order = new Map(bidi.getReorderedIndices(text, embedding).map((at, place) => [at, place]));
  const ordered = runs.toSorted((one, other) => order.get(one.from)! - order.get(other.from)!);
  return [
    ...ordered,
    { text: line.slice(text.length), script: undefined, direction: 'ltr' as const },
  ].filter((run) => run.text !== '');
}

/** Control characters for the direction; they are not drawn, because runs are ordered already. */
const controls = /[\u200e\u200f\u2066-\u2069]/;

/** The scripts that the font shapes by rules of their own (OpenType tags). */
function scriptOf(sign: string): string | undefined {
  if (/\p{Script=Arabic}/u.test(sign)) return 'arab';
  return /\p{Script=Hebrew}/u.test(sign) ? 'hebr' : undefined;
}
