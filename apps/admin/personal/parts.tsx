/** The tabs of personal data: one person, retention times, register of processing. */
import { Tabs } from '#apps/admin/shell/tabs.tsx';
import type { NavItem } from '#apps/admin/shell/navigation.ts';

const parts: readonly NavItem[] = [
  { to: '/settings/personal', label: 'Una persona', right: 'see_personal_data' },
  {
    to: '/settings/personal/retention',
    label: 'Tempi di conservazione',
    right: 'see_personal_data',
  },
  {
    to: '/settings/personal/register',
    label: 'Registro dei trattamenti',
    right: 'see_personal_data',
  },
];

export function PersonalParts() {
  return <Tabs label="Parti di Dati personali" tabs={parts} />;
}
