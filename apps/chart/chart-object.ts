/** What a page sees of a place, a category and its prices: shapes of the embed contract of seats.io, importing nothing. */

export interface TicketTypeJson {
  ticketType: string | null;
  price: number | string;
  label: string;
  formattedPrice: string;
  description?: string;
  fee?: number;
  originalPrice?: number | string;
}

export interface PricingJson {
  price?: number | string;
  formattedPrice?: string;
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

export interface ChartObject {
  id: string;
  label: string;
  labels: { own: string; parent?: string; section?: string; displayedLabel: string };
  objectType: 'Seat' | 'GeneralAdmissionArea' | 'Table' | 'Booth';
  category?: CategoryJson;
  pricing: PricingJson | null;
  status: string;
  selected: boolean;
  selectedTicketType?: string;
  selectable: boolean;
  forSale: boolean;
  accessible: boolean;
  companionSeat: boolean;
  restrictedView: boolean;
  liftUpArmrests: boolean;
  hearingImpaired: boolean;
  semiAmbulatorySeat: boolean;
  signLanguageInterpretation: boolean;
  plusSize: boolean;
  entrance: string | null;
  zone?: string;
  center: { x: number; y: number };
  isOrphan: boolean;
  parent?: { type: 'row' | 'table' };
  capacity?: number;
  numFree?: number;
  numBooked?: number;
  numSelected?: number;
  selectionPerTicketType?: Record<string, number>;
  holds?: Record<string, Record<string, number>>;
  bookAsAWhole?: boolean;
  areaType?: 'generalAdmission' | 'fixedOccupancy';
  isInChannel: (channel: string) => boolean;
  select: (ticketType?: string) => Promise<void>;
  deselect: (ticketType?: string) => Promise<void>;
  pulse: () => Promise<void>;
  unpulse: () => Promise<void>;
}
