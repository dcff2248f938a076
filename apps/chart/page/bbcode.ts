/** The few marks that a page may use in its own texts, turned into elements without innerHTML. */
import { make } from './dom.ts';

const marks = /\[(\/?)(b|i|pre|br)(\/?)\]/gi;

/**
 * Reads `[b]`, `[i]`, `[pre]` with their ends, and `[br/]`; other brackets, and marks without a
 * counterpart, stay text.
 */
export function readMarks(text: string): DocumentFragment {
  const result = document.createDocumentFragment();
  const open: { name: string; element: HTMLElement }[] = [];
  const inner = () => open.at(-1)?.element ?? result;
  let from = 0;
  for (const found of text.matchAll(marks)) {
    const [whole, slash, mark = '', lone] = found;
    const name = mark.toLowerCase();
    const isBreak = name === 'br' && !slash;
    const isStart = name !== 'br' && !slash && !lone;
    const isEnd = slash === '/' && !lone && open.at(-1)?.name === name;
    if (!isBreak && !isStart && !isEnd) continue;
    inner().append(text.slice(from, found.index));
    from = found.index + whole.length;
    if (isBreak) inner().append(make('br'));
    if (isStart) {
      const element = make(name as 'b' | 'i' | 'pre');
      inner().append(element);
      open.push({ name, element });
    }
    if (isEnd) open.pop();
  }
  inner().append(text.slice(from));
  return result;
}
