/** A hall of one row of nine, which therefore lies in the middle of the canvas; and the rows of what the chart server keeps. */

export function drawRow(): object {
  const seats = Array.from({ length: 9 }, (_, seat) => ({
    uuid: `seat-${seat}`,
    label: String(seat + 1),
    x: 400 + seat * 24,
    y: 300,
    categoryKey: 1,
  }));
  return {
    name: 'Sala',
    version: 1,
    venueType: 'SIMPLE',
    categories: {
      list: [{ key: 1, label: 'Platea', color: '#2f6fe0', accessible: false }],
      maxCategoryKey: 1,
    },
    subChart: {
      width: 1000,
      height: 600,
      focalPoint: null,
      rows: [{ uuid: 'A', label: 'A', chairSpacing: 24, seats }],
    },
  };
}

interface Row {
  label: string;
  seats: { x: number; y: number }[];
}

/** Of a drawing as the vendor's client gives it. */
export function rowsOf(drawing: unknown): Row[] {
  return (drawing as { subChart: { rows: Row[] } }).subChart.rows;
}
