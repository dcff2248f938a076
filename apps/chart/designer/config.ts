/**
 * The options a page may give to the designer: seats.io's embed contract (seatsio-types 6.25),
 * and our own.
 */

/** Parts of the designer that a page may switch off or make read-only. */
export type Feature =
  | 'tables.bookAsAWhole'
  | 'areas'
  | 'backgroundImage'
  | 'booths'
  | 'categoryList'
  | 'contextActions'
  | 'firstTimeTutorial'
  | 'focalPoint'
  | 'icons'
  | 'images'
  | 'labeling'
  | 'nodes'
  | 'objectProperties'
  | 'publishedSectionLabel'
  | 'publishing'
  | 'referenceChart'
  | 'rows'
  | 'sections'
  | 'shapes'
  | 'tables'
  | 'texts'
  | 'viewFromYourSeat';
type ReadOnlyFeature = 'chartName' | 'categoryList' | 'categoryKeys';

/** An evening on sale. `prices`: in cents, by the key or the name of a category. */
export interface Evening {
  title: string;
  /** As a person reads it: «ven 12 dic 2026, 20:30». */
  when: string;
  href: string;
  prices: readonly { category: string; cents: readonly number[] }[];
}

/** Callbacks are read at the moment of the call, because a page may replace them. */
export interface DesignerConfig {
  container?: HTMLElement | null;
  divId?: string;
  /** In our office a token for this one chart; must not be used on a public page. */
  secretKey?: string;
  /** If left out, a new chart is made with the first save. */
  chartKey?: string;
  mode?: 'normal' | 'readOnly' | 'safe';
  safeModeOptions?: { allowDeletingObjects?: boolean; allowEditingAreaCapacity?: boolean };
  features?: { disabled?: Feature[]; enabled?: Feature[]; readOnly?: ReadOnlyFeature[] };
  canvasColorScheme?: 'auto' | 'light' | 'dark';
  colorScheme?: 'light' | 'dark';
  language?: string;
  /** False opens the published version, even where there is a draft. */
  openDraftDrawing?: boolean;
  /** The older name of `openDraftDrawing`. */
  openLatestDrawing?: boolean;
  onChartCreated?: (chartKey: string) => void;
  onChartUpdated?: (chartKey: string) => void;
  onChartPublished?: (chartKey: string) => void;
  /** If given, a button to leave is shown. */
  onExitRequested?: () => void;
  /** Our own: gives a new key when the present one has expired. */
  renewKey?: () => Promise<string>;
  /** Our own: says in words, by order id, who holds the places that prevent a change. */
  tellHolders?: (orderIds: string[]) => Promise<Record<string, { text: string; href?: string }>>;
  /** Our own: the coming evenings on this chart with their prices, the next ones first. */
  tellEvenings?: () => Promise<{ evenings: Evening[]; more: number }>;
  /** Our own: the file that a person chose before the designer opened, to be imported at once. */
  givenFile?: () => File | null;
  /** Our own: where to go when sold or reserved places prevent a change. */
  wayOut?: { text: string; href: string };
}

/** A feature may have several names: any of them switches it on or off. */
export function isEnabled({ features }: DesignerConfig, ...names: readonly Feature[]): boolean {
  const { enabled, disabled } = features ?? {};
  if (enabled) return names.some((name) => enabled.includes(name));
  return !names.some((name) => disabled?.includes(name));
}

export function isReadOnlyFeature({ features }: DesignerConfig, feature: ReadOnlyFeature): boolean {
  return (features?.readOnly ?? []).includes(feature);
}
