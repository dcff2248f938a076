/** What is written on the map covers no seat number and no seat of another section, at every zoom, in every hall. */
import { afterAll, expect, test, vi } from 'vitest';
import { paint } from '#apps/chart/paint/paint.ts';
import { isBlock } from '#apps/chart/paint/paint-block.ts';
import type { Camera, Picture } from '#apps/chart/paint/picture.ts';
import { buildScene } from '#apps/chart/scene/build-scene.ts';
import { placePoint, SEAT, type Scene } from '#apps/chart/scene/scene.ts';
import { drawArena } from '#server/standins/seatsio/draw/arena.ts';
import { drawSalaDelleFeste } from '#server/standins/seatsio/draw/sala-delle-feste.ts';
import { drawSalaNera } from '#server/standins/seatsio/draw/sala-nera.ts';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import { drawTeatroDellOpera } from '#server/standins/seatsio/draw/teatro-dell-opera.ts';
import { drawTeatroGoldoni } from '#server/standins/seatsio/draw/teatro-goldoni.ts';
import { flattenDrawing } from '#server/standins/seatsio/plan/plan.ts';
import { readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { wireChart } from '#server/standins/seatsio/plan/wire-chart.ts';
import { ringHall } from './halls.ts';

/** A text or its ground: its middle on the screen, half its size, its rotation. */
interface Written {
  text: string;
  x: number;
  y: number;
  half: number;
  up: number;
  turn: number;
  plate: boolean;
}

const widthOfText = (text: string, size: number) => text.length * size * 0.58;

/** A canvas that only notes what is written on it. */
function noteBook() {
  const written: Written[] = [];
  let at = { x: 0, y: 0, turn: 0, own: 1 };
  const kept: (typeof at)[] = [];
  let plate: Omit<Written, 'text'> | null = null;
  const sizeOf = (font: string) => Number(/([\d.]+)px/.exec(font)![1]);
  const pen = {
    font: '10px x',
    save: () => void kept.push({ ...at }),
    restore: () => void (at = kept.pop()!),
    setTransform: (k: number) => void (at = { x: 0, y: 0, turn: 0, own: k }),
    translate: (x: number, y: number) => void (at = { ...at, x: at.x + x, y: at.y + y }),
    rotate: (turn: number) => void (at = { ...at, turn: at.turn + turn }),
    roundRect: (x: number, y: number, width: number, height: number) => {
      const [half, up] = [width / 2, height / 2];
      plate = { x: x + half, y: y + up, half, up, turn: 0, plate: true };
    },
    measureText: (text: string) => ({ width: widthOfText(text, sizeOf(pen.font)) }),
    fillText: (text: string, x: number, y: number) => {
      const size = sizeOf(pen.font);
      const half = widthOfText(text, size) / 2;
      written.push(
        plate === null
          ? { text, x: at.x + x, y: at.y + y, half, up: size * 0.36, turn: at.turn, plate: false }
          : { text, ...plate },
      );
      plate = null;
    },
  };
  const context = new Proxy(pen as object, {
    get: (own: Record<string, unknown>, name: string) => own[name] ?? (() => {}),
    set: (own: Record<string, unknown>, name: string, value) => {
      own[name] = value;
      return true;
    },
  });
  return { written, context: context as unknown as CanvasRenderingContext2D };
}

const nothing: object = new Proxy({}, { get: () => () => nothing });
function Nothing() {
  return nothing;
}
vi.stubGlobal('Path2D', Nothing);
vi.stubGlobal('DOMMatrix', Nothing);
vi.stubGlobal('document', { createElement: () => ({ getContext: () => null }) });
afterAll(() => vi.unstubAllGlobals());

function sceneOf(drawing: object): Scene {
  const read = readDrawing(drawing);
  const plan = flattenDrawing(read, { mode: 'INHERIT' } as never);
  const categories = read.categories.map((category) => ({
    ...category,
    key: String(category.key),
  }));
  const chart = wireChart(plan, {
    key: 'x',
    version: 1,
    categories,
    categoryOf: () => categories[0]!.key,
  } as never);
  return buildScene({ chart });
}

function pictureOf(
  scene: Scene,
  camera: Camera,
  screen: { width: number; height: number },
  floor: number,
  whole: boolean,
): Picture {
  const theme = new Proxy({}, { get: (_, name) => (name === 'forced' ? false : '#808080') });
  return {
    scene,
    places: {
      state: new Uint8Array(scene.size),
      orphans: new Set(),
      isDim: () => false,
      isPending: () => false,
      freePlaces: () => 10,
      chosen: () => 0,
    },
    look: {
      theme,
      tint: new Uint16Array(scene.size),
      palette: ['#808080'],
      own: null,
      names: scene.names,
      signs: null,
      blockColor: () => undefined,
      summaryOf: () => ({
        free: 5,
        none: '',
        tint: 0,
        price: 'da 10,00 €',
        dim: false,
        hidden: false,
      }),
      contents: 'auto',
      print: false,
    },
    camera,
    ...screen,
    ratio: 1,
    floor,
    whole,
    pulsing: new Set(),
    beat: 0,
    spotlight: null,
  } as unknown as Picture;
}

const namesFrom = 9;

/** Whether a rotated text comes nearer to a point than `across` and `along` (half sizes of what is there). */
function meets(
  { x, y, half, up, turn }: Written,
  at: { x: number; y: number },
  reach: { across: number; up: number },
) {
  const [dx, dy] = [at.x - x, at.y - y];
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const along = Math.abs(dx * cos + dy * sin);
  const off = Math.abs(dy * cos - dx * sin);
  return along < half + reach.across && off < up + reach.up;
}

function faultsIn(picture: Picture): string[] {
  const { scene, camera, floor, width, height } = picture;
  const { written, context } = noteBook();
  paint(context, picture);
  const faults: string[] = [];
  const authors = new Set([
    ...scene.chart.texts.map(({ text }) => text),
    ...scene.chart.shapes.map(({ label }) => label ?? ''),
  ]);
  const seats: {
    i: number;
    x: number;
    y: number;
    r: number;
    group: Scene['groups'][number];
    named: boolean;
  }[] = [];
  for (const group of scene.groups) {
    if (group.floor !== floor || isBlock(group, picture)) continue;
    const r = group.radius * camera.k;
    for (const row of group.rows)
      for (let i = row.first; i < row.first + row.count; i++) {
        const p = placePoint(scene, i);
        const [x, y] = [p.x * camera.k + camera.x, p.y * camera.k + camera.y];
        if (x < -r || y < -r || x > width + r || y > height + r) continue;
        if (scene.kind[i] !== SEAT) continue;
        const flags = scene.flags[i] ?? 0;
        seats.push({ i, x, y, r, group, named: r >= namesFrom && (flags & 7) === 0 });
      }
  }
  for (const one of written) {
    if (authors.has(one.text)) continue;
    for (const { i, x, y, r, group, named } of seats) {
      if (
        Math.abs(x - one.x) > one.half + one.up + r ||
        Math.abs(y - one.y) > one.half + one.up + r
      )
        continue;
      const name = scene.names[i] ?? '';
      // The seat's own number.
      if (name === one.text && Math.hypot(x - one.x, y - one.y) < r * 0.1) break;
      const font = Math.min(20, r * ([1, 1, 1, 0.78][name.length] ?? 0.6));
      const number = { across: widthOfText(name, font) / 2, up: font * 0.36 };
      const isOwn =
        group.name.endsWith(one.text) ||
        group.rows.some((row) => one.text.split(' ').at(-1) === row.name);
      if (named && meets(one, { x, y }, number))
        faults.push(`${one.plate ? 'plate' : 'text'} ${one.text} on number ${scene.labels[i]}`);
      else if ((!one.plate || !isOwn) && meets(one, { x, y }, { across: r * 0.8, up: r * 0.8 }))
        faults.push(`${one.plate ? 'plate' : 'text'} ${one.text} on seat ${scene.labels[i]}`);
      else continue;
      break;
    }
  }
  return faults;
}

const halls = {
  goldoni: drawTeatroGoldoni(),
  opera: drawTeatroDellOpera(),
  nera: drawSalaNera(),
  feste: drawSalaDelleFeste(),
  arena: drawArena(),
  stadio: drawStadium({ seats: 2_000, sections: 24 }),
  'ring of 2 tiers': ringHall({ tiers: 2, boxes: 16, chairs: 4, turn: 280 }),
  'ring of 4 tiers': ringHall({ tiers: 4, boxes: 30, chairs: 5, turn: 300 }),
  'closed ring of 3 tiers': ringHall({ tiers: 3, boxes: 24, chairs: 2, turn: 360 }),
};

test.each(Object.entries(halls))(
  '%s: no text covers a number or a seat of another section',
  (_, drawing) => {
    const scene = sceneOf(drawing);
    const faults: string[] = [];
    for (const screen of [
      { width: 362, height: 420 },
      { width: 900, height: 560 },
    ])
      scene.floors.forEach(({ bounds }, floor) => {
        const wide = bounds.right - bounds.left;
        const high = bounds.bottom - bounds.top;
        const fit = Math.min((screen.width - 28) / wide, (screen.height - 28) / high);
        const largest = Math.max(...scene.groups.map(({ radius }) => radius));
        for (let k = fit; k === fit || k * largest < 30; k *= 1.7) {
          const parts = k === fit ? [0.5] : [0.15, 0.4, 0.5, 0.8];
          for (const across of parts)
            for (const down of parts) {
              const x = screen.width / 2 - (bounds.left + wide * across) * k;
              const y = screen.height / 2 - (bounds.top + high * down) * k;
              const picture = pictureOf(scene, { k, x, y }, screen, floor, k === fit);
              faults.push(
                ...faultsIn(picture).map(
                  (fault) => `×${(k / fit).toFixed(1)} ${across}/${down} ${screen.width}: ${fault}`,
                ),
              );
            }
        }
      });
    expect(faults).toEqual([]);
  },
);
