/**
 * Tools for objects placed by a click or drawn as a rectangle: tables, palchi, séparé, stage,
 * icons, texts, images, focal point.
 */
import type { Point } from '#server/drawing/model/data.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import { makeIcon, makeImage, makeStage, makeText } from '#server/drawing/edit/decor.ts';
import {
  makeBooth,
  makeRectangularTable,
  makeRoundTable,
} from '#server/drawing/edit/tables/make.ts';
import { makePalco } from '#server/drawing/edit/tables/palchi.ts';
import { madeBy } from '#server/drawing/edit/targets.ts';
import type { Desk, Hand } from '#apps/chart/designer/canvas/desk.ts';
import { setFocalPoint } from '#server/drawing/edit/fields.ts';
import { boxOf, distance, placeOf } from './place.ts';
import { makePoints, oppositeOf, type Points, rectangle } from './points.ts';

/** The distance between chairs around a table. */
const perChair = 26;
const usualChairs = 8;
const chairsOfPalco = 4;

function chairsFor(length: number): number {
  return Math.max(1, Math.min(30, Math.floor(length / perChair)));
}

export function roundTableHand(desk: Desk): Hand {
  const make = (center: Point, radius?: number) => {
    const chairs =
      radius === undefined ? usualChairs : chairsFor(2 * Math.PI * (radius + perChair / 2));
    const table = { ...placeOf(desk), center, chairs, ...(radius === undefined ? {} : { radius }) };
    return makeRoundTable(desk.studio.state.doc, table, desk.newId);
  };
  return makePoints(desk, {
    least: 2,
    most: 2,
    single: (at) => make(at),
    make: ([center, edge]) => make(center, Math.max(12, distance(center, edge))),
    note: ([center, edge]) =>
      `${chairsFor(2 * Math.PI * (Math.max(12, distance(center, edge)) + perChair / 2))} posti`,
  });
}

/** A tool that draws a box, or places one of usual size by a click. */
function boxHand(
  desk: Desk,
  make: (center: Point, size: { width: number; height: number } | null) => Edit | null,
): Hand {
  const draw = (points: Points) => {
    const { center, ...size } = boxOf(points[0], oppositeOf(points));
    return make(center, { width: Math.max(8, size.width), height: Math.max(8, size.height) });
  };
  return makePoints(desk, {
    least: 2,
    most: 2,
    corners: rectangle,
    single: (at) => make(at, null),
    make: draw,
    note(points) {
      const { width, height } = boxOf(points[0], oppositeOf(points));
      return `${Math.round(width)} × ${Math.round(height)}`;
    },
  });
}

export function rectangularTableHand(desk: Desk): Hand {
  return boxHand(desk, (center, size) => {
    const { width, height } = size ?? { width: 3 * perChair, height: 36 };
    const across = chairsFor(width);
    const down = height >= 2 * perChair ? chairsFor(height) : 0;
    const sides = [across, down, across, down] as const;
    const table = { ...placeOf(desk), center, width, height, sides };
    return makeRectangularTable(desk.studio.state.doc, table, desk.newId);
  });
}

export function palcoHand(desk: Desk): Hand {
  return boxHand(desk, (center, size) =>
    makePalco(
      desk.studio.state.doc,
      { ...placeOf(desk), center, chairs: chairsOfPalco, ...size },
      desk.newId,
    ),
  );
}

export function boothHand(desk: Desk): Hand {
  return boxHand(desk, (center, size) =>
    makeBooth(desk.studio.state.doc, { ...placeOf(desk), center, ...size }, desk.newId),
  );
}

export function stageHand(desk: Desk): Hand {
  return boxHand(desk, (center, size) =>
    makeStage(
      desk.studio.state.doc,
      { at: placeOf(desk).at, center, ...(size ?? { width: 240, height: 80 }) },
      desk.newId,
    ),
  );
}

export function iconHand(desk: Desk): Hand {
  const make = (center: Point) =>
    makeIcon(
      desk.studio.state.doc,
      { at: placeOf(desk).at, center, iconType: 'wheelchair' },
      desk.newId,
    );
  return makePoints(desk, { least: 2, most: 2, single: make, make: ([at]) => make(at) });
}

export function textHand(desk: Desk): Hand {
  const ask = (center: Point) => {
    const { x, y } = desk.camera.toScreen(center);
    desk.ask({
      x,
      y,
      title: 'Testo',
      blanks: [{ name: 'text', label: 'Testo', value: '', type: 'lines' }],
      done: 'Scrivi',
      answer({ text = '' }) {
        const { doc } = desk.studio.state;
        const edit = makeText(doc, { at: placeOf(desk).at, center, text }, desk.newId);
        desk.act(edit, madeBy(edit));
      },
    });
    return null;
  };
  return makePoints(desk, {
    least: 2,
    most: 2,
    single: ask,
    make: () => null,
    finish: ([at]) => ask(at),
  });
}

/** A larger picture would make a drawing slow to save. */
const mostBytes = 4 * 2 ** 20;
const widest = 400;

function readPicture(file: File): Promise<{ href: string; width: number; height: number }> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('error', () => reject(reader.error ?? new Error('no file')));
    reader.addEventListener('load', () => {
      const href = String(reader.result);
      const image = new Image();
      image.addEventListener('error', () => reject(new Error('no picture')));
      image.addEventListener('load', () =>
        resolve({ href, width: image.naturalWidth, height: image.naturalHeight }),
      );
      image.src = href;
    });
    reader.readAsDataURL(file);
  });
}

export function imageHand(desk: Desk): Hand {
  const place = async (file: File, center: Point) => {
    if (file.size > mostBytes) return desk.studio.say('Immagine troppo grande: al massimo 4 MB');
    try {
      const { href, width, height } = await readPicture(file);
      const share = Math.min(1, widest / Math.max(1, width));
      const edit = makeImage(
        desk.studio.state.doc,
        { at: placeOf(desk).at, center, width: width * share, height: height * share, href },
        desk.newId,
      );
      desk.act(edit, madeBy(edit));
    } catch {
      desk.studio.say('Immagine non leggibile');
    }
  };
  const ask = (center: Point) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = 'image/png,image/jpeg,image/webp';
    input.addEventListener('change', () => {
      const file = input.files?.[0];
      if (file) void place(file, center);
    });
    input.click();
    return null;
  };
  return makePoints(desk, {
    least: 2,
    most: 2,
    single: ask,
    make: () => null,
    finish: ([at]) => ask(at),
  });
}

export function focalPointHand(desk: Desk): Hand {
  const make = (at: Point) => setFocalPoint(desk.studio.state.doc, desk.studio.state.floor, at);
  return makePoints(desk, {
    least: 2,
    most: 2,
    single: make,
    make: ([, at]) => make(at),
  });
}
