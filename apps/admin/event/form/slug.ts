/** The address of an event’s page: suggested from the title, and checked. */
import { slugForm, slugMax as longest } from '#server/domain/event/event.ts';

/** «L’elisir d’amore – Prima» becomes "l-elisir-d-amore-prima", cut after a word if possible. */
export function suggestSlug(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (words.length <= longest) return words;
  const cut = words.slice(0, longest + 1).replace(/-[^-]*$/, '');
  return cut.slice(0, longest).replace(/-$/, '');
}

/** One Italian sentence; null if the server will accept it. */
export function slugFault(slug: string): string | null {
  if (slug === '') return 'Scrivi l’indirizzo della pagina.';
  if (slug.length > longest) return `Al massimo ${longest} caratteri.`;
  return slugForm.test(slug)
    ? null
    : 'Solo lettere minuscole senza accenti, cifre e trattini singoli, per esempio «concerto-di-natale».';
}
