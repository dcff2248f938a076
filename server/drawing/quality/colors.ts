/**
 * Colours as people see them: the distance of two colours for usual eyes and three kinds of
 * colour blindness, and the contrast to a page.
 */

export type Rgb = readonly [red: number, green: number, blue: number];
type Lab = Rgb;

/** Reads three or six digits, with or without transparency, or `rgb(…)`; null for other texts. */
export function rgbOf(color: unknown): Rgb | null {
  const found =
    typeof color === 'string'
      ? /^#(?:([0-9a-f]{3})|([0-9a-f]{6})(?:[0-9a-f]{2})?)$/i.exec(color.trim())
      : null;
  if (found) {
    const [, three = '', hex = three.replaceAll(/./g, '$&$&')] = found;
    const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
    return [channel(0), channel(2), channel(4)];
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

function lightOf([r, g, b]: Rgb): Rgb {
  return [linear(r), linear(g), linear(b)];
}

function luminance([r, g, b]: Rgb): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function luminanceOf(rgb: Rgb): number {
  return luminance(lightOf(rgb));
}

/** The contrast from 1 (invisible) to 21 (black on white). */
export function contrastBetween(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** CIE Lab under D65, computed from linear light. */
function labOfLight([r, g, b]: Rgb): Lab {
  const f = (t: number) => (t > 216 / 24_389 ? Math.cbrt(t) : (841 / 108) * t + 4 / 29);
  const [x, y, z] = [
    f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505),
    f(0.2126 * r + 0.7152 * g + 0.0722 * b),
    f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089),
  ];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

export type Eyes = 'usual' | 'protanopia' | 'deuteranopia' | 'tritanopia';

/**
 * How eyes without one kind of cones see red, green and blue light, after the model of Machado,
 * Oliveira and Fernandes (2009).
 */
const SEEN: Record<Exclude<Eyes, 'usual'>, readonly [red: Rgb, green: Rgb, blue: Rgb]> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

export const EYES: readonly Eyes[] = ['usual', 'protanopia', 'deuteranopia', 'tritanopia'];

function lightSeen(rgb: Rgb, eyes: Eyes): Rgb {
  const light = lightOf(rgb);
  if (eyes === 'usual') return light;
  const seen = ([r, g, b]: Rgb) =>
    Math.max(0, Math.min(1, r * light[0] + g * light[1] + b * light[2]));
  const [red, green, blue] = SEEN[eyes];
  return [seen(red), seen(green), seen(blue)];
}

export function labOf(rgb: Rgb, eyes: Eyes = 'usual'): Lab {
  return labOfLight(lightSeen(rgb, eyes));
}

export function apart(a: Lab, b: Lab): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** The colour as people with such eyes see it, for others to look at: `#rrggbb`. */
export function simulate(rgb: Rgb, eyes: Eyes): string {
  const channels = lightSeen(rgb, eyes).map((share) => {
    const value = share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055;
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}
