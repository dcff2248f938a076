/** The found rows, drawn as lines through their seats: a press on a seat selects its row. */
import { requireValue } from '#server/domain/require-value.ts';
import { useEffect, useRef, type PointerEvent } from 'react';
import type { Review } from './use-review.ts';

interface View {
  scale: number;
  x: number;
  y: number;
}

function viewOf({ found }: Review, width: number, height: number): View {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { seats } of found.rows)
    for (const { x, y } of seats) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  if (left > right) return { scale: 1, x: 0, y: 0 };
  const margin = found.pitch * 2;
  const scale = Math.min(width / (right - left + 2 * margin), height / (bottom - top + 2 * margin));
  return {
    scale,
    x: width / 2 - (scale * (left + right)) / 2,
    y: height / 2 - (scale * (top + bottom)) / 2,
  };
}

function paint(canvas: HTMLCanvasElement, review: Review): View {
  const { width, height } = canvas.getBoundingClientRect();
  const ratio = devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = requireValue(canvas.getContext('2d'), 'canvas');
  const style = getComputedStyle(canvas);
  const ink = (name: string) => style.getPropertyValue(name).trim();
  pen.scale(ratio, ratio);
  const view = viewOf(review, width, height);
  const at = (point: { x: number; y: number }): [number, number] => [
    point.x * view.scale + view.x,
    point.y * view.scale + view.y,
  ];
  const radius = Math.max(1.5, review.found.pitch * view.scale * 0.34);
  const second = ink('--bsd-port-second');
  for (const [index, row] of review.found.rows.entries()) {
    const isChosen = row.id === review.row;
    const usual = index % 2 === 0 ? style.color : second;
    const color = isChosen ? ink('--bsd-port-chosen') : usual;
    pen.globalAlpha = row.isKept ? 1 : 0.2;
    pen.strokeStyle = color;
    pen.fillStyle = color;
    pen.lineWidth = isChosen ? 3 : 1.2;
    pen.beginPath();
    for (const [place, seat] of row.seats.entries()) {
      if (place === 0 || row.gaps.has(place - 1)) pen.moveTo(...at(seat));
      else pen.lineTo(...at(seat));
    }
    pen.stroke();
    for (const [place, seat] of row.seats.entries()) {
      pen.beginPath();
      pen.arc(
        ...at(seat),
        isChosen && place === review.seat ? radius * 1.7 : radius,
        0,
        2 * Math.PI,
      );
      pen.fill();
    }
    const [first] = row.seats;
    if (!first) continue;
    pen.font = `600 11px ${style.fontFamily}`;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    const [x, y] = at(first);
    pen.fillText(row.label, x - radius - 3, y);
  }
  pen.globalAlpha = 1;
  return view;
}

export function ReviewMap({ review }: { review: Review }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useRef<View>({ scale: 1, x: 0, y: 0 });
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const draw = () => {
      view.current = paint(element, review);
    };
    draw();
    const watch = new ResizeObserver(draw);
    watch.observe(element);
    return () => watch.disconnect();
  }, [review]);
  const press = (event: PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const { scale, x, y } = view.current;
    const point = {
      x: (event.clientX - box.left - x) / scale,
      y: (event.clientY - box.top - y) / scale,
    };
    let best = {
      apart: Math.max(review.found.pitch, 14 / scale),
      row: null as string | null,
      seat: 0,
    };
    for (const row of review.found.rows)
      for (const [seat, spot] of row.seats.entries()) {
        const apart = Math.hypot(spot.x - point.x, spot.y - point.y);
        if (apart < best.apart) best = { apart, row: row.id, seat };
      }
    review.choose(best.row, best.seat);
  };
  return (
    <canvas
      ref={canvas}
      className="bsd-port-map"
      role="img"
      aria-label={`Disegno con ${review.found.rows.length} file trovate; la stessa cosa sta nell’elenco.`}
      onPointerDown={press}
    />
  );
}
