/** The position of an object in Italian words: `Settore Platea, fila C`. */
import { labelOf, UNLABELED } from './places.ts';
import type { Doc, Item, Kind } from './data.ts';

const NOUNS: Record<Kind, string> = {
  row: 'fila',
  table: 'tavolo',
  booth: 'séparé',
  area: 'area',
  section: 'settore',
  shape: 'sagoma',
  text: 'testo',
  icon: 'icona',
  image: 'immagine',
};

/** The drawing's own word for its rows, unless it is the vendor's default. */
export function nounOf({ kind, data }: Item): string {
  if (kind === 'table' && data.x_kind === 'palco') return 'palco';
  const { displayObjectType } = data;
  const isOwn =
    kind === 'row' &&
    typeof displayObjectType === 'string' &&
    !['', 'row'].includes(displayObjectType);
  return isOwn ? displayObjectType.toLowerCase() : NOUNS[kind];
}

function floorName(doc: Doc, id: string): string {
  const index = doc.floors.findIndex((floor) => floor.id === id);
  const { floorDisplayName, floorName: name } = doc.floors[index]?.data ?? {};
  return `piano ${floorDisplayName ?? name ?? index + 1}`;
}

function called(item: Item): string {
  const label = labelOf(item.data);
  return label === UNLABELED ? `${nounOf(item)} senza nome` : `${nounOf(item)} ${label}`;
}

export function whereOf(doc: Doc, item: Item): string {
  const section = item.section === null ? undefined : doc.items.get(item.section);
  const parts = [
    ...(doc.floors.length > 1 ? [floorName(doc, item.floor)] : []),
    ...(section ? [called(section)] : []),
    called(item),
  ];
  const where = parts.join(', ');
  return where.charAt(0).toUpperCase() + where.slice(1);
}
