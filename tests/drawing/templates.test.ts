/** Each typical room can be put on sale as it is: nothing wrong in it, every place painted, its places counted. */
import { expect, test } from 'vitest';
import { checkDrawing } from '#server/drawing/check/check.ts';
import { readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { openDrawing, saveDrawing } from '#server/drawing/model/open.ts';
import { seatsOf } from '#server/drawing/model/selection.ts';
import { TEMPLATES } from '#server/drawing/templates/templates.ts';
import { countingIds } from './halls.ts';

const SEATS: Record<string, number> = {
  'teatro-italiana': 424,
  'black-box': 112,
  tavoli: 160,
  palasport: 1600,
  arena: 1296,
  chiesa: 180,
  cinema: 220,
  piazza: 600,
};

test.each(TEMPLATES.map((template) => [template.key, template] as const))(
  'the typical room %s is a chart that can be sold',
  (key, { make, name }) => {
    const raw = make(countingIds());
    expect(raw.name).toBe(name);
    // Keys of our own are known or not as the check says: they are no fault of the room.
    expect(checkDrawing(raw).filter(({ message }) => !/chiav[ei].*«x_/.test(message))).toEqual([]);
    expect(readDrawing(raw).floors).toHaveLength(1);
    const doc = openDrawing(raw);
    const seats = [...doc.items.values()].flatMap(seatsOf);
    expect(seats).toHaveLength(SEATS[key]!);
    const ids = seats.map(({ uuid }) => uuid);
    expect(new Set(ids).size).toBe(ids.length);
    expect(JSON.stringify(saveDrawing(doc))).toBe(JSON.stringify(raw));
  },
);
