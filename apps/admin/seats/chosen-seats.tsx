/** The chosen seats beside the map or over it: one seat with its occupant, or several. */
import { useEffect, useState } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Scroller } from '#apps/admin/kit/page/scroller.tsx';
import { ChosenCounts } from './chosen-panel.tsx';
import { SeatPanel } from './panel.tsx';
import { SeatActions } from './seat-actions.tsx';
import { withoutCompanion, partnersOf, type Hall, type OfficeSeat, type Seats } from './seats.ts';
import type { Blocks } from '#apps/admin/seats/kept/use-blocks.ts';
import type { Contingents } from '#apps/admin/seats/kept/use-contingents.ts';
import blockStyles from '#apps/admin/seats/kept/blocks.module.css';
import styles from './seat-map.module.css';

interface ChosenSeatsProps {
  hall: Hall;
  now: Seats;
  seats: readonly OfficeSeat[];
  chosen: readonly string[];
  /** The user is choosing several seats, so nothing may cover the map. */
  isMany: boolean;
  blocks: Blocks;
  contingents: Contingents;
  onVisit: (seat: OfficeSeat) => void;
  onRefused: (objects: readonly string[]) => void;
  onClose: () => void;
}

export function ChosenSeats(props: ChosenSeatsProps) {
  const narrow = useNarrow();
  const wanted = new Set(props.chosen);
  const at = props.seats.filter((seat) => wanted.has(seat.object));
  const [seat] = at;
  const isOver = narrow && props.chosen.length === 1 && !props.isMany;
  if (isOver)
    return (
      seat && (
        <Modal title={seat.isArea ? seat.seat : seat.objectName} onClose={props.onClose}>
          <Chosen {...props} at={at} />
        </Modal>
      )
    );
  if (narrow && seat === undefined) return null;
  return (
    <Scroller
      as="aside"
      className={narrow ? blockStyles.inline : styles.side}
      aria-label={props.chosen.length > 1 ? 'I posti scelti' : 'Il posto scelto'}
      aria-live="polite"
    >
      {seat ? <Chosen {...props} at={at} /> : <NothingChosen />}
    </Scroller>
  );
}

function Chosen(props: ChosenSeatsProps & { at: readonly OfficeSeat[] }) {
  const { hall, now, seats, chosen, blocks, at } = props;
  const [first] = at;
  if (first === undefined) return null;
  const area = now.areas.find(({ object }) => object === first.object) ?? null;
  const people = at.filter(({ occupant }) => occupant !== null).length;
  return (
    <>
      {chosen.length > 1 ? (
        <ChosenCounts seats={at} />
      ) : (
        <SeatPanel
          seats={[first, ...at.slice(1)]}
          area={area}
          areaBlocks={blocks.blocks.filter((block) => block.area?.object === first.object)}
          contingents={now.contingents}
          partners={partnersOf(seats, first)}
          onVisit={props.onVisit}
          onClose={props.onClose}
        />
      )}
      <SeatActions
        seats={at}
        areaFree={Math.max(0, at.length - people - (area?.held ?? 0) - (area?.blocked ?? 0))}
        eventId={hall.event.id}
        startsAt={hall.event.starts_at}
        blocks={blocks}
        contingents={props.contingents}
        alone={withoutCompanion(seats, at)}
        onRefused={props.onRefused}
      />
    </>
  );
}

function NothingChosen() {
  return (
    <div className={styles.hint}>
      <Icon name="armchair" size={28} />
      <p>
        Tocca un posto sulla pianta, o cercalo, per sapere di chi è. Con Ctrl ne scegli altri; con
        il quadrato sotto la pianta ne scegli molti, disegnando un rettangolo.
      </p>
    </div>
  );
}

/** On a narrow screen the panel covers the chart. */
function useNarrow(): boolean {
  const [query] = useState(() => matchMedia('(max-width: 899px)'));
  const [narrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const change = () => setNarrow(query.matches);
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, [query]);
  return narrow;
}
