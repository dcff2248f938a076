/**
 * Style sheets of the designer: adopted rather than written into the page, so that a strict content
 * policy lets them in.
 */

const texts: string[] = [];
const homes = new Map<Document | ShadowRoot, { sheets: CSSStyleSheet[]; users: number }>();

function makeSheet(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** Once a module, at its top; a module that comes late dresses the designers that are open. */
export function registerStyle(text: string): void {
  texts.push(text);
  for (const [home, worn] of homes) {
    const sheet = makeSheet(text);
    worn.sheets.push(sheet);
    home.adoptedStyleSheets = [...home.adoptedStyleSheets, sheet];
  }
}

/**
 * Dresses the page or shadow tree that `node` stands in; the answer undresses it with the last
 * designer.
 */
export function wearStyles(node: Node): () => void {
  const root = node.getRootNode();
  const home = root instanceof ShadowRoot ? root : document;
  const worn = homes.get(home) ?? { sheets: texts.map(makeSheet), users: 0 };
  if (worn.users === 0) {
    homes.set(home, worn);
    home.adoptedStyleSheets = [...home.adoptedStyleSheets, ...worn.sheets];
  }
  worn.users += 1;
  return () => {
    worn.users -= 1;
    if (worn.users > 0) return;
    home.adoptedStyleSheets = home.adoptedStyleSheets.filter(
      (sheet) => !worn.sheets.includes(sheet),
    );
    homes.delete(home);
  };
}
