/** The places of the stand-in's own charts, named as the office names them. */
import { lineName, partsInWhole, type PlaceKind } from '#server/domain/seat/seat-name.ts';
import { ownCharts } from '#server/standins/seatsio/chart/seeds.ts';
import { listObjects, type PlanObject } from '#server/standins/seatsio/plan/plan.ts';
import { readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';

const kinds: Record<string, PlaceKind> = {
  table: 'table',
  booth: 'booth',
  generalAdmission: 'area',
};
const modes = ['INHERIT', 'ALL_BY_TABLE', 'ALL_BY_SEAT'] as const;

export function chartedHalls() {
  return ownCharts().flatMap(({ key, text }) => {
    const drawing = readDrawing(JSON.parse(text));
    return modes.flatMap((mode) => {
      const objects = listObjects(drawing, { mode });
      const isTabled = objects.some(({ objectType }) => objectType === 'table');
      return isTabled || mode === 'INHERIT'
        ? [{ name: `${key} ${mode}`, places: objects.flatMap(placesOf) }]
        : [];
    });
  });
}

/** Tables and booths are sold whole here, and areas that are drawn so. */
function placesOf(object: PlanObject) {
  const { labels, parentDisplayedObjectType: word } = object;
  const { parent } = labels;
  const kind = kinds[object.objectType] ?? 'seat';
  const parts = {
    object: object.label,
    kind,
    section: labels.section ?? null,
    row: parent
      ? lineName(parent.type === 'table' ? 'table' : 'row', { word, label: parent.label })
      : null,
    seat: labels.own.label,
  };
  const isWhole = kind === 'table' || kind === 'booth' || (kind === 'area' && object.bookAsAWhole);
  if (!isWhole) return [{ ...parts, in_whole: false }];
  return [1, 2, 3].map((at) => ({ ...parts, ...partsInWhole(parts, at, 3), in_whole: true }));
}
