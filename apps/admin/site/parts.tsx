/** The tabs of "Sito e aspetto": texts and look. */
import { Tabs } from '#apps/admin/shell/tabs.tsx';
import type { NavItem } from '#apps/admin/shell/navigation.ts';

const parts: readonly NavItem[] = [
  { to: '/settings/site', label: 'Dati e testi', right: 'change_site' },
  { to: '/settings/site/look', label: 'Aspetto, posta e biglietti', right: 'change_site' },
];

export function SiteParts() {
  return <Tabs label="Parti di Sito e aspetto" tabs={parts} />;
}
