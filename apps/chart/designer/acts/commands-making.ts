/**
 * Commands that multiply what exists: copies in series, aisles, seats between others, boxes along
 * a row.
 */
import { setAisle, type AisleAt } from '#server/drawing/edit/rows/aisle.ts';
import { insertSeat } from '#server/drawing/edit/rows/resize.ts';
import { rowsOf } from '#server/drawing/edit/targets.ts';
import type { Selection } from '#server/drawing/model/selection.ts';
import type { DesignerContext } from '#apps/chart/designer/context.ts';
import type { Command } from './command.ts';

/** In units of the drawing; about a metre where a seat is half a metre wide. */
const AISLE = 36;

/** The aisles after the last selected seat of each row. */
function afterSeats({ seats }: Selection): AisleAt[] {
  return [...seats].map(([id, positions]) => ({ id, after: Math.max(...positions) }));
}

function openAisle({ studio }: DesignerContext): void {
  const { doc, selection } = studio.state;
  const edit = setAisle(doc, afterSeats(selection), AISLE, 'middle');
  if (edit) studio.act(edit);
  else studio.say('Qui non c’è un posto dopo: il corridoio non serve.');
}

function closeAisle({ studio }: DesignerContext): void {
  const { doc, selection } = studio.state;
  const places = afterSeats(selection).filter(({ id, after }) =>
    rowsOf(doc, [id]).some(({ data }) => data.seats[after]?.x_gapAfter === true),
  );
  if (places.length > 0) studio.act(setAisle(doc, places, null, 'middle'));
  else studio.say('Dopo questo posto non c’è un corridoio.');
}

function aisleInMiddle({ studio }: DesignerContext): void {
  const { doc, selection } = studio.state;
  const places = rowsOf(doc, selection.items).map(({ id, data }) => ({
    id,
    after: Math.ceil(data.seats.length / 2) - 1,
  }));
  studio.act(setAisle(doc, places, AISLE, 'middle'));
}

function seatAfter({ studio, newId }: DesignerContext): void {
  const { doc, selection } = studio.state;
  const [place] = afterSeats(selection);
  if (place) studio.act(insertSeat(doc, place.id, place.after + 1, newId));
}

function command(id: string, title: string, more: Omit<Command, 'id' | 'title' | 'menu'>): Command {
  return { id, title, menu: 'rows', changes: true, ...more };
}

export const makingCommands: readonly Command[] = [
  command('seat-after', 'Aggiungi un posto dopo questo', {
    needs: 'one-seat',
    inContext: true,
    run: seatAfter,
  }),
  command('aisle', 'Apri un corridoio dopo questo posto', {
    needs: 'selection',
    inContext: true,
    run: openAisle,
  }),
  command('close-aisle', 'Chiudi il corridoio', { needs: 'selection', run: closeAisle }),
  command('aisle-middle', 'Corridoio in mezzo alle file', { needs: 'rows', run: aisleInMiddle }),
  command('palchi', 'Palchi lungo la fila…', {
    feature: 'tables',
    needs: 'rows',
    run: ({ openDialog }) => openDialog('palchi'),
  }),
  command('copies', 'Copie in serie…', {
    needs: 'objects',
    keys: ['Ctrl+Maiusc+D'],
    run: ({ openDialog }) => openDialog('copies'),
  }),
  command('to-floor', 'Porta su un altro piano…', {
    needs: 'objects',
    inContext: true,
    run: ({ openDialog }) => openDialog('to-floor'),
  }),
];
