/** The proposal: its figures, the groups beside the map, and the button to the next step. */
import { useState } from 'react';
import { dropRehousing, rehousingHall } from '#server/contract/rehousings.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice, Notice } from '#apps/admin/kit/page/notice.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import { Categories } from './categories.tsx';
import { faultWords } from './fault-words.ts';
import { Figures } from './figures.tsx';
import { GroupList } from './group-list.tsx';
import { GroupPanel } from './group-panel.tsx';
import { HallMap } from './hall-map.tsx';
import { LeftOut } from './left-out.tsx';
import {
  choicesFor,
  displacedBy,
  seatsFrom,
  type NewHall,
  type NewPlace,
  type Plan,
  partiesOf,
} from './plan.ts';
import { PlacePanel } from './place-panel.tsx';
import { Priority } from './priority.tsx';
import { StartPanel } from './start-panel.tsx';
import { usePlan } from './use-plan.ts';
import styles from './rehousing.module.css';

interface PlanDeskProps {
  eventId: string;
  plan: Plan;
  onOther: () => void;
}

export function PlanDesk({ eventId, plan, onOther }: PlanDeskProps) {
  const hall = useEndpoint(
    rehousingHall,
    { params: { eventId } },
    { staleTime: 60_000, refetchOnWindowFocus: false },
  );
  const working = usePlan(eventId, plan);
  return (
    <>
      {plan.fault !== null && <Notice tone="warn">{faultWords(plan.fault)}</Notice>}
      <Categories key={`categories ${plan.chart_key}`} eventId={eventId} plan={plan} />
      <Priority plan={plan} working={working} />
      <Figures plan={plan} />
      <Tools eventId={eventId} plan={plan} working={working} onOther={onOther} />
      <FailureNotice text={working.failure} />
      <p role="status" className={styles.said}>
        {working.done}
      </p>
      <Loaded query={hall}>
        {(data) => <Seating plan={plan} hall={data} working={working} />}
      </Loaded>
      <LeftOut plan={plan} working={working} />
      <PlacePanel key={`place ${plan.chart_key}`} eventId={eventId} plan={plan} />
      <StartPanel key={`start ${plan.chart_key}`} eventId={eventId} plan={plan} />
    </>
  );
}

type Working = ReturnType<typeof usePlan>;

interface ToolsProps extends PlanDeskProps {
  working: Working;
}

function Tools({ eventId, plan, working, onOther }: ToolsProps) {
  const change = useChange();
  return (
    <div className={buttonStyles.actions}>
      <Button
        small
        icon="refresh"
        busy={working.busy}
        onClick={() => void working.solve()}
        label="Risolvi di nuovo il resto"
      />
      <Button
        small
        icon="back"
        busy={working.busy}
        disabled={!working.mayUndo}
        onClick={() => void working.takeBack()}
        label="Annulla l’ultima modifica"
      />
      <Button small onClick={onOther} label="Un’altra sala" />
      <AskButton
        label="Lascia perdere"
        title="Lasciare perdere il cambio di sala?"
        text="La proposta e le scelte fatte a mano si perdono. Nessun biglietto cambia."
        confirmLabel="Lascia perdere"
        danger
        onConfirm={() =>
          change(dropRehousing, { params: { eventId }, query: { version: String(plan.version) } })
        }
      />
    </div>
  );
}

interface SeatingProps {
  plan: Plan;
  hall: NewHall;
  working: Working;
}

/** Seats one group at a time, on the map or by typing. */
function Seating({ plan, hall, working }: SeatingProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [picked, setPicked] = useState<readonly string[]>([]);
  const group = plan.groups.find(({ order_id }) => order_id === chosen) ?? null;
  const choose = (order_id: string | null) => {
    setChosen(order_id);
    setPicked([]);
  };
  const pick = (object: string) => {
    if (group === null) {
      const owner = plan.groups.find(({ lines }) => lines.some((l) => l.to_object === object));
      if (owner) choose(owner.order_id);
      return;
    }
    if (picked.includes(object)) return setPicked(picked.filter((one) => one !== object));
    if (picked.length < partiesOf(group).length) setPicked([...picked, object]);
  };
  const carry = (place: NewPlace | null) => {
    if (group !== null)
      setPicked(place === null ? [] : seatsFrom(hall, place, partiesOf(group).length));
  };
  /** Seats the group unless another would lose a seat: then the panel asks. */
  const drop = async () => {
    const choices = group && choicesFor(group, picked, hall);
    if (!choices || displacedBy(plan, group, picked, hall).length > 0) return;
    if (await working.seat(choices)) setPicked([]);
  };
  return (
    <div className={styles.desk}>
      <div className={styles.side}>
        {group !== null && (
          <GroupPanel
            key={group.order_id}
            {...{ plan, hall, group, picked, working }}
            onPicked={setPicked}
            onClose={() => choose(null)}
          />
        )}
        <GroupList plan={plan} chosen={chosen} onChoose={choose} />
      </div>
      <HallMap
        hall={hall}
        plan={plan}
        group={group}
        picked={picked}
        onPick={({ object }) => pick(object)}
        onCarry={carry}
        onDrop={() => void drop()}
      />
    </div>
  );
}
