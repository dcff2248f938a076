/** Draws rooms on one level: tables in the parterre, a church, a square. */
import type { SectionData } from '#server/drawing/model/data.ts';
import type { Raw } from '#server/drawing/model/open.ts';
import {
  drawBlock,
  drawChart,
  drawSection,
  drawStage,
  drawStanding,
  drawTable,
  withWheelchairs,
  type NewId,
} from './parts.ts';

export function makeCabaret(newId: NewId): Raw {
  const tables = Array.from({ length: 20 }, (_, index) => {
    const [column, line] = [index % 5, Math.floor(index / 5)];
    return drawTable(newId, `Tavolo ${index + 1}`, {
      center: { x: 140 + column * 150, y: 330 + line * 150 },
      chairs: 8,
      categoryKey: line === 0 ? 1 : 2,
    });
  });
  const booths = Array.from({ length: 4 }, (_, index) => ({
    uuid: newId(),
    label: `Séparé ${index + 1}`,
    categoryKey: 3,
    center: { x: 890, y: 330 + index * 150 },
    width: 90,
    height: 90,
    rotationAngle: 0,
  }));
  return drawChart('Parterre con tavoli', ['Tavoli davanti', 'Tavoli', 'Séparé'], {
    width: 1000,
    height: 900,
    focalPoint: { x: 440, y: 130 },
    tables,
    booths,
    shapes: [
      drawStage(newId, { x: 440, y: 130 }, { width: 420, height: 160 }),
      drawStage(
        newId,
        { x: 890, y: 130 },
        { width: 160, height: 120, label: 'Bar', isStage: false },
      ),
    ],
  });
}

export function makeChurch(newId: NewId): Raw {
  const pews = (label: string, x: number): SectionData => {
    const rows = drawBlock(newId, {
      at: { x, y: 300 },
      rows: 10,
      blocks: [6],
      depth: 40,
      first: '1',
      called: 'Banco',
    });
    return drawSection(newId, label, {
      categoryKey: 1,
      rows: withWheelchairs(rows),
      entrance: 'Portale',
    });
  };
  const chairs = (label: string, x: number): SectionData =>
    drawSection(newId, label, {
      categoryKey: 2,
      rows: drawBlock(newId, { at: { x, y: 380 }, rows: 6, blocks: [5], first: '1' }),
      entrance: 'Porta laterale',
    });
  return drawChart('Chiesa', ['Navata centrale', 'Navate laterali'], {
    width: 840,
    height: 760,
    focalPoint: { x: 420, y: 140 },
    sections: [
      pews('Banchi a sinistra', 420 - 95),
      pews('Banchi a destra', 420 + 95),
      chairs('Navata sinistra', 420 - 290),
      chairs('Navata destra', 420 + 290),
    ],
    shapes: [drawStage(newId, { x: 420, y: 140 }, { width: 260, height: 120, label: 'Altare' })],
  });
}

/** Loose chairs, at most ten joined in a row and ten rows in a group. */
export function makeSquare(newId: NewId): Raw {
  const group = (label: string, at: { x: number; y: number }, categoryKey: number): SectionData => {
    const rows = drawBlock(newId, { at, rows: 10, blocks: [10], first: '1' });
    return drawSection(newId, label, {
      categoryKey,
      rows: categoryKey === 1 ? withWheelchairs(rows) : rows,
      entrance: 'Varco unico',
    });
  };
  const columns = [200, 470, 740];
  return drawChart('Piazza', ['Primo settore', 'Secondo settore', 'In piedi'], {
    width: 940,
    height: 1400,
    focalPoint: { x: 470, y: 130 },
    sections: [
      ...columns.map((x, index) => group(`Settore ${index + 1}`, { x, y: 300 }, 1)),
      ...columns.map((x, index) => group(`Settore ${index + 4}`, { x, y: 730 }, 2)),
    ],
    generalAdmissionAreas: [
      drawStanding(newId, 'Posti in piedi', {
        center: { x: 470, y: 1250 },
        width: 820,
        height: 200,
        capacity: 500,
        categoryKey: 3,
      }),
    ],
    shapes: [drawStage(newId, { x: 470, y: 130 }, { width: 480, height: 180 })],
  });
}
