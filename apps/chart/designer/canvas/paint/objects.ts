/** Objects without seats and words: shapes, sections, areas, tables, booths, icons, images. */
import { pathOfSign } from '#apps/chart/paint/signs.ts';
import { traceFigure } from '#apps/chart/designer/canvas/scene/figure.ts';
import type { Entry } from '#apps/chart/designer/canvas/scene/entry.ts';
import type { Picture } from './picture.ts';

interface Coat {
  fill: string | null;
  fillAlpha: number;
  line: string | null;
  lineAlpha: number;
  /** In pixels of the page. */
  wide: number;
  dashed?: boolean;
}

const bare: Coat = { fill: null, fillAlpha: 0, line: null, lineAlpha: 0, wide: 0 };

function coatOf({ look, heat, stroke }: Picture, { item, ownTint }: Entry): Coat {
  const touched = stroke !== null && stroke.touched.get(item.id) === 'whole';
  const shown = heat ? heat(item.id, null) : (look.palette[ownTint] ?? null);
  const color = touched ? stroke.color : (shown ?? look.palette[0]);
  switch (item.kind) {
    case 'section':
      return {
        fill: color,
        fillAlpha: touched ? 0.5 : 0.1,
        line: color,
        lineAlpha: 0.85,
        wide: 1.25,
      };
    case 'area':
      return { fill: color, fillAlpha: touched ? 0.6 : 0.28, line: color, lineAlpha: 1, wide: 1.5 };
    case 'booth':
      return { fill: color, fillAlpha: 0.85, line: color, lineAlpha: 1, wide: 1 };
    case 'table': {
      const isWhole = item.data.bookAsAWhole === true || touched;
      if (item.data.x_kind === 'palco')
        return {
          fill: color,
          fillAlpha: isWhole ? 0.4 : 0.12,
          line: color,
          lineAlpha: 1,
          wide: 1.25,
        };
      return {
        fill: isWhole ? color : look.line,
        fillAlpha: 0.6,
        line: look.muted,
        lineAlpha: 0.6,
        wide: 1,
      };
    }
    case 'shape': {
      const isLine = item.data.type === 'line';
      if (item.data.smartType === 'stage')
        return { fill: look.line, fillAlpha: 0.55, line: look.muted, lineAlpha: 0.8, wide: 1 };
      const own = item.data.fillColor ?? look.line;
      return {
        fill: own,
        fillAlpha: 0.55,
        line: isLine ? own : look.muted,
        lineAlpha: 0.5,
        wide: isLine ? 3 : 1,
      };
    }
    default:
      return bare;
  }
}

export function paintObject(
  context: CanvasRenderingContext2D,
  picture: Picture,
  entry: Entry,
): void {
  const { camera, look } = picture;
  const { item, figure } = entry;
  if (!figure) return;
  const { globalAlpha } = context;
  entry.path ??= traceFigure(figure);
  const coat = coatOf(picture, entry);
  if (coat.fill !== null && figure.type !== 'line') {
    context.globalAlpha = globalAlpha * coat.fillAlpha;
    context.fillStyle = coat.fill;
    context.fill(entry.path);
  }
  if (coat.line !== null) {
    context.globalAlpha = globalAlpha * coat.lineAlpha;
    context.strokeStyle = coat.line;
    context.lineWidth = coat.wide / camera.k;
    context.stroke(entry.path);
  }
  context.globalAlpha = globalAlpha;
  if (item.kind === 'image') paintImage(context, picture, entry);
  if (item.kind === 'icon') paintIcon(context, picture, entry);
  if (!entry.whole && !entry.markedWhole) return;
  context.strokeStyle = entry.whole ? look.accent : look.danger;
  context.lineWidth = 2 / camera.k;
  context.stroke(entry.path);
}

function paintImage(context: CanvasRenderingContext2D, picture: Picture, entry: Entry): void {
  if (entry.item.kind !== 'image' || entry.figure?.type !== 'box') return;
  const { center, wide, high, angle } = entry.figure;
  const image = picture.pictures.of(entry.item.data.href);
  const { globalAlpha } = context;
  context.save();
  context.translate(center.x, center.y);
  context.rotate((angle * Math.PI) / 180);
  if (image) {
    context.globalAlpha = globalAlpha * (entry.item.data.opacity ?? 1);
    context.drawImage(image, -wide / 2, -high / 2, wide, high);
  } else {
    context.strokeStyle = picture.look.line;
    context.lineWidth = 1 / picture.camera.k;
    context.strokeRect(-wide / 2, -high / 2, wide, high);
  }
  context.restore();
}

const icons = new Map<string, Path2D>();

function paintIcon(context: CanvasRenderingContext2D, picture: Picture, entry: Entry): void {
  if (entry.item.kind !== 'icon' || entry.figure?.type !== 'box') return;
  const { iconType = 'circle', iconColor } = entry.item.data;
  const { center, wide, angle } = entry.figure;
  let sign = icons.get(iconType);
  if (!sign) icons.set(iconType, (sign = new Path2D(pathOfSign(iconType))));
  context.save();
  context.translate(center.x, center.y);
  context.rotate((angle * Math.PI) / 180);
  context.scale(wide / 1.4, wide / 1.4);
  context.strokeStyle = iconColor ?? picture.look.muted;
  context.lineWidth = 0.12;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.stroke(sign);
  context.restore();
}
