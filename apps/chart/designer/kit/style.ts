/**
 * Style sheets of the designer. They are adopted rather than written into the page, because a
 * strict content policy forbids style elements.
 */

const texts: string[] = [];
const homes = new Map<Document | ShadowRoot, { sheets: CSSStyleSheet[]; users: number }>();

function makeSheet(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** Called once by each module, at its top; a late module also styles the open designers. */
export function registerStyle(text: string): void {
  texts.push(text);
  for (const [home, adopted] of homes) {
    const sheet = makeSheet(text);
    adopted.sheets.push(sheet);
    home.adoptedStyleSheets = [...home.adoptedStyleSheets, sheet];
  }
}

/**
 * Styles the page or shadow tree of `node`; the returned function removes the styles with the
 * last designer.
 */
export function applyStyles(node: Node): () => void {
  const root = node.getRootNode();
  const home = root instanceof ShadowRoot ? root : document;
  const adopted = homes.get(home) ?? { sheets: texts.map(makeSheet), users: 0 };
  if (adopted.users === 0) {
    homes.set(home, adopted);
    home.adoptedStyleSheets = [...home.adoptedStyleSheets, ...adopted.sheets];
  }
  adopted.users += 1;
  return () => {
    adopted.users -= 1;
    if (adopted.users > 0) return;
    home.adoptedStyleSheets = home.adoptedStyleSheets.filter(
      (sheet) => !adopted.sheets.includes(sheet),
    );
    homes.delete(home);
  };
}
