/**
 * The options a page may give to the chart: seats.io's embed contract, option by option
 * (seatsio-types 6.25), with the older names still in use. A function may also come as its text.
 */
import type { SeatRule } from '#server/domain/seat/seating.ts';
import type { CategoryJson, ChartObject, SectionJson, TicketTypeJson } from './chart-object.ts';

/**
 * `start`: a new token at every render; `continue`: this tab's token, if it is still valid;
 * `manual`: the page's own `holdToken`.
 */
type Session = 'continue' | 'start' | 'manual' | 'none';

/** A category's key or label. */
export type CategoryName = string | number;

interface TicketTypeConfig {
  ticketType: string;
  price: number | string;
  originalPrice?: number | string;
  fee?: number;
  label?: string;
  description?: string;
  primary?: boolean;
  unavailable?: boolean;
  unavailableReason?: string;
}

interface Priced {
  price?: number | string;
  originalPrice?: number | string;
  fee?: number;
  ticketTypes?: TicketTypeConfig[];
}

/**
 * For a category (key or label) or for single objects: one price, or several ticket types; each
 * of the `channels` may have its own prices.
 */
export interface PriceConfig extends Priced {
  category?: CategoryName;
  objects?: string[];
  channels?: (Priced & { channel: string })[];
}

/** A text of the page, at once or later. */
type Text = string | Promise<string>;

interface PricingConfig {
  prices: PriceConfig[];
  priceFormatter?: (price: number) => Text;
  allFeesIncluded?: boolean;
  showSectionPricingOverlay?: boolean;
}

/**
 * How many places may be chosen: in total, of a ticket type, of a category, of a ticket type
 * within a category.
 */
export type Limit = number | LimitRule[];
export interface LimitRule {
  total?: number;
  ticketType?: string;
  category?: CategoryName;
  quantity?: number;
  ticketTypes?: { ticketType: string; quantity: number }[];
}

/** An object by its label, or with ticket type and number of places. */
export type ObjectChoice = string | { label: string; ticketType?: string; amount?: number };

/** Either `number`, or the number of each ticket type. */
export interface BestAvailableConfig {
  number?: number;
  ticketTypes?: Record<string, number>;
  categories?: CategoryName[];
  zone?: string;
  sections?: string[];
  accessibleSeats?: number;
  /** An option of ours: `number` counts people who need one table that is sold as a whole. */
  people?: boolean;
}

/**
 * An option of older pages: the chart chooses these seats after it is drawn, and drops the
 * present choice unless `clearSelection` is false.
 */
export interface SelectBestAvailable extends BestAvailableConfig {
  category?: CategoryName | CategoryName[];
  clearSelection?: boolean;
}

type ObjectFunction<R> = (object: ChartObject, extra: unknown) => R;

/** What the card of a place shows, and when a choice needs a confirmation. */
interface PopoverConfig {
  showAvailability?: boolean;
  showCategory?: boolean;
  showLabel?: boolean;
  showPricing?: boolean;
  showUnavailableNotice?: boolean;
  stylizedLabel?: boolean;
  confirmSelection?: 'auto' | 'always' | 'touch' | 'never';
  confirmTicketTypeSelection?: boolean;
}

interface CategoryFilterConfig {
  enabled?: boolean;
  multiSelect?: boolean;
  zoomOnSelect?: boolean;
  sortBy?: 'none' | 'name' | 'price' | 'priceDescending';
}

interface FloorJson {
  name: string;
  categories: CategoryJson[];
}

interface SessionJson {
  token: string;
  /** The same as `token`, for pages written for the chart of 2021. */
  holdToken: string;
  expiresAt: string;
  expiresInSeconds: number;
}

type HoldCallback = (objects: ChartObject[], ticketTypes: (TicketTypeJson | undefined)[]) => void;

interface ChartCallbacks {
  onChartRendered?: (chart: unknown) => void;
  onChartRenderingFailed?: (chart: unknown) => void;
  onChartRerenderingStarted?: (chart: unknown) => void;
  onSessionInitialized?: (session: SessionJson) => void;
  onHoldTokenExpired?: () => void;
  /** Called for every pressed object, even if it cannot be chosen. */
  onObjectClicked?: (object: ChartObject) => void;
  onObjectSelected?: (object: ChartObject, ticketType?: TicketTypeJson) => void;
  onObjectDeselected?: (object: ChartObject, ticketType?: TicketTypeJson) => void;
  onSelectedObjectUnavailable?: (object: ChartObject) => void;
  onSelectedObjectBooked?: (object: ChartObject) => void;
  onObjectStatusChanged?: (object: ChartObject) => void;
  onObjectMouseOver?: (object: ChartObject) => void;
  onObjectMouseOut?: (object: ChartObject) => void;
  onHoldSucceeded?: HoldCallback;
  onHoldFailed?: HoldCallback;
  onReleaseHoldSucceeded?: HoldCallback;
  onReleaseHoldFailed?: HoldCallback;
  onHoldCallsInProgress?: () => void;
  onHoldCallsComplete?: () => void;
  onSelectionValid?: () => void;
  onSelectionInvalid?: (violations: string[]) => void;
  onFilteredCategoriesChanged?: (categories: CategoryJson[]) => void;
  /** Undefined means the view of all floors. */
  onFloorChanged?: (floor?: FloorJson) => void;
  onFullScreenOpened?: () => void;
  onFullScreenClosed?: () => void;
  onBestAvailableSelected?: (objects: ChartObject[], nextToEachOther?: boolean) => void;
  onBestAvailableSelectionFailed?: () => void;
}

interface PlacesPrompt {
  selectedPlaces: number;
  minPlaces: number;
  maxPlaces: number;
  objectToSelect: ChartObject;
}
export interface TicketTypePrompt {
  ticketTypes: TicketTypeJson[];
  objectToSelect: ChartObject;
}
export interface PlacesWithTicketTypesPrompt {
  ticketTypes: TicketTypeJson[];
  selectedPlacesByTicketType: Record<string, number>;
  minPlaces: number;
  maxPlaces: number;
  objectsToSelect: ChartObject[];
}

/** A page's own dialogs in place of ours; a dialog that is never confirmed chooses nothing. */
interface PromptCallbacks {
  onPlacesPrompt?: (ask: PlacesPrompt, confirm: (places: number) => void) => void;
  onTicketTypePrompt?: (ask: TicketTypePrompt, confirm: (ticketType: string) => void) => void;
  /** Confirmed with numbers per ticket type, or with one ticket type for each object. */
  onPlacesWithTicketTypesPrompt?: (
    ask: PlacesWithTicketTypesPrompt,
    confirm: (places: Record<string, number> | string[]) => void,
  ) => void;
}

/** The options that changeConfig() may replace on a rendered chart. */
export interface ChangeableConfig {
  pricing?: PriceConfig[] | PricingConfig | null;
  availableCategories?: CategoryName[] | null;
  unavailableCategories?: CategoryName[] | null;
  filteredCategories?: CategoryName[] | null;
  maxSelectedObjects?: Limit | null;
  numberOfPlacesToSelect?: number | null;
  channels?: string[] | null;
  extraConfig?: unknown;
  objectColor?: ((object: ChartObject, color: string, extra: unknown) => string) | null;
  objectLabel?: ((object: ChartObject, label: string, extra: unknown) => string) | null;
}

export interface ChartConfig extends ChartCallbacks, PromptCallbacks, ChangeableConfig {
  container?: HTMLElement;
  divId?: string;
  workspaceKey?: string;
  event?: string;
  /** A group of events on one chart: a place taken in one of them is taken. */
  events?: string[];
  session?: Session;
  holdToken?: string;
  /** False chooses places of standing areas without a hold. */
  holdOnSelectForGAs?: boolean;
  language?: string;
  /** Replacements for sentences and for texts of the drawing. */
  messages?: Record<string, string>;
  objectPopover?: PopoverConfig;
  /** Called for sections in the far view too. */
  tooltipInfo?: (object: ChartObject | SectionJson, extra: unknown) => Text;
  popoverInfo?: (object: ChartObject | SectionJson, extra: unknown) => Text;
  categoryFilter?: CategoryFilterConfig;
  style?: { font?: string; cornerRadius?: 'round' | 'square'; buttonShape?: 'round' | 'square' };
  colorScheme?: 'light' | 'dark';
  colors?: {
    colorSelected?: string;
    selectedObjectColor?: string;
    colorTitle?: string;
    cursorTooltipBackgroundColor?: string;
    availableObjectColor?: string;
    errorColor?: string;
  };
  showLegend?: boolean;
  legend?: {
    hidePricing?: boolean;
    hideCategoryName?: boolean;
    hideUnavailableLegendItem?: boolean;
    hideNonSelectableCategories?: boolean;
  };
  showMinimap?: boolean;
  showSectionContents?: 'auto' | 'always' | 'onlyAfterZoom';
  showSectionPricingOverlay?: boolean;
  hideSectionsNotForSale?: boolean;
  showSeatLabels?: boolean;
  showFullScreenButton?: boolean;
  showAccessibilityFilter?: boolean;
  showZoomOutButtonOnMobile?: boolean;
  /** The name of the floor on which the chart opens. */
  activeFloor?: string;
  showFloorElevator?: boolean;
  lockActiveFloor?: boolean;
  inputDevice?: 'cursor' | 'touch' | 'auto';
  fitTo?: 'widthAndHeight' | 'width';
  multiSelectEnabled?: boolean;
  priceFormatter?: (price: number) => Text;
  objectWithoutPricingSelectable?: boolean;
  objectWithoutCategorySelectable?: boolean;
  selectionValidators?: SeatRule[];
  selectedObjects?: ObjectChoice[];
  /** Objects that may be chosen although they are not free. */
  selectableObjects?: ObjectChoice[];
  /** For the back office: all taken objects may be chosen. */
  unavailableObjectsSelectable?: boolean;
  selectBestAvailable?: SelectBestAvailable;
  isObjectVisible?: ObjectFunction<boolean>;
  isObjectSelectable?: ObjectFunction<boolean>;
  objectIcon?: (object: ChartObject, icon: string | null, extra: unknown) => string | null;
  sectionColor?: (section: SectionJson, color: string, extra: unknown) => string;
  /**
   * static: read-only; print: read-only and shown whole; spotlight: only `selectedObjects` are
   * highlighted.
   */
  mode?: 'normal' | 'static' | 'print' | 'spotlight';
  /** The page's own markup, shown while the chart loads. */
  loading?: string;
  selectedObjectsInputName?: string;
  holdTokenInputName?: string;
  ticketBuyerId?: string;
}

type CallbackName = keyof ChartCallbacks;
/** Calls the page's current callback of that name, if it has one. */
export type Emit = <N extends CallbackName>(
  name: N,
  ...values: Parameters<NonNullable<ChartCallbacks[N]>>
) => void;
