/** What a page may give to the chart: the embed contract of seats.io as far as a shop uses it. */
import type { SeatRule } from '#server/domain/seating.ts';
import type { ChartObject, TicketTypeJson } from './chart-object.ts';

export type Session = 'continue' | 'start' | 'manual' | 'none';

export interface TicketTypeConfig {
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

/** For a category (key or label) or for single objects: one price, or several ticket types. */
export interface PriceConfig {
  category?: string | number;
  objects?: string[];
  price?: number | string;
  originalPrice?: number | string;
  fee?: number;
  ticketTypes?: TicketTypeConfig[];
}

export interface PricingConfig {
  prices: PriceConfig[];
  priceFormatter?: (price: number) => string;
}

export type Limit =
  | number
  | { total?: number; ticketType?: string; category?: string | number; quantity?: number; ticketTypes?: { ticketType: string; quantity: number }[] }[];

/** An object named by its label, or with ticket type and number of places. */
export type ObjectChoice = string | { label: string; ticketType?: string; amount?: number };

type ObjectFunction<R> = (object: ChartObject, extra: unknown) => R;

export interface ChartCallbacks {
  onChartRendered?: (chart: unknown) => void;
  onChartRenderingFailed?: (chart: unknown) => void;
  onChartRerenderingStarted?: (chart: unknown) => void;
  onSessionInitialized?: (session: { token: string; holdToken: string; expiresAt: string; expiresInSeconds: number }) => void;
  onHoldTokenExpired?: () => void;
  onObjectClicked?: (object: ChartObject) => void;
  onObjectSelected?: (object: ChartObject, ticketType?: TicketTypeJson) => void;
  onObjectDeselected?: (object: ChartObject, ticketType?: TicketTypeJson) => void;
  onSelectedObjectUnavailable?: (object: ChartObject) => void;
  onSelectedObjectBooked?: (object: ChartObject) => void;
  onObjectStatusChanged?: (object: ChartObject) => void;
  onObjectMouseOver?: (object: ChartObject) => void;
  onObjectMouseOut?: (object: ChartObject) => void;
  onHoldSucceeded?: (objects: ChartObject[], ticketTypes: (TicketTypeJson | undefined)[]) => void;
  onHoldFailed?: (objects: ChartObject[], ticketTypes: (TicketTypeJson | undefined)[]) => void;
  onReleaseHoldSucceeded?: (objects: ChartObject[], ticketTypes: (TicketTypeJson | undefined)[]) => void;
  onReleaseHoldFailed?: (objects: ChartObject[], ticketTypes: (TicketTypeJson | undefined)[]) => void;
  onHoldCallsInProgress?: () => void;
  onHoldCallsComplete?: () => void;
  onSelectionValid?: () => void;
  onSelectionInvalid?: (violations: string[]) => void;
}

/** The part of the configuration that changeConfig() may replace while the chart stands. */
export interface ChangeableConfig {
  pricing?: PriceConfig[] | PricingConfig;
  availableCategories?: (string | number)[];
  unavailableCategories?: (string | number)[];
  filteredCategories?: (string | number)[];
  maxSelectedObjects?: Limit;
  extraConfig?: unknown;
  objectColor?: (object: ChartObject, color: string, extra: unknown) => string;
  objectLabel?: (object: ChartObject, label: string, extra: unknown) => string;
}

export interface ChartConfig extends ChartCallbacks, ChangeableConfig {
  container?: HTMLElement;
  divId?: string;
  workspaceKey?: string;
  event?: string;
  events?: string[];
  session?: Session;
  holdToken?: string;
  language?: string;
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
  legend?: { hidePricing?: boolean; hideCategoryName?: boolean; hideUnavailableLegendItem?: boolean; hideNonSelectableCategories?: boolean };
  showMinimap?: boolean;
  priceFormatter?: (price: number) => string;
  objectWithoutPricingSelectable?: boolean;
  objectWithoutCategorySelectable?: boolean;
  selectionValidators?: SeatRule[];
  selectedObjects?: ObjectChoice[];
  selectableObjects?: ObjectChoice[];
  isObjectVisible?: ObjectFunction<boolean>;
  isObjectSelectable?: ObjectFunction<boolean>;
  mode?: 'normal' | 'static' | 'print' | 'spotlight';
  loading?: string;
  selectedObjectsInputName?: string;
  holdTokenInputName?: string;
  onTicketTypePrompt?: (ask: { ticketTypes: TicketTypeConfig[]; objectToSelect: ChartObject }, confirm: (ticketType: string) => void) => void;
}

export type CallbackName = keyof ChartCallbacks;
/** Calls the page's callback of that name, if it has one, as it is configured at this moment. */
export type Emit = <N extends CallbackName>(name: N, ...values: Parameters<NonNullable<ChartCallbacks[N]>>) => void;
