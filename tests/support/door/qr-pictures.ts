/**
 * Our own picture set for decoders: codes as a camera at the door sees them, made from a seed,
 * with exact labels.
 */
import sharp from 'sharp';
import { codeAlphabet, writeTicketCode } from '#server/domain/door/ticket-code.ts';
import { modulesOf, withoutQuiet } from './camera.ts';
import {
  addGlare,
  addMoire,
  addNoise,
  addShadow,
  between,
  blur,
  eachPixel,
  makeChance,
  shake,
  type Chance,
  type GreyPicture,
} from './picture-light.ts';
import { coverWithFinger, crack, drawScene, type Card } from './picture-scene.ts';

export const pictureSize = { width: 1280, height: 720 } as const;

/** One difficulty; `door` mixes several mild ones, `none` shows no code at all. */
export const conditions = [
  'door',
  'tilt',
  'dark',
  'motion',
  'defocus',
  'glare',
  'small',
  'tiny',
  'moire',
  'covered',
  'cracked',
  'low_light',
  'low_contrast',
  'curved',
  'none',
] as const;
type Condition = (typeof conditions)[number];

/** A ticket of ours; a ticket page's address; a signed ticket; a token as some resellers print. */
const payloadKinds = ['ticket', 'address', 'signed', 'token'] as const;
type PayloadKind = (typeof payloadKinds)[number];

export interface Picture {
  name: string;
  condition: Condition;
  kind: PayloadKind;
  /** The text of the code; null: there is none. */
  text: string | null;
  width: number;
  height: number;
  /** RGBA, after JPEG, as a camera or a gallery hands it over. */
  data: Uint8ClampedArray<ArrayBuffer>;
  jpeg: Buffer;
}

export interface PictureAsk {
  seed?: number;
  perCondition?: number;
  only?: readonly Condition[];
  kinds?: readonly PayloadKind[];
}

/** One after the other, so that a large set needs no memory. */
export async function* makePictures({
  seed = 1,
  perCondition = 16,
  only = conditions,
  kinds = payloadKinds,
}: PictureAsk = {}): AsyncGenerator<Picture> {
  for (const condition of only) {
    for (let n = 0; n < perCondition; n += 1) {
      yield await makePicture({ condition, kind: kinds[n % kinds.length]!, n, seed });
    }
  }
}

export async function makePicture({
  condition,
  kind,
  n,
  seed,
}: {
  condition: Condition;
  kind: PayloadKind;
  n: number;
  seed: number;
}): Promise<Picture> {
  const chance = makeChance(seed * 1_000_003 + conditions.indexOf(condition) * 10_007 + n * 101);
  const text = condition === 'none' ? null : writePayload(kind, chance);
  const scene = takePicture(condition, text, chance);
  return {
    name: `${condition}-${kind}-${n}`,
    condition,
    kind,
    text,
    ...(await develop(scene, chance)),
  };
}

/** As a sensor and its JPEG hand it over: tinted, clipped, in blocks. */
export async function develop(
  { grey, ...size }: GreyPicture,
  chance: Chance,
): Promise<Pick<Picture, 'width' | 'height' | 'data' | 'jpeg'>> {
  const tint = [between(chance, 0.9, 1.1), 1, between(chance, 0.85, 1.1)] as const;
  const rgb = new Uint8ClampedArray(grey.length * 3);
  for (let i = 0; i < grey.length; i += 1)
    for (let c = 0; c < 3; c += 1) rgb[i * 3 + c] = grey[i]! * tint[c]!;
  const jpeg = await sharp(rgb, { raw: { ...size, channels: 3 } })
    .jpeg({ quality: Math.round(between(chance, 70, 92)) })
    .toBuffer();
  const raw = await sharp(jpeg).ensureAlpha().raw().toBuffer();
  return { ...size, data: Uint8ClampedArray.from(raw), jpeg };
}

export function writePayload(kind: PayloadKind, chance: Chance): string {
  const letters = (alphabet: string, count: number) =>
    Array.from({ length: count }, () => alphabet[Math.floor(chance() * alphabet.length)]!).join('');
  const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  switch (kind) {
    case 'ticket':
      return writeTicketCode(
        letters(codeAlphabet, 4),
        Uint8Array.from({ length: 16 }, () => Math.floor(chance() * 256)),
      );
    case 'address':
      return `https://biglietti.example.it/t/${letters(base64url, 27)}`;
    case 'signed':
      return `T2:${letters(base64url, 121)}`;
    case 'token':
      return `eyJhbGciOiJFZERTQSJ9.${letters(base64url, 152)}.${letters(base64url, 86)}`;
    default:
      throw new Error(`${kind satisfies never} is no payload`);
  }
}

/**
 * Held roughly upright and square to the camera; the code is a third to half of the picture high.
 */
export function holdCard(text: string | null, chance: Chance): Card {
  const { width, height } = pictureSize;
  return {
    rows: text === null ? null : withoutQuiet(modulesOf(text)),
    side: between(chance, 0.32, 0.55) * height,
    middle: [
      width / 2 + between(chance, -0.12, 0.12) * width,
      height / 2 + between(chance, -0.08, 0.08) * height,
    ],
    turn: between(chance, -0.3, 0.3),
    tilt: between(chance, 0, 0.3),
    tiltTowards: between(chance, 0, 2 * Math.PI),
    roll: 0,
    ink: between(chance, 15, 45),
    paper: between(chance, 195, 240),
  };
}

function takePicture(condition: Condition, text: string | null, chance: Chance): GreyPicture {
  const card = holdCard(text, chance);
  const { height } = pictureSize;
  if (condition === 'tilt')
    Object.assign(card, {
      tilt: between(chance, 0.52, 1.01),
      turn: between(chance, 0, 2 * Math.PI),
      side: between(chance, 0.42, 0.62) * height,
    });
  if (condition === 'dark')
    Object.assign(card, { ink: between(chance, 190, 235), paper: between(chance, 12, 40) });
  if (condition === 'small') card.side = between(chance, 0.12, 0.22) * height;
  if (condition === 'tiny') card.side = between(chance, 0.07, 0.12) * height;
  if (condition === 'low_contrast') card.ink = card.paper - between(chance, 28, 55);
  if (condition === 'low_light')
    Object.assign(card, { ink: between(chance, 8, 20), paper: between(chance, 45, 75) });
  if (condition === 'curved')
    Object.assign(card, {
      roll: between(chance, 0.3, 0.9),
      side: between(chance, 0.4, 0.6) * height,
    });
  const isDoor = condition === 'door';
  if (isDoor)
    Object.assign(card, {
      turn: between(chance, -0.8, 0.8),
      tilt: between(chance, 0, 0.7),
      side: between(chance, 0.2, 0.5) * height,
      roll: chance() < 0.3 ? between(chance, 0.1, 0.45) : 0,
    });

  const picture = drawScene(card, chance, pictureSize);
  if (condition === 'low_light')
    eachPixel(picture, (value, x, y) => (value > 80 ? 40 + ((x + y) % 9) : value));
  const some = (part: number) => isDoor && chance() < part;
  if (condition === 'cracked') crack(picture, card, chance);
  if (condition === 'covered' || some(0.15))
    coverWithFinger(
      picture,
      card,
      isDoor ? between(chance, 0.08, 0.14) : between(chance, 0.14, 0.27),
      chance,
    );
  if (condition === 'moire' || some(0.15))
    addMoire(picture, chance, isDoor ? 0.1 : between(chance, 0.12, 0.45));
  if (some(0.4))
    addShadow(picture, chance, { middle: card.middle, left: between(chance, 0.35, 0.7) });
  if (condition === 'glare' || some(0.25)) {
    const spot = [
      card.middle[0] + between(chance, -0.4, 0.4) * card.side,
      card.middle[1] + between(chance, -0.4, 0.4) * card.side,
    ] as const;
    addGlare(picture, chance, {
      spot,
      radius: card.side * between(chance, 0.18, 0.5),
      strength: isDoor ? between(chance, 60, 140) : between(chance, 110, 330),
    });
  }
  if (condition === 'motion' || some(0.4))
    shake(
      picture,
      isDoor ? between(chance, 2, 6) : between(chance, 5, 16),
      between(chance, 0, Math.PI),
    );
  blur(
    picture,
    condition === 'defocus'
      ? between(chance, 1.5, 4)
      : isDoor
        ? between(chance, 0.5, 1.4)
        : between(chance, 0.4, 0.8),
  );
  if (isDoor) {
    const gain = between(chance, 0.55, 1.1);
    eachPixel(picture, (value) => value * gain);
  }
  addNoise(
    picture,
    chance,
    condition === 'low_light' ? between(chance, 6, 14) : isDoor ? between(chance, 2, 7) : 2.5,
  );
  return picture;
}
