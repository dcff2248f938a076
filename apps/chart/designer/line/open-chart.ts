/** Loads the drawing to be edited, and what the chart server knows of it. */
import { openDrawing, UnreadableDrawing } from '#server/drawing/model/open.ts';
import { emptyFloor } from '#server/drawing/model/empty.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type { DesignerChart } from '#server/standins/seatsio/wire.ts';
import type { DesignerConfig } from '#apps/chart/designer/config.ts';
import { CallRefused, type Calls } from './calls.ts';
import { ChartCalls } from './chart-calls.ts';

const emptyDrawing = {
  name: 'Nuova pianta',
  version: 1,
  venueType: 'SIMPLE',
  categories: { list: [], maxCategoryKey: 0 },
  zones: { list: [] },
  subChart: emptyFloor({ width: 1000, height: 800 }),
};

export interface OpenedChart {
  /** Null when the chart is made with the first save. */
  chart: DesignerChart | null;
  doc: Doc;
  version: number;
}

/** @throws CallRefused, UnreadableDrawing */
export async function openChart(calls: Calls, config: DesignerConfig): Promise<OpenedChart> {
  const { chartKey, openDraftDrawing, openLatestDrawing } = config;
  if (!chartKey) return { chart: null, doc: openDrawing(emptyDrawing), version: 0 };
  const line = new ChartCalls(calls, chartKey);
  const wantsDraft = openDraftDrawing !== false && openLatestDrawing !== false;
  const [chart, drawing] = await Promise.all([
    line.readChart(),
    line.readDrawing(wantsDraft ? 'current' : 'published'),
  ]);
  return { chart, ...drawing };
}

/** Why a chart does not open, in words for a person. */
export function whyNot(error: unknown): string {
  if (error instanceof UnreadableDrawing)
    return 'Il file di questa pianta non si può leggere: manca la lista dei piani.';
  const status = error instanceof CallRefused ? error.status : -1;
  if (status === 401 || status === 403) return 'La chiave segreta non è valida per questa pianta.';
  if (status === 404) return 'Non trovo questa pianta: controlla la sua chiave.';
  return 'La pianta non si è caricata. Controlla la connessione e riprova.';
}
