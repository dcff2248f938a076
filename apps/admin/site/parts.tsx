/** The two parts of "Sito e aspetto": what is said, and how it looks. */
import { Tabs } from '#apps/admin/shell/tabs.tsx';
import type { Way } from '#apps/admin/shell/ways.ts';

const parts: readonly Way[] = [
  { to: '/settings/site', label: 'Dati e testi', right: 'change_site' },
  { to: '/settings/site/look', label: 'Aspetto, posta e biglietti', right: 'change_site' },
];

export function SiteParts() {
  return <Tabs label="Parti di Sito e aspetto" tabs={parts} />;
}
