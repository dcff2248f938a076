/** What every panel and dialog of one open designer may reach beside the drawing. */
import { createContext, use } from 'react';
import type { CanvasHandle } from './mount/mount.ts';
import type { Heat } from './canvas/paint/picture.ts';
import type { DesignerConfig } from './config.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type { Session } from './line/session.ts';
import type { Overlay, Studio } from './state/studio.ts';

export interface DesignerContext {
  studio: Studio;
  /** Saving, versions, who else draws. */
  session: Session;
  /** Read when it is needed, because a page may replace it. */
  config: () => DesignerConfig;
  canvas: () => CanvasHandle | null;
  newId: () => string;
  /** How the canvas colours the places under an overlay; null: as without it. */
  setHeat: (overlay: Overlay, heat: ((doc: Doc) => Heat | null) | null) => void;
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
