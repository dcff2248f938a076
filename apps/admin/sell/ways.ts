/** The ways to pay at the till, each with a key. */
export type Way = 'cash' | 'pos' | 'gift' | 'later' | 'split' | 'by_hand' | 'even';

export interface PayWay {
  way: Way;
  key: string;
  label: string;
}

export const ways: readonly PayWay[] = [
  { way: 'cash', key: 'F2', label: 'Contanti' },
  { way: 'pos', key: 'F4', label: 'POS' },
  { way: 'gift', key: 'F7', label: 'Omaggio' },
  { way: 'later', key: 'F8', label: 'Prenota' },
  { way: 'split', key: 'F9', label: 'Misto' },
  { way: 'by_hand', key: 'F10', label: 'Sconto' },
];

/** False: it needs no drawer. */
export function takesMoney(way: Way): boolean {
  return !['gift', 'later', 'even'].includes(way);
}

/** An exchange that costs nothing more. */
const even: PayWay = { way: 'even', key: 'F2', label: 'Conferma il cambio' };

/** How the difference of an exchange is paid. */
export function waysOfExchange(due: number): readonly PayWay[] {
  return due === 0 ? [even] : ways.filter(({ way }) => ['cash', 'pos', 'split'].includes(way));
}
