/** Draws rooms around a floor: a sports hall and an arena. */
import type { Point, RowData, SectionData } from '#server/drawing/model/data.ts';
import type { Raw } from '#server/drawing/model/open.ts';
import {
  DEPTH,
  PITCH,
  drawBlock,
  drawChart,
  drawRow,
  drawSection,
  drawStage,
  drawStanding,
  withWheelchairs,
  type NewId,
} from './parts.ts';
import { onCircle } from '#server/drawing/geometry/vector.ts';

interface Stand {
  at: Point;
  degrees: number;
  count: number;
  name: string;
  categoryKey: number;
}

/** Makes sections of ten rows with sixteen seats that face the floor. */
function makeStand(newId: NewId, { at, degrees, count, name, categoryKey }: Stand): SectionData[] {
  const angle = (degrees * Math.PI) / 180;
  const width = 15 * PITCH + 66;
  return Array.from({ length: count }, (_, index) => {
    const along = (index - (count - 1) / 2) * width;
    const rows = drawBlock(newId, {
      at: { x: at.x + along * Math.cos(angle), y: at.y + along * Math.sin(angle) },
      rows: 10,
      blocks: [16],
      degrees,
      first: '1',
    });
    return drawSection(newId, count === 1 ? name : `${name} ${'ABCDEF'[index]}`, {
      categoryKey,
      rows: index === 0 ? withWheelchairs(rows) : rows,
      entrance: `Varco ${name.toLowerCase()}`,
    });
  });
}

export function makeSportsHall(newId: NewId): Raw {
  const middle = { x: 1150, y: 900 };
  const [x, y] = [660, 420];
  return drawChart('Palasport', ['Parterre', 'Tribuna', 'Curva'], {
    width: 2300,
    height: 1800,
    focalPoint: middle,
    generalAdmissionAreas: [
      drawStanding(newId, 'Parterre in piedi', {
        center: { x: middle.x, y: middle.y + 230 },
        width: 1100,
        height: 260,
        capacity: 800,
        categoryKey: 1,
      }),
    ],
    sections: [
      {
        at: { x: middle.x, y: middle.y + y },
        degrees: 0,
        count: 3,
        name: 'Tribuna',
        categoryKey: 2,
      },
      {
        at: { x: middle.x, y: middle.y - y },
        degrees: 180,
        count: 3,
        name: 'Distinti',
        categoryKey: 2,
      },
      {
        at: { x: middle.x + x, y: middle.y },
        degrees: -90,
        count: 2,
        name: 'Curva nord',
        categoryKey: 3,
      },
      {
        at: { x: middle.x - x, y: middle.y },
        degrees: 90,
        count: 2,
        name: 'Curva sud',
        categoryKey: 3,
      },
    ].flatMap((stand) => makeStand(newId, stand)),
    shapes: [drawStage(newId, middle, { width: 560, height: 160, label: 'Campo' })],
  });
}

const WEDGES = 16;
const FIRST = 420;

/** Makes a sixteenth of the ring, with as many seats in each row as its arc has room for. */
function makeWedge(newId: NewId, centre: Point, index: number): SectionData {
  const middle = (360 / WEDGES) * (index + 0.5);
  const rows: RowData[] = Array.from({ length: 10 }, (_, line) => {
    const radius = FIRST + line * DEPTH;
    const arc = ((360 / WEDGES) * Math.PI * radius) / 180 - 60;
    const seats = Math.min(16, Math.floor(arc / PITCH) + 1);
    return drawRow(newId, String(line + 1), {
      spots: Array.from({ length: seats }, (_seat, place) =>
        onCircle(
          centre,
          radius,
          middle - (((place - (seats - 1) / 2) * PITCH) / radius) * (180 / Math.PI),
        ),
      ),
    });
  });
  return drawSection(newId, `Settore ${index + 1}`, {
    categoryKey: index === 0 || index === WEDGES - 1 || index === 7 || index === 8 ? 2 : 3,
    rows: index % 4 === 0 ? withWheelchairs(rows) : rows,
    entrance: `Varco ${Math.floor(index / 4) + 1}`,
  });
}

export function makeArena(newId: NewId): Raw {
  const centre = { x: 850, y: 850 };
  return drawChart('Arena', ['Platea in piedi', 'Gradinata centrale', 'Gradinata'], {
    width: 1700,
    height: 1700,
    focalPoint: { x: centre.x, y: centre.y - 200 },
    generalAdmissionAreas: [
      drawStanding(newId, 'Platea', {
        center: { x: centre.x, y: centre.y + 80 },
        width: 460,
        height: 340,
        capacity: 600,
        categoryKey: 1,
      }),
    ],
    sections: Array.from({ length: WEDGES }, (_, index) => makeWedge(newId, centre, index)),
    shapes: [drawStage(newId, { x: centre.x, y: centre.y - 220 }, { width: 320, height: 120 })],
  });
}
