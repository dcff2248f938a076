/** Sections in the far view: one shape each, with name and price where there is room. */
import { lineRoomAt } from '#apps/chart/scene/outline.ts';
import { hatch, outline, widthOf, write } from './pen.ts';
import { colourAt, type Picture } from './picture.ts';
import { sectionAt, type SceneGroup } from '#apps/chart/scene/scene.ts';
import { shortName } from '#apps/chart/scene/short-names.ts';
import { readableOn } from './theme.ts';

/** Seats with a smaller radius on the screen are not drawn one by one. */
const blockBelow = 2.2;
const smallBlockBelow = 1.2;
const afterZoomBelow = 5;
/** The height of a text line, for measuring whether it fits. */
const usualLine = 14;
/**
 * When more than this share of the sections has no room for the whole name, all show only its
 * last word.
 */
const fewShort = 0.1;

export function isBlock(group: SceneGroup, { camera, look, small, whole }: Picture): boolean {
  if (!group.outline || group.rows.length === 0) return false;
  const pixels = group.radius * camera.k;
  if (small) return pixels < smallBlockBelow;
  if (look.print || look.contents === 'always') return false;
  return look.contents === 'onlyAfterZoom' ? whole || pixels < afterZoomBelow : pixels < blockBelow;
}

function colorOf({ look }: Picture, group: SceneGroup): string {
  return look.blockColor(group) ?? colourAt(look.palette, look.summaryOf(group).tint);
}

export function paintBlock(
  context: CanvasRenderingContext2D,
  picture: Picture,
  group: SceneGroup,
): void {
  const { look, camera, spotlight, scene, ratio } = picture;
  const path = group.outline ?? new Path2D();
  const { free, dim } = look.summaryOf(group);
  const stands =
    spotlight === null || [...spotlight].some((i) => scene.section[i] === group.section);
  if (free > 0 && !look.theme.forced) {
    context.globalAlpha = dim || !stands ? 0.22 : 0.88;
    context.fillStyle = colorOf(picture, group);
    context.fill(path);
    context.globalAlpha = 1;
  } else if (free === 0) {
    context.fillStyle = look.theme.stage;
    context.fill(path);
    hatch(context, path, { color: look.theme.taken, k: camera.k, ratio });
  }
  const edge = free > 0 ? look.theme.background : look.theme.taken;
  outline(
    context,
    look.theme.forced ? look.theme.text : edge,
    (free > 0 ? 1.5 : 1) / camera.k,
    path,
  );
}

interface Label {
  group: SceneGroup;
  text: string;
  second: string;
  tag: boolean;
  size: number;
  turn: number;
}

/**
 * With more sections than this, a block without room for its name gets none, because there is no
 * room beside it either.
 */
const fewSections = 12;

/**
 * Writes the names, all in one size where they fit, because a wide block is not more important.
 * Returns the blocks inside which there is no room.
 */
export function nameBlocks(
  context: CanvasRenderingContext2D,
  picture: Picture,
  groups: readonly SceneGroup[],
): SceneGroup[] {
  const isShort = (label: Label | null) =>
    label === null || label.turn !== 0 || label.text !== label.group.name;
  let labels = groups.map((group) => labelOf(context, picture, { group }));
  // All names are long or all are short, because a mixture would look like two kinds of section.
  if (labels.filter(isShort).length > labels.length * fewShort)
    labels = groups.map((group) => labelOf(context, picture, { group, short: true }));
  nameAll(
    context,
    picture,
    labels.filter((label) => label !== null),
  );
  const cramped = groups.filter((_, at) => labels[at] === null);
  return picture.scene.groups.length > fewSections ? [] : cramped;
}

function nameAll(
  context: CanvasRenderingContext2D,
  picture: Picture,
  labels: readonly Label[],
): void {
  if (labels.length === 0) return;
  const sizes = labels.map(({ size }) => size).sort((a, b) => a - b);
  const usual = Math.max(10, Math.min(15, sizes[Math.floor(sizes.length * 0.3)] ?? 0));
  for (const label of labels)
    nameBlock(context, picture, { ...label, size: Math.min(label.size, usual) });
}

/** Null when not even the shortest form fits. */
function labelOf(
  context: CanvasRenderingContext2D,
  { look, camera: { k }, scene }: Picture,
  { group, short = false }: { group: SceneGroup; short?: boolean },
): Label | null {
  const { free, none, price } = look.summaryOf(group);
  const { height, around } = group.room;
  const { points } = sectionAt(scene, group.section);
  const width = lineRoomAt(points, group.middle, usualLine / k);
  const asked = look.priceOverlay === true && free > 0 && price !== '';
  const shownPrice = asked || look.priceOverlay === undefined ? price : '';
  const second = free === 0 ? none : shownPrice;
  // A name too long for its block is shortened to its last word, usually a number.
  const names = [...(short ? [] : [group.name]), shortName(scene, group)].filter(
    (name, at, all) => name !== '' && all.indexOf(name) === at,
  );
  for (const text of asked && around * k < 26 ? [price, ...names] : names) {
    for (const [along, across, turn] of [
      [width * k - 6, around * k, 0],
      [height * k - 6, around * k, -90],
    ] as const) {
      const size = Math.min(17, along / widthOf(context, text, 1), across);
      if (size >= 9)
        return { group, text, second: text === price ? '' : second, tag: asked, size, turn };
    }
  }
  return null;
}

function inkOn(picture: Picture, group: SceneGroup): string {
  const { theme, summaryOf } = picture.look;
  const { free, dim } = summaryOf(group);
  if (free === 0 && !theme.forced) return theme.muted;
  return theme.forced || dim ? theme.text : readableOn(colorOf(picture, group));
}

function nameBlock(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { group, text, second, tag, size, turn }: Label,
): void {
  const { camera } = picture;
  const color = inkOn(picture, group);
  const small = size * 0.85;
  const { points } = sectionAt(picture.scene, group.section);
  const roomAt = (shift: number) =>
    lineRoomAt(
      points,
      { x: group.middle.x, y: group.middle.y + (size * shift) / camera.k },
      size / camera.k,
    ) *
      camera.k -
    6;
  const both =
    turn === 0 &&
    second !== '' &&
    group.room.around * camera.k > size * 2.3 &&
    widthOf(context, second, small) <= roomAt(0.65) &&
    widthOf(context, text, size) <= roomAt(-0.65);
  if (tag && second === '')
    return writeTag(context, picture, { text, at: group.middle, size, shift: 0 });
  write(context, camera, {
    text,
    at: group.middle,
    size,
    color,
    bold: true,
    turn,
    shift: both ? size * -0.65 : 0,
  });
  if (!both) return;
  if (tag)
    writeTag(context, picture, { text: second, at: group.middle, size: small, shift: size * 0.75 });
  else
    write(context, camera, {
      text: second,
      at: group.middle,
      size: small,
      color,
      shift: size * 0.65,
    });
}

/** Text on its own background, legible on any colour. */
function writeTag(
  context: CanvasRenderingContext2D,
  { look, camera }: Picture,
  tag: { text: string; at: { x: number; y: number }; size: number; shift: number },
): void {
  const size = Math.max(9, Math.min(13, tag.size));
  const [width, height] = [widthOf(context, tag.text, size) + size, size * 1.6];
  context.beginPath();
  context.roundRect(
    tag.at.x * camera.k + camera.x - width / 2,
    tag.at.y * camera.k + camera.y + tag.shift - height / 2,
    width,
    height,
    height / 2,
  );
  context.fillStyle = look.theme.raised;
  context.fill();
  outline(context, look.theme.line, 1);
  write(context, camera, {
    text: tag.text,
    at: tag.at,
    size,
    shift: tag.shift,
    color: look.theme.text,
    bold: true,
  });
}
