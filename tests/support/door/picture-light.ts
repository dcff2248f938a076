/**
 * Optical effects between a code and the sensor, applied to a grey picture in place: shadow,
 * glare, blur, noise. Strengths in grey levels and pixels.
 */

/** Grey levels 0–255 as floats, so that no effect rounds the result of the one before. */
export interface GreyPicture {
  width: number;
  height: number;
  grey: Float32Array;
}

/** Numbers from 0 up to 1, the same for the same seed on every machine. */
export type Chance = () => number;

export function makeChance(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296;
  };
}

export function between(chance: Chance, low: number, high: number): number {
  return low + chance() * (high - low);
}

/** Bell-shaped around 0 with deviation 1. */
function bell(chance: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
}

/** Replaces every pixel by the result of `change`. */
export function eachPixel(
  { width, height, grey }: GreyPicture,
  change: (value: number, x: number, y: number) => number,
): void {
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 1) grey[at] = change(grey[at]!, x, y);
}

/** A straight-edged shadow through `middle`: beyond the edge only `left` of the light remains. */
export function addShadow(
  picture: GreyPicture,
  chance: Chance,
  { middle, left }: { middle: readonly [number, number]; left: number },
): void {
  const angle = between(chance, 0, 2 * Math.PI);
  const [nx, ny] = [Math.cos(angle), Math.sin(angle)];
  const soft = between(chance, 3, 40);
  const offset = between(chance, -60, 60);
  eachPixel(picture, (value, x, y) => {
    const depth = (x - middle[0]) * nx + (y - middle[1]) * ny + offset;
    return value * (left + (1 - left) / (1 + Math.exp(Math.max(-30, Math.min(30, depth / soft)))));
  });
}

/** A lamp mirrored in the card: up to `strength` grey levels more, brightest at `spot`. */
export function addGlare(
  picture: GreyPicture,
  chance: Chance,
  { spot, radius, strength }: { spot: readonly [number, number]; radius: number; strength: number },
): void {
  const angle = between(chance, 0, Math.PI);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const flat = between(chance, 1, 2.5);
  eachPixel(picture, (value, x, y) => {
    const [dx, dy] = [x - spot[0], y - spot[1]];
    const far = ((dx * c + dy * s) ** 2 + ((dy * c - dx * s) * flat) ** 2) / (radius * radius);
    return far > 8 ? value : value + strength * Math.exp(-far);
  });
}

/**
 * Sun through blinds or leaves: bands through `middle` in which the light is `gain` times as strong
 * and adds `haze` grey levels.
 */
export function addStreaks(
  picture: GreyPicture,
  chance: Chance,
  {
    middle,
    spread,
    ...light
  }: { middle: readonly [number, number]; spread: number; gain: number; haze: number },
): void {
  const angle = between(chance, 0, Math.PI);
  const [nx, ny] = [Math.cos(angle), Math.sin(angle)];
  const bands = Array.from({ length: 1 + Math.floor(chance() * 3) }, () => ({
    at: between(chance, -0.5, 0.5) * spread,
    half: between(chance, 0.02, 0.1) * spread,
    soft: between(chance, 1, 6),
    lean: between(chance, -0.15, 0.15),
  }));
  eachPixel(picture, (value, x, y) => {
    const [dx, dy] = [x - middle[0], y - middle[1]];
    const across = dx * nx + dy * ny;
    const along = dy * nx - dx * ny;
    const lit = Math.max(
      ...bands.map(({ at, half, soft, lean }) => {
        const beyond = (Math.abs(across - at - along * lean) - half) / soft;
        return 1 / (1 + Math.exp(Math.max(-30, Math.min(30, beyond))));
      }),
    );
    return value * (1 + (light.gain - 1) * lit) + light.haze * lit;
  });
}

/** Out of focus: a bell of this deviation in both directions. */
export function blur(picture: GreyPicture, deviation: number): void {
  if (deviation <= 0) return;
  const reach = Math.ceil(deviation * 2.5);
  const weights = Float32Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.exp(-((i - reach) ** 2) / (2 * deviation * deviation)),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < weights.length; i += 1) weights[i]! /= total;
  blurLines(picture, weights, 'across');
  blurLines(picture, weights, 'down');
}

function blurLines(picture: GreyPicture, weights: Float32Array, way: 'across' | 'down'): void {
  const { width, height, grey } = picture;
  const [lines, length, step, next] =
    way === 'across' ? [height, width, 1, width] : [width, height, width, 1];
  const reach = (weights.length - 1) / 2;
  const line = new Float32Array(length + 2 * reach);
  for (let n = 0; n < lines; n += 1) {
    const start = n * next;
    for (let i = -reach; i < length + reach; i += 1)
      line[i + reach] = grey[start + Math.max(0, Math.min(length - 1, i)) * step]!;
    for (let i = 0; i < length; i += 1) {
      let sum = 0;
      for (let k = 0; k < weights.length; k += 1) sum += line[i + k]! * weights[k]!;
      grey[start + i * step] = sum;
    }
  }
}

/** Motion blur: the mean along `length` pixels in this direction. */
export function shake(picture: GreyPicture, length: number, angle: number): void {
  if (length <= 1) return;
  const { width, height, grey } = picture;
  const still = grey.slice();
  const steps = Math.ceil(length);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      let sum = 0;
      for (let k = 0; k < steps; k += 1) {
        const way = ((k + 0.5) / steps - 0.5) * length;
        sum += sample(still, width, height, x + way * Math.cos(angle), y + way * Math.sin(angle));
      }
      grey[at] = sum / steps;
    }
  }
}

/** The grey level between pixels; beyond the edge that of the edge. */
function sample(grey: Float32Array, width: number, height: number, x: number, y: number): number {
  const cx = Math.max(0, Math.min(width - 1.001, x));
  const cy = Math.max(0, Math.min(height - 1.001, y));
  const x0 = Math.floor(cx);
  const y0 = Math.floor(cy);
  const fx = cx - x0;
  const fy = cy - y0;
  const at = y0 * width + x0;
  return (
    (grey[at]! * (1 - fx) + grey[at + 1]! * fx) * (1 - fy) +
    (grey[at + width]! * (1 - fx) + grey[at + width + 1]! * fx) * fy
  );
}

/** The sensor's grain. */
export function addNoise(picture: GreyPicture, chance: Chance, deviation: number): void {
  // A million logarithms a picture would take longer than all the rest.
  const grains = Float32Array.from({ length: 8_192 }, () => bell(chance) * deviation);
  eachPixel(picture, (value) => value + grains[Math.floor(chance() * grains.length)]!);
}

/**
 * Moire of a screen's grid and the sensor's: stripes of a few pixels, and wide bands from the
 * screen's refresh.
 */
export function addMoire(picture: GreyPicture, chance: Chance, strength: number): void {
  const waves = [0, Math.PI / 2].map((turn) => {
    const angle = turn + between(chance, -0.3, 0.3);
    const period = between(chance, 2.2, 7);
    return {
      kx: (2 * Math.PI * Math.cos(angle)) / period,
      ky: (2 * Math.PI * Math.sin(angle)) / period,
    };
  });
  const band = between(chance, 60, 300);
  const phase = between(chance, 0, 7);
  eachPixel(
    picture,
    (value, x, y) =>
      value *
      (1 +
        (strength *
          (Math.sin(waves[0]!.kx * x + waves[0]!.ky * y) +
            Math.sin(waves[1]!.kx * x + waves[1]!.ky * y))) /
          2 +
        strength * 0.4 * Math.sin(phase + (2 * Math.PI * y) / band)),
  );
}
