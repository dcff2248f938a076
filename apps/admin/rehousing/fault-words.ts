/** Words for why a change of hall failed. */
const words: Record<string, string> = {
  hall_changed:
    'L’ultimo avvio si è fermato: la pianta della nuova sala è cambiata nel frattempo. Nessuno è stato spostato. Risolvi di nuovo il resto, controlla e riprova.',
  newcomer_unplaced:
    'L’ultimo avvio si è fermato: nel frattempo è arrivato un ordine per cui non c’è posto. Nessuno è stato spostato. Risolvi di nuovo il resto e sistema chi manca.',
  guest_inside:
    'L’ultimo avvio si è fermato: qualcuno è già entrato in sala. Nessuno è stato spostato: da adesso si spostano solo i singoli posti.',
  answers_late:
    'L’ultimo avvio si è fermato: il termine entro cui gli acquirenti rispondono è passato. Nessuno è stato spostato. Scegli un altro termine in «Luogo e motivo» e riprova.',
  event_cancelled: 'L’ultimo avvio si è fermato: l’evento è stato annullato.',
};

export function faultWords(fault: string): string {
  return words[fault] ?? 'L’ultimo avvio si è fermato. Nessuno è stato spostato.';
}
