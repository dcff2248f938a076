/** Whether the colours of a drawing's categories can be told from each other, and from a light and a dark page. */
import { quote } from './findings.ts';
import type { Report } from './findings.ts';

export interface Colored {
  label: string;
  color: unknown;
}

/** Distance in Lab under which two dots beside each other look alike. */
const ALIKE = 11;
/** Luminance contrast against the page under which a dot is lost. */
const FAINT = 1.25;
const PAGES = [
  { name: 'chiara', luminance: 1 },
  { name: 'scura', luminance: luminanceOf([18, 21, 27]) },
];

type Rgb = readonly [red: number, green: number, blue: number];

function rgbOf(color: unknown): Rgb | null {
  const found =
    typeof color === 'string'
      ? /^#(?:([0-9a-f]{3})|([0-9a-f]{6})(?:[0-9a-f]{2})?)$/i.exec(color.trim())
      : null;
  if (found) {
    const hex = found[2] ?? found[1]!.replaceAll(/./g, '$&$&');
    return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
  }
  const parts =
    typeof color === 'string'
      ? /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\b/i.exec(color.trim())
      : null;
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3])] : null;
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function luminanceOf([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** CIE Lab under D65. */
function labOf(rgb: Rgb): Rgb {
  const [r, g, b] = rgb.map(linear) as unknown as Rgb;
  const f = (t: number) => (t > 216 / 24_389 ? Math.cbrt(t) : (841 / 108) * t + 4 / 29);
  const [x, y, z] = [
    f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505),
    f(0.2126 * r + 0.7152 * g + 0.0722 * b),
    f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089),
  ];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

export function checkColors(categories: readonly Colored[], report: Report): void {
  const read = categories.map(({ label, color }) => ({ label, rgb: rgbOf(color) }));
  for (const { label, rgb } of read) {
    const where = `Categoria ${label}`;
    if (!rgb) {
      report.warn(where, 'il colore manca o non si legge: scrivilo come «#4f8ef7»');
      continue;
    }
    for (const page of PAGES) {
      const [dark, bright] = [luminanceOf(rgb), page.luminance].toSorted((a, b) => a - b);
      if ((bright! + 0.05) / (dark! + 0.05) < FAINT)
        report.warn(where, `il colore quasi non si vede su una pagina ${page.name}`);
    }
  }
  const seen = read.flatMap(({ label, rgb }) => (rgb ? [{ label, lab: labOf(rgb) }] : []));
  seen.forEach((one, index) => {
    const alike = seen
      .slice(index + 1)
      .filter(({ lab }) => Math.hypot(...lab.map((value, axis) => value - one.lab[axis]!)) < ALIKE);
    if (alike.length > 0)
      report.warn(
        `Categoria ${one.label}`,
        `il colore si confonde con quello di ${quote(alike.map(({ label }) => label))}`,
      );
  });
}
