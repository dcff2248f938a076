/** The live seat map of the till; the chart holds the chosen seats. */
import { useMemo } from 'react';
import { channelColors, noChannel } from '#server/domain/seat/contingent.ts';
import { HallChart, type ObjectColor } from '#apps/admin/kit/hall-chart.tsx';
import { Swatch } from '#apps/admin/seats/kept/swatch.tsx';
import type { Till } from './basket.ts';
import type { TillChart } from './use-till-chart.ts';
import styles from './till.module.css';

/** Made once, because a new object would rebuild the chart. */
const colors = { colorSelected: '#4f8ef7' };

// It runs inside the vendor's frame and sees only its arguments.
const objectColor: ObjectColor = (object, color, extra) =>
  ('status' in object && object.status === 'free' && extra?.colors?.[object.label]) || color;

/** Seats of contingents can be sold too; they have the contingent's colour. */
function useContingents({ contingents }: Till) {
  return useMemo(() => {
    if (contingents.length === 0) return {};
    const painted = contingents.flatMap(({ objects, color }) =>
      objects.map((object) => [object, channelColors[color]] as const),
    );
    return {
      channels: [noChannel, ...contingents.map(({ channel }) => channel)],
      extraConfig: { colors: Object.fromEntries(painted) },
      objectColor,
    };
  }, [contingents]);
}

interface TillMapProps {
  till: Till;
  map: TillChart;
  mostSeats: number;
}

export function TillMap({ till, map, mostSeats }: TillMapProps) {
  const contingents = useContingents(till);
  return (
    <HallChart
      of={till}
      advice="Controlla la connessione e riprova."
      frame={{ className: styles.map, label: 'Pianta dei posti' }}
      generation={map.generation}
      {...map.callbacks}
      {...contingents}
      mode="normal"
      session="continue"
      colors={colors}
      showMinimap={false}
      maxSelectedObjects={mostSeats}
    />
  );
}

export function ContingentLegend({ till: { contingents } }: { till: Till }) {
  if (contingents.length === 0) return null;
  return (
    <ul className={styles.contingents} aria-label="Posti riservati">
      {contingents.map(({ channel, name, color }) => (
        <li key={channel}>
          <Swatch color={color} /> {name}
        </li>
      ))}
    </ul>
  );
}
