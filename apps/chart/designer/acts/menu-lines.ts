/** Commands as the lines of a menu. */
import type { DesignerContext } from '#apps/chart/designer/context.ts';
import type { Command } from './command.ts';
import { commands, isOffered, mayRun } from './commands.ts';
import type { MenuLine } from '#apps/chart/designer/kit/menu.tsx';

export function menuLines(
  designer: DesignerContext,
  isIn: (command: Command) => boolean,
): MenuLine[] {
  return commands
    .filter(isIn)
    .filter((command) => isOffered(designer, command))
    .map((command) => ({
      id: command.id,
      title: command.title,
      keys: command.keys?.[0],
      disabled: !mayRun(designer, command),
      run: () => command.run(designer),
    }));
}
