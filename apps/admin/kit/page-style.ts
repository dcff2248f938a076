/** Rules for the whole page, made by script because the page's policy allows no style element. */
import { useLayoutEffect } from 'react';

/** Null: no style. It is removed with the screen. */
export function usePageStyle(text: string | null): void {
  useLayoutEffect(() => {
    if (text === null) return undefined;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [text]);
}
