/**
 * Restores the camera's lamp as the person left it: after a pause or another app the camera
 * restarts without its light.
 */
import { useEffect, useState } from 'react';
import type { Camera } from './camera.ts';

export interface Torch {
  isOn: boolean;
  toggle: () => void;
}

/** Null while there is no lamp to switch. */
export function useTorch(lamp: Camera['torch']): Torch | null {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    // A new track starts with the lamp off, so only switching on is needed.
    if (isOn) lamp?.(true).catch(() => setOn(false));
  }, [lamp, isOn]);
  return (
    lamp && {
      isOn,
      toggle: () => {
        if (isOn) lamp(false).catch(() => {});
        setOn(!isOn);
      },
    }
  );
}
