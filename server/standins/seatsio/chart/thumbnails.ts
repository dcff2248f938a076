/** The small picture of a chart: sections, areas, tables and seats in their colours. */
import { drawingText, findChart } from '#server/standins/seatsio/catalog/catalog.ts';
import { versionOf } from './chart-versions.ts';
import { publicWorkspace } from '#server/standins/seatsio/company/callers.ts';
import { Cache } from '#server/standins/seatsio/context.ts';
import {
  cornersOf,
  parseDrawing,
  readDrawing,
} from '#server/standins/seatsio/plan/read-drawing.ts';
import { openPicture } from './png.ts';
import { keyRoute, openRoute, sent } from '#server/standins/seatsio/router.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type {
  Drawing,
  DrawingShape,
  Point,
  SubChart,
} from '#server/standins/seatsio/plan/read-drawing.ts';
import type { Colour, Corner } from './png.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';

const WIDTH = 480;
const HEIGHT = 360;
const MARGIN = 12;
/**
 * The radius of a seat in drawing units, and its least radius in pixels, so that a large hall
 * does not look empty.
 */
const SEAT = 8;
const SEAT_PIXELS = 0.6;
const GREY: Colour = [214, 217, 222];
const NO_CATEGORY: Colour = [150, 155, 163];
const ROUND = 24;

interface Thing {
  corners: Point[];
  colour: Colour;
}
interface Dot {
  at: Point;
  colour: Colour;
}

function colourOf(text: string): Colour {
  const digits = /^#([0-9a-f]{6}|[0-9a-f]{3})/i.exec(text)?.[1];
  if (digits === undefined) return NO_CATEGORY;
  const six = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits;
  return [0, 2, 4].map((at) => parseInt(six.slice(at, at + 2), 16)) as Colour;
}

/** The colour mixed with white, for areas under seats. */
function paler(colour: Colour): Colour {
  return colour.map((part) => Math.round(255 - (255 - part) * 0.25)) as Colour;
}

function turned(center: Point, { x, y }: Point, degrees: number): Point {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return { x: center.x + x * cos - y * sin, y: center.y + x * sin + y * cos };
}

function ellipse(
  center: Point,
  { radius1, radius2, degrees }: { radius1: number; radius2: number; degrees: number },
): Point[] {
  return Array.from({ length: ROUND }, (_, index) => {
    const angle = (index * 2 * Math.PI) / ROUND;
    return turned(center, { x: radius1 * Math.cos(angle), y: radius2 * Math.sin(angle) }, degrees);
  });
}

function shapeCorners({
  type,
  points,
  center,
  width = 0,
  height = 0,
  rotationAngle: degrees = 0,
}: DrawingShape): Point[] {
  if (points) return points;
  if (!center) return [];
  return type === 'rectangle'
    ? cornersOf(center, { width, height, degrees })
    : ellipse(center, { radius1: width / 2, radius2: height / 2, degrees });
}

function collect(
  part: SubChart,
  { section, colour }: { section: string | null; colour: (key: string | null) => Colour },
): { things: Thing[]; dots: Dot[] } {
  const of = (key: string | null) => colour(key ?? section);
  const inner = part.sections.map((one) => ({
    outline: { corners: one.points, colour: paler(colour(one.categoryKey)) },
    ...collect(one.subChart, { section: one.categoryKey, colour }),
  }));
  return {
    things: [
      ...part.shapes.map((shape) => ({ corners: shapeCorners(shape), colour: GREY })),
      ...inner.flatMap(({ outline, things }) => [outline, ...things]),
      ...part.areas.map(({ shape, categoryKey }) => ({
        colour: paler(of(categoryKey)),
        corners:
          shape.type === 'polygon'
            ? shape.points
            : ellipse(shape.center, { ...shape, degrees: shape.rotationAngle }),
      })),
      ...part.booths.map(({ center, width, height, rotationAngle: degrees, categoryKey }) => ({
        corners: cornersOf(center, { width, height, degrees }),
        colour: of(categoryKey),
      })),
      ...part.tables.map(({ center, radius, corners, categoryKey }) => ({
        corners: corners ?? ellipse(center, { radius1: radius, radius2: radius, degrees: 0 }),
        colour: paler(of(categoryKey)),
      })),
    ].filter(({ corners }) => corners.length > 2),
    dots: [
      ...[...part.rows, ...part.tables].flatMap(({ seats }) =>
        seats.map((seat) => ({ at: seat, colour: of(seat.categoryKey) })),
      ),
      ...inner.flatMap(({ dots }) => dots),
    ],
  };
}

/** Draws all floors over each other, because they share their coordinates. */
export function drawThumbnail(drawing: Drawing): Buffer {
  const colours = new Map(drawing.categories.map(({ key, color }) => [key, colourOf(color)]));
  const colour = (key: string | null) =>
    (key === null ? undefined : colours.get(key)) ?? NO_CATEGORY;
  const parts = drawing.floors.map((floor) => collect(floor, { section: null, colour }));
  const things = parts.flatMap((part) => part.things);
  const dots = parts.flatMap((part) => part.dots);
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of [
    ...things.flatMap(({ corners }) => corners),
    ...dots.map(({ at }) => at),
  ]) {
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x);
    box.bottom = Math.max(box.bottom, y);
  }
  const picture = openPicture(WIDTH, HEIGHT);
  const [spanX, spanY] = [Math.max(1, box.right - box.left), Math.max(1, box.bottom - box.top)];
  const scale = Math.min((WIDTH - 2 * MARGIN) / spanX, (HEIGHT - 2 * MARGIN) / spanY, 2);
  const place = ({ x, y }: Point): Corner => [
    (x - box.left - spanX / 2) * scale + WIDTH / 2,
    (y - box.top - spanY / 2) * scale + HEIGHT / 2,
  ];
  for (const thing of things) picture.polygon(thing.corners.map(place), thing.colour);
  const radius = Math.max(SEAT * scale, SEAT_PIXELS);
  for (const dot of dots) picture.disc(place(dot.at), radius, dot.colour);
  return picture.print();
}

const kept = new Cache<Buffer>(100);

/** Sends image/png, drawn once per version. */
async function sendThumbnail(
  ctx: Seatsio,
  call: Call<'chart'>,
  { workspace, which }: { workspace: Workspace; which: string },
): Promise<typeof sent> {
  const chart = await findChart(ctx, workspace, call.params.chart);
  const version = versionOf(chart, which);
  const png = await kept.get(ctx, `${chart.id} ${version}`, async () =>
    drawThumbnail(readDrawing(parseDrawing(await drawingText(ctx, chart.id, version)))),
  );
  call.response.writeHead(200, {
    'Content-Type': 'image/png',
    'Content-Length': png.length,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  });
  call.response.end(png);
  return sent;
}

/** The address of the picture, which needs no secret key; each version has its own. */
export function thumbnailUrl(
  call: Call,
  {
    workspace,
    chart,
    which,
    version,
  }: { workspace: Workspace; chart: string; which: string; version: number },
): string {
  const { host = 'localhost' } = call.request.headers;
  return `http://${host}/system/public/${workspace.key}/charts/${encodeURIComponent(chart)}/version/${which}/thumbnail?version=${version}`;
}

export const thumbnailRoutes: Route[] = ['published', 'draft'].flatMap((which): Route[] => [
  keyRoute('GET', `/charts/:chart/version/${which}/thumbnail`, (ctx, call, workspace) =>
    sendThumbnail(ctx, call, { workspace, which }),
  ),
  openRoute(
    'GET',
    `/system/public/:workspace/charts/:chart/version/${which}/thumbnail`,
    async (ctx, call) =>
      sendThumbnail(ctx, call, {
        workspace: await publicWorkspace(ctx, call.params.workspace),
        which,
      }),
  ),
]);
