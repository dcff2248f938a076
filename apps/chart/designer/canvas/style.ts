/** Dresses the page, or the shadow tree, in which a canvas stands. */
import css from './canvas.css?inline';

const homes = new WeakSet<Document | ShadowRoot>();

export function dress(node: Node): void {
  const root = node.getRootNode();
  const home = root instanceof ShadowRoot ? root : document;
  if (homes.has(home)) return;
  homes.add(home);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  home.adoptedStyleSheets = [...home.adoptedStyleSheets, sheet];
}
