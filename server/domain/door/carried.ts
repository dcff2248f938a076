/**
 * The label of the two scans of a guest who was inside when the ticket got another code
 * (RULES M5).
 */
export const carriedWords = ['Cambio posto', 'Biglietto emesso di nuovo'] as const;
export type CarriedWords = (typeof carriedWords)[number];
export const [movedWords, reissuedWords] = carriedWords;

/** Whether the house wrote this scan for a guest who was inside. */
export function isCarried({ phone_id, note }: { phone_id: string | null; note: string | null }) {
  return phone_id === null && carriedWords.some((words) => words === note);
}
