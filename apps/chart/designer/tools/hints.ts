/** A one-line instruction for each tool, shown below the canvas. */
import type { Tool } from '#apps/chart/designer/state/studio.ts';

const outline = 'Trascina un rettangolo, o un clic per ogni angolo e doppio clic per finire.';
const box = 'Un clic per la misura abituale, o trascina un rettangolo.';
const place = 'Un clic dove deve stare.';

export const hints: Partial<Record<Tool, string>> = {
  lasso: 'Disegna attorno a ciò che vuoi selezionare, con Alt i singoli posti.',
  row: 'Trascina dal primo all’ultimo posto, o un clic all’inizio e uno alla fine. Con ⇧ ogni 15 gradi.',
  'curved-row': 'Un clic all’inizio, uno alla fine, poi la curva.',
  'segmented-row': 'Un clic per ogni piega, doppio clic per finire. Con ⌫ si toglie l’ultima.',
  'row-block': 'Trascina un rettangolo: poi scegli file, posti e curva.',
  'round-table': 'Un clic per un tavolo da 8, o trascina dal centro al bordo.',
  'rectangular-table': box,
  booth: box,
  palco: box,
  area: outline,
  ellipse: box,
  section: `${outline} Ciò che sta dentro entra nel settore.`,
  shape: outline,
  stage: box,
  text: place,
  icon: place,
  image: place,
  'focal-point': 'Un clic dove guarda la sala.',
  paint: 'Passa sui posti. Con ⇧ file intere, con Alt prende la categoria che c’è.',
  measure: 'Trascina da un punto all’altro.',
  scale: 'Trascina lungo una distanza che conosci, poi scrivi quanto misura.',
};
