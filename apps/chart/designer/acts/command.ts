/** One act that a key or a menu starts. */
import type { Feature } from '#apps/chart/designer/config.ts';
import type { DesignerContext } from '#apps/chart/designer/context.ts';

export type Needs = 'selection' | 'objects' | 'several' | 'rows' | 'section' | 'one-seat';

export interface Command {
  id: string;
  title: string;
  /** The keys as shown to people: `Ctrl+Maiusc+G`; menus show the first one. */
  keys?: readonly string[];
  menu: 'edit' | 'select' | 'arrange' | 'rows' | 'view';
  /** Whether the menu on the canvas has it, too. */
  inContext?: boolean;
  needs?: Needs;
  /** The feature by which a page may switch it off. */
  feature?: Feature;
  /** Disabled while the drawing is read-only. */
  changes?: boolean;
  run: (designer: DesignerContext) => void;
}
