/** The objects that a page meets in callbacks and methods: a picture of one place at this moment, with the verbs to change it. */
import type { CategoryJson, ChartObject, PricingJson, TicketTypeJson } from './chart-object.ts';
import type { Offer, PriceList } from './pricing.ts';
import { cheapest } from './pricing.ts';
import type { Places } from './places.ts';
import { FREE, MINE } from './places.ts';
import { ACCESSIBLE, AREA, BOOTH, COMPANION, RESTRICTED, type Scene, type SceneRow, SEAT, TABLE } from './scene.ts';
import { flagWords, statusWords, words } from './words.ts';

/** What the object factory needs to know; the chart that owns it fills it in. */
export interface ObjectSource {
  scene: Scene;
  places: Places;
  prices: () => PriceList;
  /** Places chosen by ticket type ('' when there is none). */
  counts: (i: number) => ReadonlyMap<string, number>;
  holdToken: () => string;
  select: (i: number, ticketType?: string) => Promise<void>;
  deselect: (i: number, ticketType?: string) => Promise<void>;
}

const objectTypes = { [SEAT]: 'Seat', [BOOTH]: 'Booth', [AREA]: 'GeneralAdmissionArea', [TABLE]: 'Table' } as const;

export function ticketTypeJson(offer: Offer | undefined): TicketTypeJson | undefined {
  if (!offer) return undefined;
  return {
    ticketType: offer.ticketType, price: offer.price, label: offer.label, formattedPrice: offer.formatted, description: offer.description,
    fee: offer.fee, originalPrice: offer.originalPrice,
  };
}

function pricingJson(offers: Offer[]): PricingJson | null {
  const [first] = offers;
  if (!first) return null;
  if (first.ticketType === null) return { price: first.price, formattedPrice: first.formatted };
  return { ticketTypes: offers.map((offer) => ticketTypeJson(offer)!) };
}

export function describeCategory(source: ObjectSource, category: number): CategoryJson | undefined {
  const wire = source.scene.chart.categories[category];
  if (!wire) return undefined;
  const { scene, places } = source;
  let first = -1;
  let selectable = false;
  for (let i = 0; i < scene.size && !selectable; i++) {
    if (scene.category[i] !== category) continue;
    if (first < 0) first = i;
    selectable = places.state[i] === FREE || places.state[i] === MINE;
  }
  return { ...wire, pricing: pricingJson(source.prices().ofCategory(category)), isFiltered: first >= 0 && !places.isDim(first), hasSelectableObjects: selectable };
}

/** `Platea, fila A, posto 12` as labels: own part, row or table, section, each as it is displayed. */
function labelParts(scene: Scene, i: number): { own: string; parent?: string; table: boolean; section?: string } {
  const section = scene.chart.sections[scene.section[i]!];
  const row = scene.kind[i] === SEAT ? scene.rows[scene.parent[i]!] : undefined;
  return { own: scene.names[i]!, parent: row?.name, table: row?.table ?? false, section: section ? section.displayLabel || section.label : undefined };
}

export function describeObject(source: ObjectSource, i: number): ChartObject {
  const { scene, places } = source;
  const label = scene.labels[i]!;
  const status = places.statusOf(i);
  const { own, parent, section } = labelParts(scene, i);
  const flags = scene.flags[i]!;
  const has = (bit: number) => (flags & bit) > 0;
  const counts = source.counts(i);
  const chosen = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [type] = counts.keys();
  const wireSection = scene.chart.sections[scene.section[i]!];
  const object: ChartObject = {
    id: label, label,
    labels: { own, parent, section, displayedLabel: [section, parent, own].filter(Boolean).join('-') },
    objectType: objectTypes[scene.kind[i] as keyof typeof objectTypes],
    pricing: pricingJson(source.prices().offersOf(label, scene.category[i]!)),
    status: chosen > 0 && status.status === 'free' ? 'free' : status.status,
    selected: chosen > 0,
    selectedTicketType: chosen > 0 && type ? type : undefined,
    selectable: places.state[i] === FREE || places.state[i] === MINE,
    forSale: status.forSale !== false,
    accessible: has(ACCESSIBLE), companionSeat: has(COMPANION), restrictedView: has(RESTRICTED),
    liftUpArmrests: has(8), hearingImpaired: has(16), semiAmbulatorySeat: has(32), signLanguageInterpretation: has(64), plusSize: has(128),
    entrance: wireSection?.entrance ?? null,
    zone: wireSection?.zone,
    center: { x: scene.x[i]! / 10, y: scene.y[i]! / 10 },
    isOrphan: places.orphans.has(i),
    isInChannel: () => false,
    select: (ticketType) => source.select(i, ticketType),
    deselect: (ticketType) => source.deselect(i, ticketType),
    pulse: async () => {},
    unpulse: async () => {},
  };
  const category = describeLightly(source, scene.category[i]!);
  if (category) object.category = category;
  if (scene.kind[i] === SEAT) object.parent = { type: scene.rows[scene.parent[i]!]!.table ? 'table' : 'row' };
  if (scene.kind[i] === AREA) describeArea(source, i, object);
  return object;
}

/** The category of an object; only listCategories() looks through all places for selectable ones. */
function describeLightly(source: ObjectSource, category: number): CategoryJson | undefined {
  const wire = source.scene.chart.categories[category];
  return wire && { ...wire, pricing: pricingJson(source.prices().ofCategory(category)), isFiltered: false, hasSelectableObjects: true };
}

function describeArea(source: ObjectSource, i: number, object: ChartObject): void {
  const area = source.scene.chart.areas[source.scene.parent[i]!]!;
  const counts = Object.fromEntries(source.counts(i));
  object.capacity = area.capacity;
  object.numFree = source.places.freePlaces(i);
  object.numBooked = source.places.statusOf(i).numBooked ?? 0;
  object.numSelected = Object.values(counts).reduce((sum, count) => sum + count, 0);
  object.selectionPerTicketType = counts;
  object.holds = object.numSelected > 0 && source.holdToken() ? { [source.holdToken()]: Object.fromEntries(Object.entries(counts).map(([type, count]) => [type || 'NO_TICKET_TYPE', count])) } : {};
  object.bookAsAWhole = area.bookAsAWhole === true;
  object.areaType = area.bookAsAWhole ? 'fixedOccupancy' : 'generalAdmission';
}

/** `Platea, fila A, posto 12`: the place as a title. */
export function nameOf(scene: Scene, i: number): string {
  const section = scene.chart.sections[scene.section[i]!];
  const where = section ? section.displayLabel || section.label : scene.chart.categories[scene.category[i]!]?.label;
  const name = scene.kind[i] === AREA || scene.kind[i] === BOOTH || !where ? shortNameOf(scene, i) : `${where}, ${shortNameOf(scene, i)}`;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The category where the section's name does not already say it. */
export function categoryBeside(scene: Scene, i: number): string {
  const category = scene.chart.categories[scene.category[i]!]?.label ?? '';
  const section = scene.chart.sections[scene.section[i]!];
  return section && !(section.displayLabel || section.label).startsWith(category) ? category : '';
}

/** `fila A, posto 12`: where the section goes without saying. */
export function shortNameOf(scene: Scene, i: number): string {
  const { own, parent, table } = labelParts(scene, i);
  if (scene.kind[i] === AREA || scene.kind[i] === BOOTH) return own;
  const line = parent === undefined ? words.table(own) : table ? words.table(parent) : rowName(scene, scene.rows[scene.parent[i]!]!);
  const name = line.charAt(0).toLowerCase() + line.slice(1);
  return parent === undefined ? name : `${name}, ${words.seat(own)}`;
}

/** `Fila A`, or what the drawing calls its rows: `Palco 3`. */
export function rowName(scene: Scene, row: SceneRow): string {
  return row.table ? words.table(row.name) : words.row(row.name, scene.chart.rows[row.wire]!.displayObjectType);
}

/** `da 18,00 €`, `18,00 €` or nothing. */
export function priceRange(offers: Offer[]): string {
  const low = cheapest(offers);
  if (!low) return '';
  return low.only ? low.offer.formatted : words.from(low.offer.formatted);
}

export function statusWord(places: Places, i: number): string {
  const state = places.state[i];
  return state === MINE ? statusWords.mine : state === FREE ? statusWords.free : places.freePlaces(i) === 0 ? statusWords.taken : statusWords.closed;
}

export function flagsOf(scene: Scene, i: number): string[] {
  return flagWords.filter((_, bit) => (scene.flags[i]! & (1 << bit)) > 0);
}
