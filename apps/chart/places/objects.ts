/**
 * The objects in a page's callbacks and methods: the current state of one place, with methods to
 * change it.
 */
import type {
  CategoryJson,
  ChairJson,
  ChartObject,
  LabelsJson,
  PricingJson,
  SectionJson,
  TicketTypeJson,
} from '#apps/chart/chart-object.ts';
import type { Offer, PriceList } from './pricing.ts';
import { cheapest } from './pricing.ts';
import type { Places } from './places.ts';
import type { Promised } from './promised.ts';
import { FREE, MINE } from './places.ts';
import {
  ACCESSIBLE,
  AREA,
  areaOf,
  BOOTH,
  boothOf,
  COMPANION,
  hasFlag,
  isWholeArea,
  placeCategory,
  placeLabel,
  placePoint,
  RESTRICTED,
  rowOf,
  type Scene,
  type SceneRow,
  SEAT,
  placesInOne,
  sectionOf,
  shownName,
  TABLE,
  wireCategoryOf,
} from '#apps/chart/scene/scene.ts';
import { flagWords, statusWords, translate, upper, words } from '#apps/chart/words.ts';

/** Everything that making these objects needs; the chart provides it. */
export interface ObjectSource {
  scene: Scene;
  places: Places;
  prices: () => PriceList;
  promised: Promised;
  /** The chosen places by ticket type ('' for none). */
  counts: (i: number) => ReadonlyMap<string, number>;
  holdToken: () => string;
  /** The keys of the chart's events. */
  events: readonly string[];
  /** False where the chart is read-only. */
  interactive: () => boolean;
  select: (i: number, ticketType?: string) => Promise<void>;
  deselect: (i: number, ticketType?: string) => Promise<void>;
  pulse: (i: number, on: boolean) => void;
}

const objectTypes = {
  [SEAT]: 'Seat',
  [BOOTH]: 'Booth',
  [AREA]: 'GeneralAdmissionArea',
  [TABLE]: 'Table',
} as const;

export function ticketTypeJson(offer: Offer): TicketTypeJson {
  const {
    ticketType,
    price,
    label,
    formatted,
    description,
    fee,
    originalPrice,
    formattedOriginal,
  } = offer;
  return {
    ticketType,
    price,
    label,
    formattedPrice: formatted,
    description,
    fee,
    originalPrice,
    formattedOriginalPrice: formattedOriginal,
  };
}

function pricingJson(offers: Offer[]): PricingJson | null {
  const [first] = offers;
  if (!first) return null;
  if (first.ticketType === null)
    return {
      price: first.price,
      formattedPrice: first.formatted,
      fee: first.fee,
      originalPrice: first.originalPrice,
    };
  return { ticketTypes: offers.map(ticketTypeJson) };
}

export function describeCategory(
  { scene, places, prices }: ObjectSource,
  category: number,
): CategoryJson | undefined {
  const wire = scene.chart.categories[category];
  return (
    wire && {
      ...wire,
      pricing: pricingJson(prices().ofCategory(category)),
      isFiltered: places.isFiltered(category),
      hasSelectableObjects: places.hasSelectable(category),
    }
  );
}

export function describeCategories(source: ObjectSource): CategoryJson[] {
  return source.scene.chart.categories.flatMap((_, at) => describeCategory(source, at) ?? []);
}

/**
 * The parts of `Platea, fila A, posto 12`: own label, row or table, section, each in its
 * displayed form.
 */
function labelParts(
  scene: Scene,
  i: number,
): { own: string; parent?: string; table: boolean; section?: string } {
  const section = sectionOf(scene, i);
  const row = scene.kind[i] === SEAT ? rowOf(scene, i) : undefined;
  return {
    own: shownName(scene, i),
    parent: row?.name,
    table: row?.table ?? false,
    section: section ? section.displayLabel || section.label : undefined,
  };
}

function labelsJson(scene: Scene, i: number): LabelsJson {
  const { own, parent, section } = labelParts(scene, i);
  return { own, parent, section, displayedLabel: [section, parent, own].filter(Boolean).join('-') };
}

/** The row, area or booth of the drawing that a place belongs to. */
function wireOf(scene: Scene, i: number): { floor?: number; displayObjectType?: string } {
  if (scene.kind[i] === AREA) return areaOf(scene, i);
  return scene.kind[i] === BOOTH ? boothOf(scene, i) : rowOf(scene, i).wire;
}

function centerOf(scene: Scene, i: number): { x: number; y: number } {
  const { x, y } = placePoint(scene, i);
  return { x: x / 10, y: y / 10 };
}

export function describeObject(source: ObjectSource, i: number): ChartObject {
  const { scene, places } = source;
  const label = placeLabel(scene, i);
  const status = places.statusOf(i);
  const has = (bit: number) => hasFlag(scene, i, bit);
  const counts = source.counts(i);
  const [type] = counts.keys();
  const section = sectionOf(scene, i);
  const wire = wireOf(scene, i);
  const object: ChartObject = {
    id: label,
    label,
    labels: labelsJson(scene, i),
    objectType: objectTypes[scene.kind[i] as keyof typeof objectTypes],
    displayObjectType: wire.displayObjectType,
    category: describeCategory(source, placeCategory(scene, i)),
    pricing: pricingJson(source.prices().offersAt(i)),
    status: status.status,
    selected: counts.size > 0,
    selectedTicketType: type || undefined,
    selectable: source.interactive() && (places.state[i] === FREE || places.state[i] === MINE),
    forSale: status.forSale !== false,
    inSelectableChannel: places.isInReach(i),
    accessible: has(ACCESSIBLE),
    companionSeat: has(COMPANION),
    restrictedView: has(RESTRICTED),
    liftUpArmrests: has(8),
    hearingImpaired: has(16),
    semiAmbulatorySeat: has(32),
    signLanguageInterpretation: has(64),
    plusSize: has(128),
    extraData: undefined,
    dataPerEvent: Object.fromEntries(
      source.events.map((key) => [key, { status: status.perEvent?.[key] ?? status.status }]),
    ),
    entrance: section?.entrance ?? null,
    section: section?.label,
    floor: scene.chart.floors?.[section?.floor ?? wire.floor ?? 0]?.name,
    zone: section?.zone,
    center: centerOf(scene, i),
    isOrphan: places.orphans.has(i),
    isInChannel: (channel) => status.channel === channel,
    select: (ticketType) => source.select(i, ticketType),
    deselect: (ticketType) => source.deselect(i, ticketType),
    pulse: async () => source.pulse(i, true),
    unpulse: async () => source.pulse(i, false),
  };
  if (scene.kind[i] === SEAT) object.parent = { type: rowOf(scene, i).table ? 'table' : 'row' };
  if (scene.kind[i] === AREA) describeArea(source, i, object);
  if (scene.kind[i] === TABLE) object.seats = describeChairs(scene, i);
  return object;
}

function describeChairs(scene: Scene, i: number): ChairJson[] {
  const row = rowOf(scene, i);
  return Array.from({ length: row.count }, (_, s): ChairJson => {
    const chair = row.first + s;
    const has = (bit: number) => hasFlag(scene, chair, bit);
    return {
      label: placeLabel(scene, chair),
      labels: labelsJson(scene, chair),
      center: centerOf(scene, chair),
      accessible: has(ACCESSIBLE),
      companionSeat: has(COMPANION),
      restrictedView: has(RESTRICTED),
      parent: { type: 'table' },
    };
  });
}

function describeArea(source: ObjectSource, i: number, object: ChartObject): void {
  const { scene, places } = source;
  const area = areaOf(scene, i);
  const counts = source.counts(i);
  const token = source.holdToken();
  object.capacity = area.capacity;
  object.bookAsAWhole = area.bookAsAWhole ?? false;
  object.labelShown = true;
  object.areaType = area.bookAsAWhole ? 'fixedOccupancy' : 'generalAdmission';
  object.numBooked = places.statusOf(i).numBooked ?? 0;
  object.numFree = places.freePlaces(i);
  object.numSelected = [...counts.values()].reduce((sum, count) => sum + count, 0);
  object.selectionPerTicketType = Object.fromEntries([...counts].filter(([type]) => type));
  object.holds =
    token && counts.size > 0
      ? {
          [token]: Object.fromEntries(
            [...counts].map(([type, count]) => [type || 'NO_TICKET_TYPE', count]),
          ),
        }
      : {};
}

/** A section in the form of `sectionColor` and zoomToSection(). */
export function describeSection(source: ObjectSource, at: number): SectionJson | undefined {
  const { scene, places } = source;
  const section = scene.chart.sections[at];
  const group = scene.groups.find((one) => one.section === at);
  if (!section || !group) return undefined;
  const seats = group.rows
    .flatMap((row) => Array.from({ length: row.count }, (_, s) => row.first + s))
    .filter((i) => scene.owner[i] === i);
  const inside = [...seats, ...group.others];
  const selectable = inside.filter((i) => places.state[i] === FREE || places.state[i] === MINE);
  const categories = new Set(selectable.map((i) => placeCategory(scene, i)));
  const [only] = new Set(inside.map((i) => placeCategory(scene, i)));
  const own = section.displayLabel || section.label;
  return {
    objectType: 'section',
    label: section.label,
    labels: { own, displayedLabel: own },
    floor: scene.chart.floors?.[section.floor ?? 0]?.name,
    zone: section.zone,
    entrance: section.entrance ?? null,
    numberOfSelectableObjects: selectable.length,
    numberOfSelectedObjects: inside.filter((i) => places.state[i] === MINE).length,
    selectableCategories: [...categories].flatMap(
      (category) => scene.chart.categories[category]?.key ?? [],
    ),
    isInteractive: source.interactive() && selectable.length > 0,
    sectionCategory: only === undefined ? undefined : describeCategory(source, only),
  };
}

/** `Platea, fila A, posto 12`: the place as a title. */
export function nameOf(scene: Scene, i: number): string {
  const section = sectionOf(scene, i);
  const where = translate(
    (section ? section.displayLabel || section.label : wireCategoryOf(scene, i)?.label) ?? '',
  );
  const short = shortNameOf(scene, i);
  const isSaid = scene.kind[i] === AREA || !where || upper(short).startsWith(where);
  return upper(isSaid ? short : `${where}, ${short}`);
}

/** The category, unless the section's name already says it. */
export function categoryBeside(scene: Scene, i: number): string {
  const category = wireCategoryOf(scene, i)?.label ?? '';
  const section = sectionOf(scene, i);
  return section && !(section.displayLabel || section.label).startsWith(category)
    ? translate(category)
    : '';
}

/** `fila A, posto 12`, where the section is clear. */
export function shortNameOf(scene: Scene, i: number): string {
  const { own, parent, table } = labelParts(scene, i);
  if (scene.kind[i] === AREA) return own;
  if (scene.kind[i] === BOOTH) return words.booth(own);
  const isChair = parent !== undefined && !table;
  const line = isChair ? rowName(rowOf(scene, i)) : words.table(parent ?? own);
  const name = line.charAt(0).toLowerCase() + line.slice(1);
  return parent === undefined ? name : `${name}, ${words.seat(own)}`;
}

/** `Fila A`, or with the drawing's own word for its rows: `Palco 3`. */
export function rowName(row: SceneRow): string {
  return row.table ? words.table(row.name) : words.row(row.name, row.wire.displayObjectType);
}

/** What one choice includes when it has many places: a table is sold with all its chairs. */
export function extentOf(scene: Scene, i: number): string {
  if (isWholeArea(scene, i)) return words.wholeArea(placesInOne(scene, i));
  return scene.kind[i] === TABLE ? words.wholeTable(placesInOne(scene, i)) : '';
}

/** `da 18,00 €`, `18,00 €` or empty. */
export function priceRange(offers: Offer[]): string {
  const low = cheapest(offers);
  if (!low) return '';
  return low.only ? low.offer.formatted : words.from(low.offer.formatted);
}

export function statusWord(places: Places, i: number): string {
  const state = places.state[i];
  if (state === MINE) return statusWords.mine;
  if (state === FREE) return statusWords.free;
  return places.freePlaces(i) === 0 ? statusWords.taken : statusWords.closed;
}

export function flagsOf(scene: Scene, i: number): string[] {
  return flagWords.filter((_, bit) => hasFlag(scene, i, 1 << bit));
}
