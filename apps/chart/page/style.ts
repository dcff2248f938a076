/**
 * The chart's style sheet. It is adopted rather than written into the page, because a strict
 * content policy forbids style elements.
 */
import { dialogStyle } from './style-dialog.ts';
import { frameStyle } from './style-frame.ts';
import { listStyle } from './style-list.ts';

const css = frameStyle + listStyle + dialogStyle;

const users = new Map<Document | ShadowRoot, { sheet: CSSStyleSheet; count: number }>();

/**
 * Adds the styles to the page or shadow tree that contains the chart; the returned function
 * removes them with the last chart.
 */
export function adoptStyle(container: Node): () => void {
  const root = container.getRootNode();
  const home = root instanceof ShadowRoot ? root : document;
  const used = users.get(home) ?? { sheet: new CSSStyleSheet(), count: 0 };
  if (used.count === 0) {
    used.sheet.replaceSync(css);
    home.adoptedStyleSheets = [...home.adoptedStyleSheets, used.sheet];
    users.set(home, used);
  }
  used.count += 1;
  return () => {
    used.count -= 1;
    if (used.count > 0) return;
    home.adoptedStyleSheets = home.adoptedStyleSheets.filter((sheet) => sheet !== used.sheet);
    users.delete(home);
  };
}
