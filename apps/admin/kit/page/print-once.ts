/** Prints the page once, when the component that calls it has appeared. */
import { useEffect, useRef } from 'react';

/** `onPrinted`: called when the browser's dialog has closed. */
export function usePrintOnce(onPrinted: () => void): void {
  const afterPrint = useRef(onPrinted);
  useEffect(() => {
    afterPrint.current = onPrinted;
  });
  useEffect(() => {
    const end = () => afterPrint.current();
    window.addEventListener('afterprint', end);
    window.print();
    return () => window.removeEventListener('afterprint', end);
  }, []);
}
