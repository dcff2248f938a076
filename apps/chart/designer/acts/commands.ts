/** All acts of keys and menus in one list, read by the keyboard map, the menus and the help. */
import { isEnabled } from '#apps/chart/designer/config.ts';
import type { DesignerContext } from '#apps/chart/designer/context.ts';
import type { Command, Needs } from './command.ts';
import { arrangeCommands } from './commands-arrange.ts';
import { editCommands } from './commands-edit.ts';
import { makingCommands } from './commands-making.ts';
import { rowCommands } from './commands-rows.ts';
import { viewCommands } from './commands-view.ts';

export const commands: readonly Command[] = [
  ...editCommands,
  ...arrangeCommands,
  ...rowCommands,
  ...makingCommands,
  ...viewCommands,
];

export function isOffered(
  { studio, config }: DesignerContext,
  { changes, feature }: Command,
): boolean {
  if (changes && studio.state.readOnly) return false;
  return !feature || isEnabled(config(), feature);
}

export function mayRun(designer: DesignerContext, command: Command): boolean {
  if (!isOffered(designer, command)) return false;
  const { needs } = command;
  const { doc, selection } = designer.studio.state;
  const { items, seats } = selection;
  const chosen = [...items].flatMap((id) => doc.items.get(id) ?? []);
  const met: Record<Needs, () => boolean> = {
    selection: () => items.size > 0 || seats.size > 0,
    objects: () => items.size > 0,
    several: () => items.size + seats.size > 1,
    rows: () => chosen.some(({ kind }) => kind === 'row'),
    section: () => chosen.some(({ kind }) => kind === 'section'),
    'one-seat': () => seats.size === 1 && [...seats.values()].every(({ size }) => size === 1),
  };
  return !needs || met[needs]();
}

const names: Record<string, string> = {
  ' ': 'Spazio',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Delete: 'Canc',
  Backspace: 'Backspace',
  Enter: 'Invio',
  Escape: 'Esc',
};

/** A pressed key as `Ctrl+Maiusc+G`; on a Mac the command key counts as Ctrl. */
export function keysOf(event: {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}): string {
  const key = names[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  const isSign = event.key.length === 1 && event.key.toLowerCase() === event.key.toUpperCase();
  return [
    ...(event.ctrlKey || event.metaKey ? ['Ctrl'] : []),
    ...(event.altKey ? ['Alt'] : []),
    // Some characters need Shift, which is then part of the character.
    ...(event.shiftKey && !isSign ? ['Maiusc'] : []),
    key,
  ].join('+');
}
