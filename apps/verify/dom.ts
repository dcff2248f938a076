/** Makes elements; the text of a book is always inserted as text and never as HTML. */

type Child = Node | string;

export function make(
  name: string,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElement {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes))
    element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

/** Numbers are aligned right. */
export interface Cell {
  text: string;
  number?: boolean;
}

const rowsAtOnce = 200;

/** A long table shows its first rows and a button for more. */
export function makeTable(
  caption: string,
  heads: readonly Cell[],
  rows: readonly Cell[][],
): HTMLElement {
  if (rows.length === 0) return make('p', { class: 'soft' }, 'Niente.');
  const cell = (name: string, { text, number }: Cell, more: Record<string, string> = {}) =>
    make(name, { ...more, ...(number === true ? { class: 'number' } : {}) }, text);
  const body = make('tbody');
  const head = make('tr', {}, ...heads.map((one) => cell('th', one, { scope: 'col' })));
  const table = make('table', { 'aria-label': caption }, make('thead', {}, head), body);
  const wide = make(
    'div',
    { class: 'wide', tabindex: '0', role: 'region', 'aria-label': caption },
    table,
  );
  const button = make('button', { type: 'button' });
  const showMore = () => {
    const shown = body.childElementCount;
    body.append(
      ...rows
        .slice(shown, shown + rowsAtOnce)
        .map((row) => make('tr', {}, ...row.map((one) => cell('td', one)))),
    );
    const left = rows.length - body.childElementCount;
    button.textContent = `Mostra altre righe (ne restano ${left})`;
    button.hidden = left === 0;
  };
  button.addEventListener('click', showMore);
  showMore();
  return make('div', {}, wide, button);
}
