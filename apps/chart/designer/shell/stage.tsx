/** The canvas between the panels; it is no part of React. */
import { useEffect, useRef, type ReactNode } from 'react';
import { useDesigner, type CanvasView } from '#apps/chart/designer/state/context.ts';
import { mountCanvas } from './canvas-slot.ts';

interface StageWants {
  onMount: (canvas: CanvasView | null) => void;
  onMenu: (at: { x: number; y: number; id: string | null }) => void;
  onView: () => void;
  /** Over the canvas. */
  children: ReactNode;
}

export function Stage({ onMount, onMenu, onView, children }: StageWants) {
  const host = useRef<HTMLDivElement>(null);
  const { studio, newId } = useDesigner();
  const wants = useRef({ onMount, onMenu, onView });
  useEffect(() => {
    const { onMount: mounted, onMenu: menu, onView: changed } = wants.current;
    const canvas = mountCanvas?.(host.current!, studio, { newId, menu, changed }) ?? null;
    mounted(canvas);
    return () => {
      mounted(null);
      canvas?.destroy();
    };
  }, [studio, newId]);
  return (
    <div className="bsd-stage">
      <div ref={host} className="bsd-canvas-host" />
      {children}
    </div>
  );
}
