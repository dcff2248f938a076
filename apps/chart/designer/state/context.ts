/** What every panel and dialog of one open designer may reach beside the drawing. */
import { createContext, use } from 'react';
import type { DesignerConfig } from '#apps/chart/designer/config.ts';
import type { Selection } from '#server/standins/seatsio/drawing/model/selection.ts';
import type { Session } from '#apps/chart/designer/line/session.ts';
import type { Studio } from './studio.ts';

/** What the shell asks of the canvas. */
export interface CanvasView {
  readonly element: HTMLElement;
  /** Screen pixels a unit. */
  readonly scale: number;
  zoomBy: (factor: number) => void;
  zoomTo: (selection: Selection) => void;
  fit: () => void;
  /** Breaks off what is being drawn; false: there was nothing. */
  cancel: () => boolean;
  refresh: () => void;
  destroy: () => void;
}

export interface DesignerContext {
  studio: Studio;
  /** Saving, versions, who else draws. */
  session: Session;
  /** Asked at the moment it is wanted: a page may replace it. */
  config: () => DesignerConfig;
  canvas: () => CanvasView | null;
  newId: () => string;
  /** By the id of a slot in shell/panels.ts. */
  openDialog: (id: string) => void;
  showPanel: (id: string) => void;
}

const Context = createContext<DesignerContext | null>(null);
export const DesignerProvider = Context.Provider;

export function useDesigner(): DesignerContext {
  const designer = use(Context);
  if (!designer) throw new Error('useDesigner() outside of the designer');
  return designer;
}
