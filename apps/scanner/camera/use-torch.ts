/**
 * Switches the camera's lamp on again if the person had it on: it is off when the camera restarts
 * after a pause, or after another app has used it.
 */
import { useEffect, useState } from 'react';
import type { Camera } from './camera.ts';

export interface Torch {
  isOn: boolean;
  toggle: () => void;
}

/** Null while the camera has no lamp. */
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
