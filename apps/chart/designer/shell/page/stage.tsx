/** The canvas between the panels, drawn outside of React. */
import { useEffect, useRef, type ReactNode } from 'react';
import type { CanvasOptions } from '#apps/chart/designer/mount/life.ts';
import { mountCanvas, type CanvasHandle } from '#apps/chart/designer/mount/mount.ts';
import { isEnabled, type Feature } from '#apps/chart/designer/config.ts';
import { focusCanvas } from '#apps/chart/designer/kit/focus.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';

interface StageWants {
  onMount: (canvas: CanvasHandle | null) => void;
  onMenu: (at: { x: number; y: number; id: string | null }) => void;
  onView: () => void;
  heat: CanvasOptions['heat'];
  /** Elements over the canvas. */
  children: ReactNode;
}

export function Stage({ onMount, onMenu, onView, heat, children }: StageWants) {
  const host = useRef<HTMLDivElement>(null);
  const { studio, newId, config } = useDesigner();
  const wants = useRef({ onMount, onMenu, onView, heat });
  useEffect(() => {
    const { onMount: mounted, onMenu: menu, onView: changed, heat: colours } = wants.current;
    const may = (feature: Feature) => isEnabled(config(), feature);
    if (!host.current) return undefined;
    const canvas = mountCanvas(host.current, studio, { newId, may, menu, changed, heat: colours });
    mounted(canvas);
    // Letters choose tools from the start, unless the page has put the focus somewhere.
    if (document.activeElement === document.body) focusCanvas(host.current);
    return () => {
      mounted(null);
      canvas.destroy();
    };
  }, [studio, newId, config]);
  return (
    <div className="bsd-stage">
      <div ref={host} className="bsd-canvas-host" />
      {children}
    </div>
  );
}
