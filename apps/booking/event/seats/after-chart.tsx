/** What is fetched once the chart is drawn, because nothing can be chosen before that. */
import './chosen-seats.tsx';
import '#apps/booking/event/hold-clock.tsx';
import { useChoices } from './use-choices.ts';

export function AfterChart(props: Parameters<typeof useChoices>[0]) {
  useChoices(props);
  return null;
}
