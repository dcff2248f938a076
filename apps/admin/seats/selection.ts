/** The chosen seats of the map: single ones, several, whole rows, sections and categories. */
import { useCallback, useEffect, useRef, useState, type PointerEvent } from 'react';
import type { OfficeSeat } from './seats.ts';

/** `one` replaces the chosen seats, `toggle` adds a seat or removes it. */
type Way = 'one' | 'add' | 'toggle';

export function choose(chosen: readonly string[], pressed: readonly string[], way: Way): string[] {
  if (way === 'one') return [...pressed];
  if (way === 'add') return [...new Set([...chosen, ...pressed])];
  const before = new Set(chosen);
  const again = new Set(pressed.filter((object) => before.has(object)));
  return [
    ...chosen.filter((object) => !again.has(object)),
    ...pressed.filter((object) => !before.has(object)),
  ];
}

export const parts = ['row', 'section', 'category'] as const;
export type Part = (typeof parts)[number];

const keyOfPart: Record<Part, (seat: OfficeSeat) => string | null> = {
  row: ({ section, row }) => row && JSON.stringify([section, row]),
  section: ({ section }) => section,
  category: ({ category }) => category,
};

/** All named seats in the rows, sections or categories of the chosen ones. */
export function extendToParts(
  seats: readonly OfficeSeat[],
  chosen: readonly string[],
  part: Part,
): string[] {
  const keyOf = keyOfPart[part];
  const named = seats.filter((seat) => !seat.isArea);
  const before = new Set(chosen);
  const keys = new Set(
    named
      .filter(({ object }) => before.has(object))
      .map(keyOf)
      .filter((key) => key !== null),
  );
  const found = named.filter((seat) => keys.has(keyOf(seat) ?? ''));
  return [...new Set([...chosen, ...found.map(({ object }) => object)])];
}

/** Collects presses with the keys held; a rectangle drawn on the map presses many seats. */
function usePresses(isMany: boolean, onChoose: (pressed: readonly string[], way: Way) => void) {
  const held = useRef<Way | null>(null);
  const waiting = useRef<string[]>([]);
  const latest = useRef(onChoose);
  const many = useRef(isMany);
  useEffect(() => {
    latest.current = onChoose;
    many.current = isMany;
  });
  const press = useCallback((object: string) => {
    waiting.current.push(object);
    if (waiting.current.length > 1) return;
    queueMicrotask(() => {
      const pressed = waiting.current;
      waiting.current = [];
      const alone = held.current ?? (many.current ? 'toggle' : 'one');
      latest.current(pressed, pressed.length > 1 ? 'add' : alone);
    });
  }, []);
  return {
    press,
    /** Put this on the element around the map. */
    onPointerDownCapture: ({ ctrlKey, metaKey, shiftKey }: PointerEvent) => {
      const other = shiftKey ? 'add' : null;
      held.current = ctrlKey || metaKey ? 'toggle' : other;
    },
  };
}

/** Esc clears the chosen seats, unless a dialog or field uses the key. */
function useEscape(isOpen: boolean, act: () => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLInputElement && event.target.value !== '';
      if (event.key !== 'Escape' || event.defaultPrevented || isTyping) return;
      if (document.querySelector('dialog[open]') === null) latest.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [isOpen]);
}

const none: readonly string[] = [];

/** The chosen objects; a single one is kept in the address, for links. */
export function useSeatSelection(object: string | null, setObject: (object: string) => void) {
  const [several, setSeveral] = useState<readonly string[]>(none);
  const [isMany, setMany] = useState(false);
  const chosen = several.length > 0 ? several : [object].filter((one) => one !== null);
  const setChosen = (next: readonly string[]) => {
    setSeveral(next.length > 1 ? next : none);
    setObject(next.length === 1 ? next.join('') : '');
  };
  const clear = () => setChosen(none);
  const presses = usePresses(isMany, (pressed, way) => setChosen(choose(chosen, pressed, way)));
  useEscape(chosen.length > 0, clear);
  return { chosen, setChosen, clear, isMany, setMany, presses };
}
