/** Two fingers zoom the picture: handlers compare the fingers' distance with the initial one. */
import { useRef, type PointerEvent } from 'react';
import type { CameraView } from '#apps/scanner/camera/use-camera.ts';

/** Handlers for the element under the fingers; none where the lens cannot move. */
export function usePinch(zoom: CameraView['zoom']) {
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const start = useRef<{ distance: number; value: number } | null>(null);
  if (zoom === null) return {};
  const distance = () => {
    const [a, b] = [...fingers.current.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  const lift = ({ pointerId }: PointerEvent) => {
    fingers.current.delete(pointerId);
    start.current = null;
  };
  return {
    onPointerDown: ({ pointerId, clientX, clientY }: PointerEvent) => {
      fingers.current.set(pointerId, { x: clientX, y: clientY });
      const isPair = fingers.current.size === 2;
      start.current = isPair ? { distance: distance(), value: zoom.value } : null;
    },
    onPointerMove: ({ pointerId, clientX, clientY }: PointerEvent) => {
      if (!fingers.current.has(pointerId)) return;
      fingers.current.set(pointerId, { x: clientX, y: clientY });
      if (!start.current || start.current.distance === 0) return;
      const value = start.current.value * (distance() / start.current.distance);
      zoom.set(Math.min(zoom.max, Math.max(zoom.min, value)));
    },
    onPointerUp: lift,
    onPointerCancel: lift,
    onPointerLeave: lift,
  };
}
