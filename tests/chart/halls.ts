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

/** A ring hall: stalls, and tiers of boxes around them, `turn` degrees of a circle, one further out than the other. */
export function ringHall({
  tiers,
  boxes,
  chairs,
  turn,
}: {
  tiers: number;
  boxes: number;
  chairs: number;
  turn: number;
}) {
  const centre = { x: 700, y: 700 };
  const on = (radius: number, degrees: number) => ({
    x: centre.x + radius * Math.sin((degrees * Math.PI) / 180),
    y: centre.y + radius * Math.cos((degrees * Math.PI) / 180),
  });
  const stalls = Array.from({ length: 12 }, (_, row) => ({
    label: String.fromCharCode(65 + row),
    seats: seatsOf(14, 1, { x: 100, y: 60 + row * 32 }),
  }));
  const tier = (at: number) => {
    const radius = 330 + at * 70;
    const edge = (by: number) =>
      Array.from({ length: 41 }, (_, n) => on(radius + by, -turn / 2 + (turn * n) / 40));
    const points = [...edge(-32), ...edge(32).toReversed()];
    return {
      label: `Palchi ${'I'.repeat(at + 1)} ordine`,
      points,
      topLeft: { x: 0, y: 0 },
      categoryKey: 2,
      subChart: {
        width: 1400,
        height: 1400,
        rows: Array.from({ length: boxes }, (_, box) => {
          const degrees = -turn / 2 + (turn * (box + 0.5)) / boxes;
          return {
            label: String(box + 1),
            displayObjectType: 'Palco',
            seats: Array.from({ length: chairs }, (_, chair) => ({
              label: String(chair + 1),
              ...on(
                radius + (chair < chairs / 2 ? -12 : 12),
                degrees +
                  ((chair % Math.ceil(chairs / 2)) - Math.ceil(chairs / 2) / 2 + 0.5) *
                    (1_400 / radius),
              ),
            })),
          };
        }),
      },
    };
  };
  return {
    name: 'Anello',
    venueType: 'WITH_SECTIONS_AND_FLOORS',
    categories: redAndBlue,
    subChart: {
      width: 1400,
      height: 1400,
      sections: [
        {
          label: 'Platea',
          points: [
            { x: 440, y: 500 },
            { x: 960, y: 500 },
            { x: 960, y: 960 },
            { x: 440, y: 960 },
          ],
          topLeft: { x: 405, y: 480 },
          categoryKey: 1,
          subChart: { width: 520, height: 460, rows: stalls },
        },
        ...Array.from({ length: tiers }, (_, at) => tier(at)),
      ],
    },
  };
}
