/**
 * Converts pictures to grey for the decoder, and makes them smaller, larger, softer or sharper
 * for a second attempt.
 */

export interface Grey {
  width: number;
  height: number;
  grey: Uint8ClampedArray;
}

/** A picture as a canvas or an image library gives it: four bytes a pixel, red first. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray | Uint8Array;
}

/** Whether the picture is opaque: only generated pictures have transparent pixels. */
export function isOpaque({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

/** Lays the picture on a background of this grey level, 0 to 255. */
export function layOn({ width, height, data }: Pixels, level: number): Pixels {
  const laid = new Uint8ClampedArray(data.length);
  for (let at = 0; at < data.length; at += 4) {
    const part = data[at + 3]! / 255;
    for (let c = at; c < at + 3; c += 1) laid[c] = data[c]! * part + level * (1 - part);
    laid[at + 3] = 255;
  }
  return { width, height, data: laid };
}

/**
 * Averages every `step` × `step` pixels into one, because finer detail than a code needs is only
 * noise and costs time.
 */
export function toGrey({ width, height, data }: Pixels, step = 1): Grey {
  const [columns, rows] = [Math.floor(width / step), Math.floor(height / step)];
  const grey = new Uint8ClampedArray(columns * rows);
  if (step === 1) {
    for (let i = 0, at = 0; i < grey.length; i += 1, at += 4)
      grey[i] = (306 * data[at]! + 601 * data[at + 1]! + 117 * data[at + 2]!) >> 10;
    return { width: columns, height: rows, grey };
  }
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      let sum = 0;
      for (let dy = 0; dy < step; dy += 1) {
        let at = ((y * step + dy) * width + x * step) * 4;
        for (let dx = 0; dx < step; dx += 1, at += 4)
          sum += 306 * data[at]! + 601 * data[at + 1]! + 117 * data[at + 2]!;
      }
      grey[y * columns + x] = sum / (1024 * step * step);
    }
  }
  return { width: columns, height: rows, grey };
}

/**
 * The picture as a file of bare grey levels (PGM), which the engine reads without conversion: a
 * quarter of the bytes of a colour picture.
 */
export function toFile({ width, height, grey }: Grey): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(head.length + grey.length);
  file.set(head);
  file.set(grey, head.length);
  return file;
}

/** Makes the picture half as wide and high, which removes coarse noise and torn edges. */
export function halve({ width, height, grey }: Grey): Grey {
  const [columns, rows] = [width >> 1, height >> 1];
  const small = new Uint8ClampedArray(columns * rows);
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0, at = 2 * y * width; x < columns; x += 1, at += 2)
      small[y * columns + x] =
        (grey[at]! + grey[at + 1]! + grey[at + width]! + grey[at + width + 1]! + 2) >> 2;
  }
  return { width: columns, height: rows, grey: small };
}

/** The rectangle between these columns and rows, clipped to the picture. */
export function cut(
  { width, height, grey }: Grey,
  edges: { left: number; top: number; right: number; bottom: number },
): { left: number; top: number; picture: Grey } {
  const left = Math.max(0, Math.floor(edges.left));
  const top = Math.max(0, Math.floor(edges.top));
  const right = Math.min(width, Math.ceil(edges.right));
  const bottom = Math.min(height, Math.ceil(edges.bottom));
  const part = new Uint8ClampedArray((right - left) * (bottom - top));
  for (let y = top; y < bottom; y += 1)
    part.set(grey.subarray(y * width + left, y * width + right), (y - top) * (right - left));
  return { left, top, picture: { width: right - left, height: bottom - top, grey: part } };
}

/** The middle two thirds of its width and height, where people hold what is to be read. */
export function middleOf(picture: Grey): Grey {
  const { width, height } = picture;
  return cut(picture, {
    left: width / 6,
    top: height / 6,
    right: (width * 5) / 6,
    bottom: (height * 5) / 6,
  }).picture;
}

/**
 * The middle square, squeezed to half its length in this direction (radians). A code on a card
 * that is held very obliquely gets its shape back if it is squeezed across the tilt. At least 2 ×
 * 2 pixels.
 */
export function squeeze({ width, height, grey }: Grey, direction: number): Grey {
  const rows = Math.min(width, height);
  const columns = rows >> 1;
  const [c, s] = [Math.cos(direction), Math.sin(direction)];
  const at = (x: number, y: number) =>
    grey[
      Math.max(0, Math.min(height - 1, Math.round(y))) * width +
        Math.max(0, Math.min(width - 1, Math.round(x)))
    ]!;
  const narrow = new Uint8ClampedArray(columns * rows);
  for (let row = 0, to = 0; row < rows; row += 1) {
    const down = row - rows / 2;
    for (let column = 0; column < columns; column += 1, to += 1) {
      const across = 2 * column - columns;
      const [x, y] = [width / 2 + across * c - down * s, height / 2 + across * s + down * c];
      narrow[to] = (at(x, y) + at(x + c, y + s)) >> 1;
    }
  }
  return { width: columns, height: rows, grey: narrow };
}

/** Enlarges by half, so that modules of a pixel or two get edges. At least 2 × 2 pixels. */
export function enlarge({ width, height, grey }: Grey): Grey {
  const [columns, rows] = [Math.floor(width * 1.5), Math.floor(height * 1.5)];
  const large = new Uint8ClampedArray(columns * rows);
  const across = placesOf(columns, width);
  const down = placesOf(rows, height);
  for (let y = 0, to = 0; y < rows; y += 1) {
    const line = down.from[y]! * width;
    const lower = down.weight[y]!;
    for (let x = 0; x < columns; x += 1, to += 1) {
      const at = line + across.from[x]!;
      const right = across.weight[x]!;
      const above = grey[at]! * (256 - right) + grey[at + 1]! * right;
      const below = grey[at + width]! * (256 - right) + grey[at + width + 1]! * right;
      large[to] = (above * (256 - lower) + below * lower) >> 16;
    }
  }
  return { width: columns, height: rows, grey: large };
}

/** For every new pixel: the old one before it, and the weight of the one after it (0 to 256). */
function placesOf(count: number, length: number): { from: Int32Array; weight: Int32Array } {
  const from = new Int32Array(count);
  const weight = new Int32Array(count);
  for (let i = 0; i < count; i += 1) {
    const place = Math.max(0, Math.min(length - 1.001, (i + 0.5) / 1.5 - 0.5));
    from[i] = Math.floor(place);
    weight[i] = Math.round((place - from[i]!) * 256);
  }
  return { from, weight };
}

/**
 * The mean of the 5 × 5 around each pixel: cracks and creases thinner than a module disappear.
 * Below 5 × 5 pixels nothing changes.
 */
export function soften({ width, height, grey }: Grey): Grey {
  const soft = grey.slice();
  if (width < 5 || height < 5) return { width, height, grey: soft };
  const rows = new Uint16Array(grey.length);
  for (let y = 0; y < height; y += 1) {
    const start = y * width;
    let sum = grey[start]! * 3 + grey[start + 1]! + grey[start + 2]!;
    for (let x = 0; x < width; x += 1) {
      rows[start + x] = sum;
      sum += grey[start + Math.min(width - 1, x + 3)]! - grey[start + Math.max(0, x - 2)]!;
    }
  }
  const columns = new Uint32Array(width);
  for (let x = 0; x < width; x += 1)
    columns[x] = rows[x]! * 3 + rows[width + x]! + rows[2 * width + x]!;
  for (let y = 0; y < height; y += 1) {
    const next = Math.min(height - 1, y + 3) * width;
    const last = Math.max(0, y - 2) * width;
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
      soft[at] = (columns[x]! * 5_243) >> 17;
      columns[x]! += rows[next + x]! - rows[last + x]!;
    }
  }
  return { width, height, grey: soft };
}

/**
 * Unsharp mask: each pixel moves away from the mean around it, so that shaken and blurred codes
 * get their modules back.
 */
export function sharpen(picture: Grey): Grey {
  const { width, height, grey } = picture;
  const sharp = soften(picture).grey;
  for (let i = 0; i < sharp.length; i += 1) sharp[i] = (grey[i]! * 5 - sharp[i]! * 3) >> 1;
  return { width, height, grey: sharp };
}

/**
 * The mean of the square that reaches `far` pixels to each side of every pixel; at the edge, of
 * its part inside the picture.
 */
export function meanAround({ width, height, grey }: Grey, far: number): Uint8Array {
  const means = new Uint8Array(grey.length);
  const columns = new Uint32Array(width);
  for (let y = -far; y < height; y += 1) {
    const [next, last] = [y + far, y - far - 1];
    if (next < height) for (let x = 0; x < width; x += 1) columns[x]! += grey[next * width + x]!;
    if (last >= 0) for (let x = 0; x < width; x += 1) columns[x]! -= grey[last * width + x]!;
    if (y < 0) continue;
    const rows = Math.min(height, next + 1) - Math.max(0, last + 1);
    let sum = 0;
    for (let x = -far; x < width; x += 1) {
      if (x + far < width) sum += columns[x + far]!;
      if (x > far) sum -= columns[x - far - 1]!;
      if (x < 0) continue;
      const across = Math.min(width, x + far + 1) - Math.max(0, x - far);
      means[y * width + x] = sum / (rows * across);
    }
  }
  return means;
}

/**
 * The same mean from a quarter of the columns and rows: as good for a large `far`, in a tenth of
 * the time.
 */
export function lightAround(picture: Grey, far: number): Uint8Array {
  const { width, height } = picture;
  const coarse = halve(halve(picture));
  const means = meanAround(coarse, Math.round(far / 4));
  const light = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const from = Math.min(coarse.height - 1, y >> 2) * coarse.width;
    const to = y * width;
    if ((y & 3) !== 0 && y >> 2 < coarse.height) {
      light.copyWithin(to, to - width, to);
      continue;
    }
    for (let x = 0; x < width; x += 1)
      light[to + x] = means[from + Math.min(coarse.width - 1, x >> 2)]!;
  }
  return light;
}

/**
 * The difference from the surroundings, `far` pixels to each side, times `gain`: streaks of
 * light, glare and shadows disappear. At least 4 × 4 pixels.
 */
export function flatten(picture: Grey, { far, gain }: { far: number; gain: number }): Grey {
  const { grey } = picture;
  const light = lightAround(picture, far);
  const flat = new Uint8ClampedArray(light.length);
  for (let i = 0; i < flat.length; i += 1) flat[i] = 128 + gain * (grey[i]! - light[i]!);
  return { ...picture, grey: flat };
}

/**
 * Each pixel becomes as dark as the darkest of the 3 × 3 around it, so that thin and broken print
 * gets its strokes back.
 */
export function thicken({ width, height, grey }: Grey): Grey {
  return { width, height, grey: darkest(darkest(grey, 1), width) };
}

/** The darkest among each value and the values `step` places before and after it. */
function darkest(grey: Uint8ClampedArray, step: number): Uint8ClampedArray {
  const dark = grey.slice();
  for (let i = step; i < grey.length - step; i += 1) {
    const value = grey[i]!;
    // Computed without a branch: in a noisy picture the processor mispredicts half of them.
    const before = grey[i - step]! - value;
    const lesser = value + (before & (before >> 31));
    const after = grey[i + step]! - lesser;
    dark[i] = lesser + (after & (after >> 31));
  }
  return dark;
}
