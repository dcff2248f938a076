/** A hall that a bench draws for itself: rows of a hundred seats without sections, of one category. */
const seatsInRow = 100;

/** The nth seat of the hall: `R7-42`. */
export function seatLabel(index: number): string {
  return `R${Math.floor(index / seatsInRow)}-${index % seatsInRow}`;
}

function drawRow(row: number) {
  return {
    uuid: `r${row}`,
    label: `R${row}`,
    seats: Array.from({ length: seatsInRow }, (_, seat) => ({
      uuid: `s${row}-${seat}`,
      label: String(seat),
      x: seat * 20,
      y: 50 + row * 20,
      categoryKey: 1,
    })),
  };
}

/** In whole rows. */
export function drawHall(seats: number) {
  const rows = Math.ceil(seats / seatsInRow);
  return {
    name: 'Bench',
    version: 1,
    venueType: 'SIMPLE',
    categories: {
      list: [{ key: 1, label: 'Platea', color: '#225588', accessible: false }],
      maxCategoryKey: 1,
    },
    subChart: {
      width: 2_000,
      height: Math.max(4_000, 100 + rows * 20),
      focalPoint: { x: 1_000, y: 0 },
      rows: Array.from({ length: rows }, (_, row) => drawRow(row)),
    },
  };
}
