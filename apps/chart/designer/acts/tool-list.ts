/** The tools in the order of the bar, with their names and letters. */
import type { Feature } from '#apps/chart/designer/config.ts';
import type { Tool } from '#apps/chart/designer/state/studio.ts';

interface ToolLine {
  tool: Tool;
  name: string;
  /** The key that is pressed alone, without Ctrl. */
  letter: string;
  feature?: Feature;
  /** Available while the drawing is read-only. */
  harmless?: boolean;
}

export const toolGroups: ToolLine[][] = [
  [
    { tool: 'select', name: 'Seleziona', letter: 'V', harmless: true },
    { tool: 'lasso', name: 'Lazo', letter: 'L', harmless: true },
    { tool: 'hand', name: 'Sposta la vista', letter: 'H', harmless: true },
    { tool: 'paint', name: 'Pennello delle categorie', letter: 'B', feature: 'categoryList' },
  ],
  [
    { tool: 'row', name: 'Fila', letter: 'R', feature: 'rows' },
    { tool: 'curved-row', name: 'Fila curva', letter: 'U', feature: 'rows' },
    { tool: 'segmented-row', name: 'Fila spezzata', letter: 'Z', feature: 'rows' },
    { tool: 'row-block', name: 'Blocco di file', letter: 'K', feature: 'rows' },
    { tool: 'round-table', name: 'Tavolo rotondo', letter: 'T', feature: 'tables' },
    { tool: 'rectangular-table', name: 'Tavolo rettangolare', letter: 'Y', feature: 'tables' },
    { tool: 'palco', name: 'Palco', letter: 'P', feature: 'tables' },
    { tool: 'booth', name: 'Séparé', letter: 'Q', feature: 'booths' },
  ],
  [
    { tool: 'area', name: 'Area poligonale', letter: 'A', feature: 'areas' },
    { tool: 'ellipse', name: 'Area ellittica', letter: 'E', feature: 'areas' },
    { tool: 'section', name: 'Settore', letter: 'S', feature: 'sections' },
    { tool: 'focal-point', name: 'Punto focale', letter: 'F', feature: 'focalPoint' },
  ],
  [
    { tool: 'stage', name: 'Palcoscenico', letter: 'G', feature: 'shapes' },
    { tool: 'shape', name: 'Sagoma', letter: 'O', feature: 'shapes' },
    { tool: 'text', name: 'Testo', letter: 'X', feature: 'texts' },
    { tool: 'icon', name: 'Icona', letter: 'I', feature: 'icons' },
    { tool: 'image', name: 'Immagine', letter: 'J', feature: 'images' },
  ],
  [
    { tool: 'measure', name: 'Misura', letter: 'M', harmless: true },
    { tool: 'scale', name: 'Scala della pianta', letter: 'C' },
  ],
];
