/** What the owner reads when our own seat map does not know events of the house. */
import type { Finding } from './alert.ts';

/** What to say of these events, and what to do; null if there is none. */
export function tellLostCharts(lost: readonly { title: string }[]): Finding | null {
  const [first] = lost;
  if (first === undefined) return null;
  const titles = [...new Set(lost.map(({ title }) => `«${title}»`))];
  const more = titles.length > 5 ? ` e altri ${titles.length - 5}` : '';
  return {
    state: 'red',
    sentence: 'Manca la pianta dei posti di eventi in vendita.',
    mend: `${titles.slice(0, 5).join(', ')}${more}: la vendita è ferma. Ferma il programma e ripristina l’ultima copia (npm run admin -- restore FILE), che contiene le piante; poi si vende di nuovo da solo.`,
  };
}
