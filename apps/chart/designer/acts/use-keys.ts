/** The keyboard map: the function of each key outside text fields. */
import { useCallback, type KeyboardEvent } from 'react';
import { isEnabled } from '#apps/chart/designer/config.ts';
import type { DesignerContext } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { NOTHING_SELECTED, selectItems } from '#server/drawing/model/selection.ts';
import { commands, keysOf, mayRun } from './commands.ts';
import { toolGroups } from './tool-list.ts';

const partsInOrder = '.bsd-top, .bsd-tools, .bsd-tree-pane, .bsd-stage, .bsd-foot, .bsd-side';

function isWriting(target: EventTarget): boolean {
  return (
    target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable]')
  );
}

/** Single letters choose tools, and only while the canvas or the tools have the focus. */
function isOverDrawing(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.closest('.bsd-stage, .bsd-tools') !== null;
}

/** Selects the next or previous object in reading order; false at either end. */
function step(studio: Studio, by: 1 | -1): boolean {
  const { doc, floor, section, selection } = studio.state;
  const all = [...doc.items.values()].filter(
    (item) => item.floor === floor && item.section === section && !item.data.x_hidden,
  );
  const [first] = [...selection.items, ...selection.seats.keys()];
  const at = all.findIndex(({ id }) => id === first);
  const next = first === undefined ? all[by > 0 ? 0 : all.length - 1] : all[at + by];
  if (!next) return false;
  studio.set({ selection: selectItems([next.id]) });
  return true;
}

/** Esc ends only one thing: the unfinished act, or else the selection, the section, the tool. */
function leave({ studio, canvas }: DesignerContext): void {
  const { selection, section, tool } = studio.state;
  if (canvas()?.cancel()) return;
  if (selection.items.size > 0 || selection.seats.size > 0)
    studio.set({ selection: NOTHING_SELECTED });
  else if (section !== null) studio.set({ section: null, selection: selectItems([section]) });
  else if (tool !== 'select') studio.set({ tool: 'select' });
}

function chooseTool({ studio, config }: DesignerContext, letter: string): boolean {
  const found = toolGroups.flat().find((line) => line.letter === letter);
  if (!found || (found.feature && !isEnabled(config(), found.feature))) return false;
  if (studio.state.readOnly && !found.harmless) return false;
  studio.set({ tool: found.tool });
  studio.say(found.name);
  return true;
}

function walk(designer: DesignerContext, event: KeyboardEvent): boolean {
  const { studio } = designer;
  const isTab = event.key === 'Tab' && !event.ctrlKey && !event.altKey;
  const hasSelection = studio.state.selection.items.size + studio.state.selection.seats.size > 0;
  if (event.key === 'Enter' && !hasSelection) return step(studio, 1);
  if (!isTab || !hasSelection) return false;
  if (step(studio, event.shiftKey ? -1 : 1)) return true;
  // At the end of the objects Tab moves the focus as usual.
  studio.set({ selection: NOTHING_SELECTED });
  return false;
}

/** Moves the focus to the next part: canvas, tools, list of objects, panels, floors, bar. */
function goOn({ currentTarget, target }: KeyboardEvent): boolean {
  const parts = [...currentTarget.querySelectorAll<HTMLElement>(partsInOrder)];
  const at = parts.findIndex((part) => part.contains(target as Node));
  const next = parts[(at + 1) % parts.length];
  const first = next?.querySelector<HTMLElement>(
    '[tabindex="0"], button:not([tabindex="-1"]), input, select',
  );
  first?.focus();
  return Boolean(first);
}

/** True when the key was used. */
function press(designer: DesignerContext, event: KeyboardEvent): boolean {
  if (isWriting(event.target)) return false;
  const keys = keysOf(event);
  const isOver = isOverDrawing(event.target);
  const isOnCanvas = event.target === designer.canvas()?.element;
  if (keys === 'Esc') {
    leave(designer);
    return true;
  }
  if (keys === 'F6') return goOn(event);
  if (isOnCanvas && walk(designer, event)) return true;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isPlain && isOver && chooseTool(designer, keys)) return true;
  const isForObjects = !isPlain || isOver || keys === 'Canc' || keys === 'F1';
  const found = commands.find((command) => command.keys?.includes(keys));
  if (!found || !isForObjects || !mayRun(designer, found)) return false;
  found.run(designer);
  return true;
}

export function useKeys(designer: DesignerContext): (event: KeyboardEvent) => void {
  return useCallback(
    (event) => {
      if (event.defaultPrevented || !press(designer, event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    [designer],
  );
}
