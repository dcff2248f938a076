/** What whoever asks is told while the database is away. */
import { expect } from 'vitest';

export const away = {
  status: 503,
  code: 'database_away',
  message:
    'In questo momento l’archivio del botteghino non risponde. Riprova tra qualche secondo: niente è andato perso.',
};

export async function expectPage(url: string): Promise<void> {
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  const html = await page.text();
  expect([url, page.status, page.headers.get('retry-after') !== null]).toEqual([url, 503, true]);
  expect(html).toContain('La pagina riprova da sola');
}
