/**
 * Our set of hard pictures: tickets in the worst conditions at a door, in eight kinds, and
 * pictures without a ticket. Made from a seed, with exact labels.
 */
import { makeForeignCodes, type ForeignCode } from './foreign-codes.ts';
import {
  addGlare,
  addNoise,
  addStreaks,
  between,
  blur,
  eachPixel,
  makeChance,
  type Chance,
  type GreyPicture,
} from './picture-light.ts';
import { drawScene, type Card } from './picture-scene.ts';
import { dropLines, erode, findersOf, paint, rub, scratch, type Sheet } from './picture-wear.ts';
import { develop, holdCard, pictureSize, writePayload, type Picture } from './qr-pictures.ts';

const hardKinds = [
  'streaks',
  'glare',
  'finders',
  'eroded',
  'dark_small',
  'curved',
  'perspective',
  'covered',
] as const;
type HardKind = (typeof hardKinds)[number];

interface HardPicture extends Omit<Picture, 'condition' | 'kind'> {
  /** `empty` shows no code, `foreign` a code that is not a ticket. */
  kind: HardKind | 'empty' | 'foreign';
}

/**
 * Yields the pictures one by one: `perKind` of each of the eight kinds, then as many without a
 * code and as many with foreign codes.
 */
export async function* makeHardPictures({
  seed,
  perKind,
}: Record<'seed' | 'perKind', number>): AsyncGenerator<HardPicture> {
  const foreign = await makeForeignCodes();
  for (const kind of [...hardKinds, 'empty', 'foreign'] as const) {
    for (let n = 0; n < perKind; n += 1)
      yield await makeHardPicture(
        kind === 'foreign'
          ? { kind, n, seed, foreign: foreign[n % foreign.length]! }
          : { kind, n, seed },
      );
  }
}

/** The `n`th picture of its kind, counted from 0; it does not depend on the others. */
export async function makeHardPicture({
  kind,
  n,
  seed,
  foreign,
}: {
  kind: HardPicture['kind'];
  n: number;
  seed: number;
  /** The code that a `foreign` picture shows. */
  foreign?: ForeignCode;
}): Promise<HardPicture> {
  const place = [...hardKinds, 'empty', 'foreign'].indexOf(kind);
  const chance = makeChance(seed * 1_000_003 + place * 10_007 + n * 101);
  const isHard = kind !== 'empty' && kind !== 'foreign';
  const text = isHard ? writePayload('ticket', chance) : null;
  const card = holdCard(text, chance);
  if (foreign) card.rows = foreign.rows;
  // The effects that spoil a ticket spoil other pictures as well.
  const spoil = isHard ? spoilers[kind] : spoilers[hardKinds[n % hardKinds.length]!];
  const scene = spoil(card, chance);
  return {
    name: `${foreign?.name ?? kind}-${n}`,
    kind,
    text: foreign ? foreign.text : text,
    ...(await develop(scene, chance)),
  };
}

/** A spot on the code, in pixels. */
function spotOn({ middle, side }: Card, chance: Chance): [number, number] {
  return [
    middle[0] + between(chance, -0.4, 0.4) * side,
    middle[1] + between(chance, -0.4, 0.4) * side,
  ];
}

/** Adds the effects of lens and sensor. */
function expose(scene: GreyPicture, chance: Chance, noise = between(chance, 2, 5)): GreyPicture {
  blur(scene, between(chance, 0.5, 1.1));
  addNoise(scene, chance, noise);
  return scene;
}

const draw = (card: Card, chance: Chance) => drawScene(card, chance, pictureSize);

const spoilers: Record<HardKind, (card: Card, chance: Chance) => GreyPicture> = {
  streaks(card, chance) {
    const scene = draw(card, chance);
    const ambient = between(chance, 0.4, 0.8);
    eachPixel(scene, (value) => value * ambient);
    addStreaks(scene, chance, {
      middle: card.middle,
      spread: card.side,
      gain: between(chance, 1.3, 2.6),
      haze: between(chance, 0, 90),
    });
    return expose(scene, chance);
  },

  glare(card, chance) {
    const scene = draw(card, chance);
    const spots = 1 + Math.floor(chance() * 2);
    for (let n = 0; n < spots; n += 1)
      addGlare(scene, chance, {
        spot: spotOn(card, chance),
        radius: card.side * between(chance, 0.2, 0.5),
        strength: between(chance, 70, 190),
      });
    return expose(scene, chance);
  },

  finders(card, chance) {
    card.cover = between(chance, 40, 220);
    card.wear = (sheet) => damageFinder(sheet, chance);
    return expose(draw(card, chance), chance);
  },

  eroded(card, chance) {
    card.side *= between(chance, 0.6, 1);
    card.wear = (sheet) => {
      const by = between(chance, -0.1, 0.18);
      erode(sheet, by);
      if (chance() < 0.6) dropLines(sheet, chance, 1 + Math.floor(chance() * 3));
      if (chance() < 0.6) rub(sheet, chance, between(chance, 0.02, 0.05));
    };
    card.ink = between(chance, 30, 110);
    return expose(draw(card, chance), chance);
  },

  dark_small(card, chance) {
    card.side = between(chance, 0.075, 0.14) * pictureSize.height;
    const light = between(chance, 0.14, 0.4);
    const scene = draw(card, chance);
    eachPixel(scene, (value) => value * light + 4);
    return expose(scene, chance, between(chance, 1.5, 4));
  },

  curved(card, chance) {
    Object.assign(card, {
      roll: between(chance, 0.15, 0.5),
      side: between(chance, 0.35, 0.6) * pictureSize.height,
    });
    return expose(draw(card, chance), chance);
  },

  perspective(card, chance) {
    Object.assign(card, {
      tilt: between(chance, 0.7, 1.12),
      turn: between(chance, 0, 2 * Math.PI),
      side: between(chance, 0.4, 0.62) * pictureSize.height,
    });
    return expose(draw(card, chance), chance);
  },

  covered(card, chance) {
    card.cover = between(chance, 20, 230);
    card.wear = (sheet) => coverPart(sheet, chance);
    return expose(draw(card, chance), chance);
  },
};

/** One of the three, rarely two: torn at its corner, crossed out, or worn in its middle. */
function damageFinder(sheet: Sheet, chance: Chance): void {
  const finders = findersOf(sheet);
  const first = Math.floor(chance() * 3);
  const hit = chance() < 0.05 ? [first, (first + 1) % 3] : [first];
  for (const [u, v] of hit.map((n) => finders[n]!)) {
    const way = chance();
    if (way < 0.4) {
      const reach = between(chance, 0.5, 2.4);
      const outwards = [Math.sign(u - sheet.size / 2), Math.sign(v - sheet.size / 2)] as const;
      paint(
        sheet,
        2,
        (x, y) =>
          (x - u) * outwards[0] + (y - v) * outwards[1] > 7 - reach - 0.3 * Math.sin(3 * x) &&
          Math.hypot(x - u, y - v) < 8,
      );
    } else if (way < 0.75) {
      scratch(sheet, chance() < 0.5 ? 0 : 1, {
        u: u + between(chance, -1.5, 1.5),
        v: v + between(chance, -1.5, 1.5),
        angle: between(chance, 0, Math.PI),
        long: between(chance, 3, 14),
        thick: between(chance, 0.1, 0.35),
      });
    } else {
      const radius = between(chance, 0.2, 1);
      const [du, dv] = [between(chance, -1.5, 1.5), between(chance, -1.5, 1.5)];
      paint(sheet, 0, (x, y) => Math.hypot(x - u - du, y - v - dv) < radius);
    }
  }
}

/**
 * Covers as much as the code can lose: a strip from an edge, a disc, or a corner without finder.
 */
function coverPart(sheet: Sheet, chance: Chance): void {
  const { size } = sheet;
  const way = chance();
  if (way < 0.4) {
    const depth = between(chance, 0.05, 0.11) * size;
    const isRight = chance() < 0.5;
    paint(sheet, 2, (u, v) => {
      const [across, along] = isRight ? [u, v] : [v, u];
      return across > size - depth && along > 8 && along < size + 3 && across < size + 3;
    });
  } else if (way < 0.7) {
    const radius = between(chance, 0.08, 0.14) * size;
    const [at, to] = [between(chance, 0.4, 0.7) * size, between(chance, 0.4, 0.7) * size];
    paint(sheet, 2, (u, v) => Math.hypot(u - at, v - to) < radius);
  } else {
    const depth = between(chance, 0.3, 0.48) * size;
    paint(sheet, 2, (u, v) => u + v > 2 * size - depth && u < size + 4 && v < size + 4);
  }
}
