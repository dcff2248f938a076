/** The list report for a spreadsheet: one line for each object, one column for each property. */
import { stringify } from 'csv-stringify/sync';
import type { ObjectInfo } from '#server/standins/seatsio/status/object-info.ts';

const PIECE = 250;

type Cell = string | number | boolean | undefined;
/** Areas, seats and tables have further properties of their own. */
type Described = ObjectInfo & Partial<Record<string, unknown>>;

const COLUMNS: Record<string, (info: Described) => Cell> = {
  label: (info) => info.label,
  displayedLabel: (info) => info.displayedLabel,
  objectType: (info) => info.objectType,
  status: (info) => info.status,
  section: (info) => info.labels.section,
  parent: (info) => info.labels.parent?.label,
  own: (info) => info.labels.own.label,
  floor: (info) => info.floor?.displayName,
  orderId: (info) => info.orderId,
  extraData: (info) => (info.extraData === undefined ? undefined : JSON.stringify(info.extraData)),
  holds: (info) => (info.holds === undefined ? undefined : JSON.stringify(info.holds)),
};
const PLAIN = [
  'categoryKey',
  'categoryLabel',
  'ticketType',
  'holdToken',
  'channel',
  'forSale',
  'isAvailable',
  'availabilityReason',
  'zone',
  'entrance',
  'leftNeighbour',
  'rightNeighbour',
  'distanceToFocalPoint',
  'seasonStatusOverriddenQuantity',
  'resaleListingId',
  'isAccessible',
  'isCompanionSeat',
  'hasRestrictedView',
  'hasLiftUpArmrests',
  'isHearingImpaired',
  'isSemiAmbulatorySeat',
  'hasSignLanguageInterpretation',
  'isPlusSize',
  'capacity',
  'numBooked',
  'numFree',
  'numHeld',
  'numNotForSale',
  'numSeats',
  'bookAsAWhole',
  'variableOccupancy',
  'minOccupancy',
  'maxOccupancy',
  'areaType',
  'tableType',
] as const;

function lineOf(info: Described): Cell[] {
  return [
    ...Object.values(COLUMNS).map((cell) => cell(info)),
    ...PLAIN.map((name) => info[name] as Cell),
  ];
}

/** Formulas are escaped, because buyers typed some of the texts. */
function write(lines: Cell[][]): string {
  return stringify(lines, { escape_formulas: true, cast: { boolean: String } });
}

/** Yields the header first, then a few hundred lines at a time. */
export function* writeCsv<T>(items: T[], describe: (item: T) => ObjectInfo): Generator<string> {
  yield write([[...Object.keys(COLUMNS), ...PLAIN]]);
  for (let start = 0; start < items.length; start += PIECE)
    yield write(items.slice(start, start + PIECE).map((item) => lineOf(describe(item))));
}
