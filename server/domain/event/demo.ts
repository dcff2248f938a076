/** What a first start makes, and when a date of it becomes one of the house. */

/** The keys of the halls that our own seat map has from its first start. */
export const sampleCharts = [
  'arena',
  'sala-delle-feste',
  'sala-nera',
  'teatro-dell-opera',
  'teatro-goldoni',
] as const;

/** The office makes a date of the demo its own by giving it another title. */
export function demoAfter(
  before: { demo: 0 | 1; title: string },
  { title }: { title: string },
): 0 | 1 {
  return before.title === title ? before.demo : 0;
}

/** The first words of its page, as HTML. */
export const demoNote =
  '<p><strong>DEMO</strong> Spettacolo inventato: serve a provare il sito.</p>';
