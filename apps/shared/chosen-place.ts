/** Names a place that was chosen on the seat map, as far as the map's script knows it. */
import { lineName, seatName, wholeName, type PlaceKind } from '#server/domain/seat/seat-name.ts';

/** The used part of seats.io's objects. */
export interface ChosenObject {
  label: string;
  labels: { own: string; parent?: string; section?: string };
  objectType: string;
  category?: { key: string | number; label: string };
  selectedTicketType?: string;
  numSelected?: number;
  selectionPerTicketType?: Record<string, number>;
  restrictedView?: boolean;
  accessible?: boolean;
  companionSeat?: boolean;
  bookAsAWhole?: boolean;
  /** The drawing's word for a row or table. */ displayObjectType?: string;
  parent?: { type: 'row' | 'table' };
}

const kinds: Record<string, PlaceKind> = {
  Seat: 'seat',
  Table: 'table',
  Booth: 'booth',
  GeneralAdmissionArea: 'area',
};

/** Undefined for what is no place, such as a section. */
export function placeKindOf({ objectType }: ChosenObject): PlaceKind | undefined {
  return kinds[objectType];
}

export function chosenName(object: ChosenObject): string {
  const { own, parent, section = null } = object.labels;
  const kind = placeKindOf(object) ?? 'seat';
  const word = object.displayObjectType;
  const row = parent ? lineName(object.parent?.type ?? 'row', { word, label: parent }) : null;
  const seat = kind === 'table' ? lineName('table', { word, label: own }) : own;
  return (object.bookAsAWhole === true ? wholeName : seatName)({ kind, section, row, seat });
}
