/** A small picture made of filled polygons, written as PNG. */
import { crc32, deflateSync } from 'node:zlib';
import { entryAt } from '#server/drawing/model/entry.ts';

/** Samples per pixel in each direction; they smooth the edges. */
const FINE = 2;
const WHITE = 255;
/**
 * The most work for one picture, in samples; further shapes are left out, because a nonsensical
 * drawing could take minutes.
 */
const MOST_WORK = 100_000_000;
/** One corner takes as long as this many samples. */
const CORNER_WORK = 10;
export type Colour = [red: number, green: number, blue: number];
export type Corner = [x: number, y: number];

interface Picture {
  /** Fills a polygon by the even-odd rule. Lengths are in pixels. */
  polygon: (corners: Corner[], colour: Colour) => void;
  disc: (center: Corner, radius: number, colour: Colour) => void;
  print: () => Buffer;
}

interface Samples {
  bytes: Buffer;
  columns: number;
  rows: number;
  work: number;
}

export function openPicture(width: number, height: number): Picture {
  const [columns, rows] = [width * FINE, height * FINE];
  const samples: Samples = {
    bytes: Buffer.alloc(columns * rows * 3, WHITE),
    columns,
    rows,
    work: 0,
  };
  return {
    polygon: (corners, colour) =>
      fillPolygon(
        samples,
        corners.map(([x, y]): Corner => [x * FINE, y * FINE]),
        colour,
      ),
    disc([x, y], radius, colour) {
      const reach = radius * FINE;
      forRows(samples, { from: y * FINE - reach, to: y * FINE + reach }, (row) => {
        const half = Math.sqrt(Math.max(0, reach ** 2 - (row + 0.5 - y * FINE) ** 2));
        fillSpan(samples, { row, from: x * FINE - half, to: x * FINE + half }, colour);
      });
    },
    print: () => encode(shrink(samples.bytes, { width, height }), { width, height }),
  };
}

function forRows(
  samples: Samples,
  { from, to }: { from: number; to: number },
  each: (row: number) => void,
): void {
  const last = Math.min(samples.rows - 1, Math.floor(to));
  for (let row = Math.max(0, Math.floor(from)); row <= last && samples.work < MOST_WORK; row += 1)
    each(row);
}

/** Writes byte by byte for speed, because most of the time for a large picture is spent here. */
function fillSpan(
  samples: Samples,
  { row, from, to }: { row: number; from: number; to: number },
  [red, green, blue]: Colour,
): void {
  const { bytes, columns } = samples;
  const start = (row * columns + Math.max(0, Math.round(from))) * 3;
  const end = (row * columns + Math.min(columns, Math.round(to))) * 3;
  samples.work += 1 + Math.max(0, end - start) / 3;
  for (let at = start; at < end; at += 3) {
    bytes[at] = red;
    bytes[at + 1] = green;
    bytes[at + 2] = blue;
  }
}

function fillPolygon(samples: Samples, points: Corner[], colour: Colour): void {
  const [from, to] = points.reduce<readonly [number, number]>(
    ([low, high], [, y]) => [Math.min(low, y), Math.max(high, y)],
    [Infinity, -Infinity],
  );
  forRows(samples, { from, to }, (row) => {
    const middle = row + 0.5;
    const crossings: number[] = [];
    samples.work += points.length * CORNER_WORK;
    for (const [index, [x, y]] of points.entries()) {
      const [nextX, nextY] = entryAt(points, (index + 1) % points.length);
      if (y <= middle !== nextY <= middle)
        crossings.push(x + ((middle - y) / (nextY - y)) * (nextX - x));
    }
    crossings.sort((a, b) => a - b);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2)
      fillSpan(
        samples,
        { row, from: entryAt(crossings, pair), to: entryAt(crossings, pair + 1) },
        colour,
      );
  });
}

/** Each pixel is the mean of its samples, and each row starts with the byte for "no filter". */
function shrink(samples: Buffer, { width, height }: { width: number; height: number }): Buffer {
  const stride = width * FINE * 3;
  const pixels = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width * 3; x += 1) {
      const first = y * FINE * stride + Math.floor(x / 3) * FINE * 3 + (x % 3);
      const sum =
        (samples[first] ?? 0) +
        (samples[first + 3] ?? 0) +
        (samples[first + stride] ?? 0) +
        (samples[first + stride + 3] ?? 0);
      pixels[y * (width * 3 + 1) + 1 + x] = Math.round(sum / (FINE * FINE));
    }
  }
  return pixels;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** PNG with 8 bits each of red, green and blue. */
function encode(pixels: Buffer, { width, height }: { width: number; height: number }): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
