/** What every panel and dialog of one open designer can use. */
import { createContext, use } from 'react';
import type { CanvasHandle } from './mount/mount.ts';
import type { Heat } from './canvas/paint/picture.ts';
import type { DesignerConfig } from './config.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type { Session } from './line/session.ts';
import type { Overlay, Studio } from './state/studio.ts';

export interface DesignerContext {
  studio: Studio;
  /** Saving, versions, and who else is drawing. */
  session: Session;
  /** Called at each use, because a page may replace its configuration. */
  config: () => DesignerConfig;
  canvas: () => CanvasHandle | null;
  newId: () => string;
  /** Sets the colours of the places under an overlay; null removes them. */
  setHeat: (overlay: Overlay, heat: ((doc: Doc) => Heat | null) | null) => void;
  /** Opens a dialog by its id in shell/panels.ts. */
  openDialog: (id: string) => void;
  showPanel: (id: string) => void;
  /** The file that the page gave, for the dialog that opened because of it; null afterwards. */
  takeGiven: () => File | null;
}

const Context = createContext<DesignerContext | null>(null);
export const DesignerProvider = Context.Provider;

export function useDesigner(): DesignerContext {
  const designer = use(Context);
  if (!designer) throw new Error('useDesigner() outside of the designer');
  return designer;
}
