/** The seating chart of an event with a waiting room, which decides when to show the chart. */
import { QueueRoom } from '#apps/booking/queue/room.tsx';
import { SeatChart, type SeatChartProps } from './seat-chart.tsx';

export function QueuedChart(props: SeatChartProps) {
  const chart = (holdToken?: string) => (
    <SeatChart key={holdToken} {...props} holdToken={holdToken} />
  );
  return <QueueRoom {...props} chart={chart} />;
}
