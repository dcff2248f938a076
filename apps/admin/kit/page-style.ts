/** Rules for the whole page that are known only when it is drawn: a sheet made by script, as the page's policy lets no style element in. */
import { useLayoutEffect } from 'react';

/** Null: none. It goes when the screen goes. */
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
