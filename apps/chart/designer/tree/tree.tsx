/** The list of objects beside the canvas; its selection and the canvas's are the same. */
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
} from 'react';
import type { Selection } from '#server/drawing/model/selection.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { Icon } from '#apps/chart/designer/kit/icons.tsx';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import { chosenWith, selectLine } from './tree-select.ts';
import { childrenOf, treeLines, type TreeLine } from './tree-model.ts';
import css from './tree.css?inline';

registerStyle(css);

const height = 28;
/** Lines rendered beyond the view, so that fast scrolling shows no gaps. */
const spare = 12;

/** The lines of the tree, which of them are open, and which one has the focus. */
function useLines() {
  const { studio } = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(doc.floors.map(({ id }) => id)),
  );
  const children = useMemo(() => childrenOf(doc), [doc]);
  const lines = useMemo(() => treeLines(doc, children, open), [doc, children, open]);
  const fold = useCallback((keys: readonly string[], isOpen: boolean) => {
    setOpen((before) => {
      const next = new Set(before);
      for (const key of keys)
        if (isOpen) next.add(key);
        else next.delete(key);
      return next;
    });
  }, []);
  return { lines, fold };
}

/** Which lines are in view. */
function useSight(count: number) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [tall, setTall] = useState(600);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setTall(box.current?.clientHeight ?? 600));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const from = Math.max(0, Math.floor(top / height) - spare);
  const to = Math.min(count, Math.ceil((top + tall) / height) + spare);
  const reveal = useCallback((index: number) => {
    const element = box.current;
    if (!element) return;
    const at = index * height;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + height > element.scrollTop + element.clientHeight - 8)
      element.scrollTop = at + height - element.clientHeight + 8;
    setTop(element.scrollTop);
  }, []);
  return { box, from, to, reveal, onScroll: () => setTop(box.current?.scrollTop ?? 0) };
}

function isChosen({ items, seats }: Selection, line: TreeLine): boolean {
  if (line.kind === 'seat')
    return items.has(line.item) || (seats.get(line.item)?.has(line.position) ?? false);
  return line.kind === 'item' && items.has(line.item);
}

/** The line to which a key moves; null when there is none. */
function goal(lines: readonly TreeLine[], at: number, key: string): number | null {
  if (key === 'ArrowDown') return Math.min(at + 1, lines.length - 1);
  if (key === 'ArrowUp') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  if (key === 'End') return lines.length - 1;
  if (key === 'PageDown') return Math.min(at + 15, lines.length - 1);
  if (key === 'PageUp') return Math.max(at - 15, 0);
  if (key.length !== 1 || key === ' ') return null;
  const later = [...lines.slice(at + 1), ...lines.slice(0, at + 1)];
  const found = later.find(({ text }) => text.toLowerCase().includes(key.toLowerCase()));
  return found ? lines.indexOf(found) : null;
}

interface Hands {
  lines: readonly TreeLine[];
  /** The index of the line that has the focus. */
  at: number;
  fold: (keys: readonly string[], isOpen: boolean) => void;
  focus: (index: number) => void;
}

/** The reactions to keys and clicks in the tree. */
function useHands({ lines, at, fold, focus }: Hands) {
  const { studio, canvas } = useDesigner();
  const choose = (line: TreeLine, event: KeyboardEvent | MouseEvent) => {
    const adds = event.shiftKey || event.ctrlKey || event.metaKey;
    selectLine(studio, line, adds ? chosenWith(studio.state.selection, line) : null);
  };
  const go = () => canvas()?.zoomTo(studio.state.selection);
  const press = (event: KeyboardEvent) => {
    const line = lines[at];
    if (!line) return;
    const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && event.key !== ' ';
    const next = isCommand ? null : goal(lines, at, event.key);
    if (next !== null) focus(next);
    else if (event.key === 'ArrowRight' && line.isOpen === false) fold([line.key], true);
    else if (event.key === 'ArrowRight' && line.isOpen) focus(at + 1);
    else if (event.key === 'ArrowLeft' && line.isOpen) fold([line.key], false);
    else if (event.key === 'ArrowLeft' && line.parent !== null)
      focus(lines.findIndex(({ key }) => key === line.parent));
    else if (event.key === ' ') choose(line, event);
    else if (event.key === 'Enter' && !isCommand) {
      choose(line, event);
      go();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const click = (event: MouseEvent) => {
    const target = event.target as Element;
    const index = Number(target.closest<HTMLElement>('[data-line]')?.dataset['line'] ?? -1);
    const line = lines[index];
    if (!line) return;
    if (line.isOpen !== null && target.closest('.bsd-tree-fold')) fold([line.key], !line.isOpen);
    else {
      focus(index);
      choose(line, event);
    }
  };
  return { press, click, go };
}

export function Tree() {
  const { studio } = useDesigner();
  const selection = useStudio(studio, (state) => state.selection);
  const { lines, fold } = useLines();
  const { box, from, to, reveal, onScroll } = useSight(lines.length);
  const [active, setActive] = useState(lines[0]?.key);
  const at = Math.max(
    0,
    lines.findIndex(({ key }) => key === active),
  );
  useFollow({ lines, fold, setActive, reveal });
  const focus = (index: number) => {
    setActive(lines[index]?.key);
    reveal(index);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus());
  };
  const { press, click, go } = useHands({ lines, at, fold, focus });
  return (
    <div
      ref={box}
      className="bsd-tree"
      role="tree"
      aria-label="Oggetti della pianta"
      aria-multiselectable="true"
      tabIndex={-1}
      onKeyDown={press}
      onClick={click}
      onDoubleClick={go}
      onScroll={onScroll}
    >
      <div role="none" style={{ height: lines.length * height }} />
      {lines.slice(from, to).map((line, index) => (
        <Line
          key={line.key}
          line={line}
          index={from + index}
          isActive={from + index === at}
          isChosen={isChosen(selection, line)}
        />
      ))}
    </div>
  );
}

interface Follow {
  lines: readonly TreeLine[];
  fold: (keys: readonly string[], isOpen: boolean) => void;
  setActive: (key: string) => void;
  reveal: (index: number) => void;
}

/** Scrolls to the object that was selected on the canvas. */
function useFollow({ lines, fold, setActive, reveal }: Follow): void {
  const { studio } = useDesigner();
  const selection = useStudio(studio, (state) => state.selection);
  const shown = useRef<Selection | null>(null);
  useEffect(() => {
    if (shown.current === selection) return;
    const [id] = [...selection.items, ...selection.seats.keys()];
    const item = id === undefined ? undefined : studio.state.doc.items.get(id);
    if (!item) {
      shown.current = selection;
      return;
    }
    const index = lines.findIndex(({ key }) => key === item.id);
    // Opens its parents first; the next render finds the line.
    if (index < 0) fold([item.floor, ...(item.section === null ? [] : [item.section])], true);
    else {
      shown.current = selection;
      setActive(item.id);
      reveal(index);
    }
  }, [studio, selection, lines, fold, setActive, reveal]);
}

interface LineLook {
  line: TreeLine;
  index: number;
  isActive: boolean;
  isChosen: boolean;
}

function Line({ line, index, isActive, isChosen: chosen }: LineLook) {
  const indent = (line.level - 1) * 14 + (line.isOpen === null ? 22 : 4);
  return (
    <div
      className="bsd-tree-line"
      role="treeitem"
      data-line={index}
      aria-level={line.level}
      aria-setsize={line.size}
      aria-posinset={line.place}
      aria-expanded={line.isOpen ?? undefined}
      aria-selected={chosen}
      tabIndex={isActive ? 0 : -1}
      style={{ top: index * height + 4, paddingLeft: indent }}
    >
      {line.isOpen !== null && (
        <span className="bsd-tree-fold">
          <Icon name="right" />
        </span>
      )}
      <span>{line.text}</span>
    </div>
  );
}
