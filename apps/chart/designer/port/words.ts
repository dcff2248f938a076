/** The sentences about an unreadable file, and about what was left out. */
import { UnreadableTable, sayAtLine, tableFaultWords } from '#server/domain/text/table-fault.ts';
import { UnreadableFile, type Unreadable } from '#server/drawing/port/values.ts';
import { UnreadableDrawing } from '#server/drawing/model/open.ts';
import { UnreadableSvg, type SvgFault } from './svg/clean.ts';

const files: Record<Unreadable, string> = {
  'not-json': 'Il file non è JSON, oppure è incompleto.',
  'too-deep': 'Il file è annidato troppe volte: non è una pianta.',
  'not-this-format':
    'Non riconosco il formato. Leggo SVG, tabelle CSV con le colonne «fila» e «posto», piante di pretix e disegni di seats.io.',
  'no-seats': 'Nel file non c’è nessun posto.',
  'too-large': 'Il file è troppo grande: più di 100.000 posti.',
};
const pictures: Record<SvgFault, string> = {
  'not-svg': 'Il disegno non si legge. Salvalo di nuovo come «SVG semplice» e riprova.',
  'too-large': 'Il disegno è troppo grande: elimina sfondi e decorazioni e riprova.',
  'too-deep': 'Il disegno ha troppi gruppi uno dentro l’altro.',
  empty: 'Nel disegno non c’è nessuna forma.',
};

export function faultOf(error: unknown): string {
  if (error instanceof UnreadableFile) return files[error.reason];
  if (error instanceof UnreadableTable)
    return error.fault === 'not_a_table'
      ? files['not-this-format']
      : sayAtLine(tableFaultWords[error.fault], error.line);
  if (error instanceof UnreadableSvg) return pictures[error.reason];
  if (error instanceof UnreadableDrawing) return files['not-this-format'];
  reportError(error);
  return 'Il file non si legge.';
}
