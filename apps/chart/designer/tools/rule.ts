/** Measures between two points, and sets the scale by a known distance. */
import type { Point } from '#server/drawing/model/data.ts';
import type { Desk, Hand, Spot } from '#apps/chart/designer/canvas/desk.ts';
import { scaleFromLine } from '#server/drawing/edit/fields.ts';
import { distance, lengthIn } from './place.ts';
import { makePoints, paintNote, type Points } from './points.ts';

function angleWords(from: Point, to: Point): string {
  const degrees = (Math.atan2(from.y - to.y, to.x - from.x) * 180) / Math.PI;
  return `${Math.round((degrees + 360) % 360)}°`;
}

/** The last measurement stays visible until the next one. */
export function measureHand(desk: Desk): Hand {
  let kept: Points | null = null;
  const words = ([from, to]: Points) =>
    `${lengthIn(desk.studio.state.doc, distance(from, to))} · ${angleWords(from, to)}`;
  const hand = makePoints(desk, {
    least: 2,
    most: 2,
    make: () => null,
    note: words,
    finish(points) {
      kept = points;
      desk.studio.say(words(points));
      desk.redraw();
    },
  });
  const paint = (context: CanvasRenderingContext2D) => {
    if (kept) {
      const [from, to] = [desk.camera.toScreen(kept[0]), desk.camera.toScreen(kept[1])];
      context.strokeStyle = desk.look().accent;
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
      paintNote(context, desk, { at: kept[1], text: words(kept) });
    }
    hand.paint?.(context);
  };
  const down = (spot: Spot) => {
    kept = null;
    hand.down(spot);
  };
  return {
    cursor: (spot) => hand.cursor(spot),
    hover: (spot) => hand.hover?.(spot),
    down,
    drag: (spot) => hand.drag?.(spot),
    up: (spot, how) => hand.up(spot, how),
    cancel: () => hand.cancel(),
    paint,
  };
}

export function scaleHand(desk: Desk): Hand {
  return makePoints(desk, {
    least: 2,
    most: 2,
    make: () => null,
    note: ([from, to]) => lengthIn(desk.studio.state.doc, distance(from, to)),
    finish([from, to], spot) {
      desk.ask({
        x: spot.sx,
        y: spot.sy,
        title: 'Scala della pianta',
        blanks: [
          {
            name: 'metres',
            label: 'Lunghezza reale in metri',
            value: '',
            type: 'number',
            min: 0.01,
          },
        ],
        done: 'Imposta',
        answer({ metres }) {
          const { doc } = desk.studio.state;
          desk.act(scaleFromLine(doc, from, to, Number(metres) * 100));
        },
      });
    },
  });
}
