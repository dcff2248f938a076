/** Small halls drawn from pictures of their rows, each with an event of its own. */
import { BestAvailableParams } from 'seatsio';
import { expect } from 'vitest';
import { eventParams, uploadDrawing } from './start.ts';
import type { Standin } from './start.ts';

interface SeatOf {
  label: string;
  x: number;
  y: number;
  categoryKey?: number;
  accessible?: boolean;
  companionSeat?: boolean;
  x_gapAfter?: boolean;
}

/** A row from a picture: `.` seat, `w` wheelchair place, `c` companion seat, `2` seat of the second category, `|` aisle. */
export function drawRow(label: string, y: number, picture: string) {
  const seats: SeatOf[] = [];
  for (const [index, sign] of [...picture].entries()) {
    if (sign === '|') seats.at(-1)!.x_gapAfter = true;
    else
      seats.push({
        label: String(seats.length + 1),
        x: index * 20,
        y,
        categoryKey: sign === '2' ? 2 : 1,
        accessible: sign === 'w',
        companionSeat: sign === 'c',
      });
  }
  return { label, seats: seats.map((seat) => ({ uuid: `${label}${seat.label}`, ...seat })) };
}

export function drawHall(
  rows: object[],
  {
    focalPoint = { x: 70, y: 0 },
    ...more
  }: {
    focalPoint?: { x: number; y: number } | null;
    sections?: object[];
    zones?: object[];
    [part: string]: unknown;
  } = {},
) {
  const { zones = [], ...parts } = more;
  return {
    name: 'Hall',
    venueType: 'SIMPLE',
    zones: { list: zones },
    categories: {
      list: [
        { key: 1, label: 'Platea', color: '#111111' },
        { key: 2, label: 'Galleria', color: '#222222' },
      ],
    },
    subChart: { width: 400, height: 400, focalPoint, rows, ...parts },
  };
}

/** A round table that is sold whole, its chairs drawn as a row is. */
export function table(label: string, x: number, chairs: string, more: object = {}) {
  return {
    uuid: label,
    label,
    type: 'round',
    radius: 20,
    bookAsAWhole: true,
    categoryKey: 1,
    center: { x, y: 40 },
    seats: drawRow('', 40, chairs).seats,
    ...more,
  };
}

/** An area of the second category. */
export function area(label: string, x: number, capacity: number) {
  return {
    uuid: label,
    label,
    capacity,
    categoryKey: 2,
    type: 'circle',
    center: { x, y: 100 },
    radius1: 30,
    radius2: 30,
    rotationAngle: 0,
  };
}

export function section(label: string, x: number, rows: object[], more: object = {}) {
  return { uuid: label, label, points: [], topLeft: { x, y: 0 }, subChart: { rows }, ...more };
}

export const bar = { uuid: 'bar', label: 'Bar', center: { x: 70, y: 60 }, categoryKey: 1 };

let halls = 0;

/** An event of its own on a hall of its own; answers with its key. */
export async function openHall(
  standin: Standin,
  drawing: object,
  params: Parameters<typeof eventParams>[0] = {},
): Promise<string> {
  const key = `hall-${(halls += 1)}`;
  expect(await uploadDrawing(standin, { key, drawing })).toBe(201);
  await standin.client.events.create(key, eventParams({ key, ...params }));
  return key;
}

export function best(number: number, more: Partial<BestAvailableParams> = {}): BestAvailableParams {
  return Object.assign(new BestAvailableParams().withNumber(number), more);
}
