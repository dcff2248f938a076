/** Styles for the whole page, set by script because the page's policy forbids style elements. */
import { useLayoutEffect } from 'react';

/** Adds a style sheet while the component is mounted; null: none. */
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
