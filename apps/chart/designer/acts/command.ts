/** One thing that a key or a menu does. */
import type { Feature } from '#apps/chart/designer/config.ts';
import type { DesignerContext } from '#apps/chart/designer/context.ts';

export type Needs = 'selection' | 'objects' | 'several' | 'rows' | 'section' | 'one-seat';

export interface Command {
  id: string;
  title: string;
  /** As they are shown: `Ctrl+Maiusc+G`; the first one stands in menus. */
  keys?: readonly string[];
  menu: 'edit' | 'select' | 'arrange' | 'rows' | 'view';
  /** In the menu of the canvas, too. */
  inContext?: boolean;
  needs?: Needs;
  /** A page may switch it off. */
  feature?: Feature;
  /** Not while nothing may be changed. */
  changes?: boolean;
  run: (designer: DesignerContext) => void;
}
