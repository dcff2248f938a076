/**
 * What a page sees of a place, a section, a category and its prices: types of seats.io's embed
 * contract, without imports.
 */

export interface TicketTypeJson {
  /** Null where the page gave a plain price. */
  ticketType: string | null;
  price: number | string;
  label: string;
  formattedPrice: string;
  description?: string;
  fee?: number;
  originalPrice?: number | string;
  formattedOriginalPrice?: string;
}

export interface PricingJson {
  price?: number | string;
  formattedPrice?: string;
  fee?: number;
  originalPrice?: number | string;
  ticketTypes?: TicketTypeJson[];
}

export interface CategoryJson {
  key: string;
  label: string;
  color: string;
  accessible: boolean;
  pricing: PricingJson | null;
  isFiltered: boolean;
  hasSelectableObjects: boolean;
}

export interface ZoneJson {
  key: string;
  label: string | null;
}

export interface LabelsJson {
  own: string;
  parent?: string;
  section?: string;
  displayedLabel: string;
}

export interface SectionJson {
  objectType: 'section';
  label: string;
  labels: LabelsJson;
  floor?: string;
  zone?: string;
  entrance: string | null;
  numberOfSelectableObjects: number;
  numberOfSelectedObjects: number;
  selectableCategories: string[];
  isInteractive: boolean;
  sectionCategory?: CategoryJson;
}

/** A chair of a table that is sold as a whole. */
export interface ChairJson {
  label: string;
  labels: LabelsJson;
  center: { x: number; y: number };
  accessible: boolean;
  companionSeat: boolean;
  restrictedView: boolean;
  parent: { type: 'table' };
}

export interface ChartObject {
  id: string;
  label: string;
  labels: LabelsJson;
  objectType: 'Seat' | 'GeneralAdmissionArea' | 'Table' | 'Booth';
  displayObjectType?: string;
  category?: CategoryJson;
  pricing: PricingJson | null;
  /** `free`, `booked`, `reservedByToken`, `resale`, or a status of the shop's own. */
  status: string;
  selected: boolean;
  selectedTicketType?: string;
  selectable: boolean;
  forSale: boolean;
  inSelectableChannel: boolean;
  accessible: boolean;
  companionSeat: boolean;
  restrictedView: boolean;
  liftUpArmrests: boolean;
  hearingImpaired: boolean;
  semiAmbulatorySeat: boolean;
  signLanguageInterpretation: boolean;
  plusSize: boolean;
  /** Never sent to browsers, so that nothing personal can leak. */
  extraData: undefined;
  dataPerEvent: Record<string, { status: string }>;
  entrance: string | null;
  section?: string;
  floor?: string;
  zone?: string;
  /** In units of the drawing. */
  center: { x: number; y: number };
  isOrphan: boolean;
  parent?: { type: 'row' | 'table' };
  seats?: ChairJson[];
  capacity?: number;
  numFree?: number;
  numBooked?: number;
  numSelected?: number;
  selectionPerTicketType?: Record<string, number>;
  /** Numbers by hold token; only the visitor's own token is known. */
  holds?: Record<string, Record<string, number>>;
  bookAsAWhole?: boolean;
  labelShown?: boolean;
  areaType?: 'generalAdmission' | 'fixedOccupancy';
  /** True only for a channel that this page named. */
  isInChannel: (channel: string) => boolean;
  /** Rejected when the object is not available. */
  select: (ticketType?: string) => Promise<void>;
  deselect: (ticketType?: string) => Promise<void>;
  /** For seats only; other objects do not pulse. */
  pulse: () => Promise<void>;
  unpulse: () => Promise<void>;
}
