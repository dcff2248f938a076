/** Small halls for tests of the chart: two zones with a lawn, and two floors. */

interface Category {
  label: string;
  color: string;
}

const point = ([x, y]: readonly [number, number]) => ({ x, y });

/** Seats in a row, 30 apart. */
function seatsOf(count: number, categoryKey: number, { x = 30, y = 30 } = {}) {
  return Array.from({ length: count }, (_, at) => ({
    label: String(at + 1),
    x: x + at * 30,
    y,
    categoryKey,
  }));
}

const listOf = (categories: readonly Category[]) => ({
  list: categories.map((category, at) => ({ key: at + 1, accessible: false, ...category })),
  maxCategoryKey: categories.length,
});

const redAndBlue = listOf([
  { label: 'Rossa', color: '#ff0000' },
  { label: 'Blu', color: '#0000ff' },
]);

/** Sections OVEST and EST, each a zone and a category with a row of four, and a lawn for fifty. */
export const zonedHall = {
  name: 'Zone',
  venueType: 'WITH_ZONES',
  categories: redAndBlue,
  zones: {
    list: [
      { key: 'ovest', label: 'Ovest', focalPoint: { x: 100, y: 0 } },
      { key: 'est', label: 'Est', focalPoint: { x: 400, y: 0 } },
    ],
  },
  subChart: {
    width: 600,
    height: 300,
    generalAdmissionAreas: [
      {
        label: 'Prato',
        capacity: 50,
        categoryKey: 2,
        type: 'circle',
        center: { x: 300, y: 250 },
        radius1: 60,
        radius2: 30,
        rotationAngle: 0,
      },
    ],
    sections: ['ovest', 'est'].map((zone, at) => ({
      label: zone.toUpperCase(),
      points: [
        [20, 20],
        [220, 20],
        [220, 120],
        [20, 120],
      ].map(([x, y]) => point([x! + at * 300, y!])),
      topLeft: { x: 20 + at * 300, y: 20 },
      categoryKey: 1,
      zone,
      subChart: { width: 200, height: 100, rows: [{ label: 'A', seats: seatsOf(4, at + 1) }] },
    })),
  },
};

/** Floors `terra` and `primo`, each with a section of one row of three in its own category. */
export const hallOfTwoFloors = {
  name: 'Piani',
  venueType: 'WITH_SECTIONS_AND_FLOORS',
  categories: redAndBlue,
  subChartFloors: ['terra', 'primo'].map((floor, at) => ({
    floorName: floor,
    floorDisplayName: `Piano ${floor}`,
    width: 300,
    height: 100,
    sections: [
      {
        label: `S${floor}`,
        categoryKey: at + 1,
        topLeft: { x: 0, y: 0 },
        points: [
          [0, 0],
          [300, 0],
          [300, 100],
          [0, 100],
        ].map(([x, y]) => point([x!, y!])),
        subChart: {
          width: 300,
          height: 100,
          rows: [{ label: 'A', seats: seatsOf(3, at + 1, { x: 60, y: 50 }) }],
        },
      },
    ],
  })),
};
