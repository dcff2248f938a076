/** Pairs a companion's seat with a wheelchair place, which need not be beside it. */
import type { Doc, SeatData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { seatsOf } from '#server/drawing/model/selection.ts';
import { isSeated, withSeats, type NewId } from './targets.ts';

interface SeatAt {
  id: string;
  position: number;
}

function seatAt(doc: Doc, { id, position }: SeatAt): SeatData | undefined {
  return seatsOf(doc.items.get(id))[position];
}

function change(draft: EditDraft, { id, position }: SeatAt, seat: SeatData): void {
  const item = draft.doc.items.get(id);
  if (isSeated(item)) draft.put(withSeats(item, item.data.seats.with(position, seat)));
}

/** Pairs the seats and gives both their marks. */
export function pairCompanion(
  doc: Doc,
  wheelchair: SeatAt,
  companion: SeatAt,
  newId: NewId,
): Edit | null {
  const [place, beside] = [seatAt(doc, wheelchair), seatAt(doc, companion)];
  if (!place || !beside || place === beside) return null;
  const uuid = typeof place.uuid === 'string' && place.uuid !== '' ? place.uuid : newId();
  if (beside.x_companionOf === uuid && beside.companionSeat === true && place.accessible === true)
    return null;
  const { x_companionOf: _, companionSeat: __, ...chair } = place;
  const { accessible: ___, ...seat } = beside;
  const draft = new EditDraft(doc);
  change(draft, wheelchair, { ...chair, uuid, accessible: true });
  change(draft, companion, { ...seat, companionSeat: true, x_companionOf: uuid });
  return draft.finish('pair');
}

export function unpairCompanion(doc: Doc, companion: SeatAt): Edit | null {
  const seat = seatAt(doc, companion);
  if (seat?.x_companionOf === undefined) return null;
  const { x_companionOf: _, ...alone } = seat;
  const draft = new EditDraft(doc);
  change(draft, companion, alone);
  return draft.finish('unpair');
}
