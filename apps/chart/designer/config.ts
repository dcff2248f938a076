/**
 * What a page may give to the designer: the embed contract of seats.io (seatsio-types 6.25), and
 * what is ours alone.
 */

/** Parts of the designer that a page may switch off, or leave to be looked at. */
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

/** Its callbacks are read at the moment they are called: a page may replace them. */
export interface DesignerConfig {
  container?: HTMLElement | null;
  divId?: string;
  /** Never used on a public page; in our office a token for this one chart. */
  secretKey?: string;
  /** Left out: a new chart is made with the first save. */
  chartKey?: string;
  mode?: 'normal' | 'readOnly' | 'safe';
  safeModeOptions?: { allowDeletingObjects?: boolean; allowEditingAreaCapacity?: boolean };
  features?: { disabled?: Feature[]; enabled?: Feature[]; readOnly?: ReadOnlyFeature[] };
  canvasColorScheme?: 'auto' | 'light' | 'dark';
  colorScheme?: 'light' | 'dark';
  language?: string;
  /** False: the version on sale, even where there is a draft. */
  openDraftDrawing?: boolean;
  /** The older name of the same. */
  openLatestDrawing?: boolean;
  onChartCreated?: (chartKey: string) => void;
  onChartUpdated?: (chartKey: string) => void;
  onChartPublished?: (chartKey: string) => void;
  /** With it there is a button that leaves. */
  onExitRequested?: () => void;
  /** Ours: a key that runs out is asked for anew. */
  renewKey?: () => Promise<string>;
  /**
   * Ours: who has the places that a change is refused for, in words, by the ids of their orders.
   */
  tellHolders?: (orderIds: string[]) => Promise<Record<string, { text: string; href?: string }>>;
  /** Ours: where to go when sold or reserved places stand in the way. */
  wayOut?: { text: string; href: string };
}

/** Of several names for one thing any switches it on, and any off. */
export function isEnabled({ features }: DesignerConfig, ...names: readonly Feature[]): boolean {
  const { enabled, disabled } = features ?? {};
  if (enabled) return names.some((name) => enabled.includes(name));
  return !names.some((name) => disabled?.includes(name));
}

export function isReadOnlyFeature({ features }: DesignerConfig, feature: ReadOnlyFeature): boolean {
  return (features?.readOnly ?? []).includes(feature);
}
