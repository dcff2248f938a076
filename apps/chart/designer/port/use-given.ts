/** Reads the file that the page gave, as if a person had chosen it in this dialog. */
import { useEffect, useRef } from 'react';
import { useDesigner } from '#apps/chart/designer/context.ts';

export function useGiven(take: (file: File) => unknown): void {
  const { takeGiven } = useDesigner();
  const first = useRef(take);
  useEffect(() => {
    const file = takeGiven();
    if (file) first.current(file);
  }, [takeGiven]);
}
