/**
 * Checks whether the colours of a drawing's categories differ enough from each other, and from a
 * light and a dark page.
 */
import {
  apart,
  contrastBetween,
  labOf,
  luminanceOf,
  rgbOf,
} from '#server/drawing/quality/colors.ts';
import { quote } from './findings.ts';
import type { Report } from './findings.ts';

interface Colored {
  label: string;
  color: unknown;
}

/** Two dots side by side look alike if their distance in Lab is below this. */
const ALIKE = 11;
/** A dot is not visible below this luminance contrast to the page. */
const FAINT = 1.25;
const PAGES = [
  { name: 'chiara', luminance: 1 },
  { name: 'scura', luminance: luminanceOf([18, 21, 27]) },
];

export function checkColors(categories: readonly Colored[], report: Report): void {
  const read = categories.map(({ label, color }) => ({ label, rgb: rgbOf(color) }));
  for (const { label, rgb } of read) {
    const where = `Categoria ${label}`;
    if (!rgb) {
      report.warn(where, 'il colore manca o non si legge: scrivilo come «#4f8ef7»');
      continue;
    }
    for (const page of PAGES) {
      if (contrastBetween(luminanceOf(rgb), page.luminance) < FAINT)
        report.warn(where, `il colore quasi non si vede su una pagina ${page.name}`);
    }
  }
  const seen = read.flatMap(({ label, rgb }) => (rgb ? [{ label, lab: labOf(rgb) }] : []));
  seen.forEach((one, index) => {
    const alike = seen.slice(index + 1).filter(({ lab }) => apart(lab, one.lab) < ALIKE);
    if (alike.length > 0)
      report.warn(
        `Categoria ${one.label}`,
        `il colore si confonde con quello di ${quote(alike.map(({ label }) => label))}`,
      );
  });
}
