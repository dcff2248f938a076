/** Where the canvas comes into the shell. */
import type { CanvasView } from '#apps/chart/designer/state/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';

type MountCanvas = (
  host: HTMLElement,
  studio: Studio,
  options: {
    newId: () => string;
    menu?: (at: { x: number; y: number; id: string | null }) => void;
    changed?: () => void;
  },
) => CanvasView;

export const mountCanvas: MountCanvas | null = null;
