/** The next price of a ticket type, in the words of the server's answer. */
import type { Choice } from '#apps/booking/event/seats/choices.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';

export function nextWords(
  next: EventReply['next_prices'],
  of: { category: string; ticketType: string },
): string | undefined {
  return next.find(
    ({ category, ticketType }) => category === of.category && ticketType === of.ticketType,
  )?.words;
}

/** "Platea, Intero: dal 10 dicembre 25,00 €", each kind of chosen ticket once. */
export function nextOfChosen(
  next: EventReply['next_prices'],
  choices: readonly Choice[],
): string[] {
  const said = choices.flatMap(({ sold, type_label }) => {
    if (sold === null) return [];
    const { category, ticket_type: ticketType } = sold;
    const words = nextWords(next, { category, ticketType });
    const what = type_label === null ? category : `${category}, ${type_label}`;
    return words === undefined ? [] : [`${what}: ${words}`];
  });
  return [...new Set(said)];
}
