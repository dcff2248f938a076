/** The acts on chosen seats: block, unblock, take out of a cart, sell at the counter. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { mostBlocked } from '#server/domain/seat/block.ts';
import { mostCounterSeats } from '#server/domain/counter/counter.ts';
import { formatCount } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { BlockDialog } from '#apps/admin/seats/kept/block-dialog.tsx';
import { ContingentChanges } from './contingent-changes.tsx';
import type { OfficeSeat } from './seats.ts';
import { ReserveButton } from './reserve-button.tsx';
import type { Blocks } from '#apps/admin/seats/kept/use-blocks.ts';
import type { Contingents } from '#apps/admin/seats/kept/use-contingents.ts';
import styles from '#apps/admin/seats/kept/blocks.module.css';

interface SeatActionsProps {
  /** Chosen seats, or all places of one standing area. */
  seats: readonly OfficeSeat[];
  areaFree: number;
  eventId: string;
  startsAt: string;
  blocks: Blocks;
  contingents: Contingents;
  /** Wheelchair spaces without a companion seat. */
  alone: readonly OfficeSeat[];
  /** Gets the seats that could not be blocked. */
  onRefused: (objects: readonly string[]) => void;
}

export function SeatActions(props: SeatActionsProps) {
  const { seats, areaFree, eventId, blocks } = props;
  const maySell = useMay('sell');
  const { area, standing, names, free, plain, held, blocked } = sortOut(seats);
  return (
    <div className={styles.actions}>
      <BlockButton {...props} standing={standing} free={free} names={names} />
      {props.contingents.may && (standing === null ? plain.length > 0 : areaFree > 0) && (
        <ReserveButton {...props} area={area} free={plain} names={names} />
      )}
      <ContingentChanges {...props} plain={plain} names={names} standing={standing} />
      {free.length > mostBlocked && (
        <p>Si bloccano al massimo {mostBlocked.toLocaleString('it-IT')} posti per volta.</p>
      )}
      {blocked.length > 0 && (
        <AsyncButton onClick={() => blocks.unblock(blocked)}>
          Sblocca {tellSeats(blocked.length)}
        </AsyncButton>
      )}
      {maySell && free.length > 0 && free.length <= mostCounterSeats && (
        <Link className="ui-button" to={sellPath(eventId, free)}>
          {free.length === 1 ? 'Vendi questo posto' : 'Vendi questi posti'}
        </Link>
      )}
      {held.length > 0 && (
        <AskButton
          small={false}
          danger
          label="Libera dal carrello…"
          title={held.length === 1 ? 'Libera il posto' : `Libera ${held.length} posti`}
          text="Chi li ha nel carrello li perde subito, anche se sta per pagare. Fallo solo se sai che nessuno li sta comprando: non si può annullare."
          confirmLabel="Libera"
          onConfirm={() => blocks.freeHolds(held)}
        />
      )}
    </div>
  );
}

/** The chosen seats by possible act; `standing` is set if nothing but this area is chosen. */
function sortOut(seats: readonly OfficeSeat[]) {
  const area = seats.find(({ isArea }) => isArea)?.object ?? null;
  const named = seats.filter(({ isArea }) => !isArea);
  // The seats of a table that is sold as a whole share one object.
  const objectsOf = (is: (seat: OfficeSeat) => boolean) => [
    ...new Set(named.filter(is).map(({ object }) => object)),
  ];
  return {
    area,
    standing: named.length === 0 ? area : null,
    names: new Map(named.map(({ object, objectName }) => [object, objectName])),
    free: objectsOf(({ state }) => state === 'free'),
    plain: objectsOf(({ state, contingent }) => state === 'free' && contingent === null).slice(
      0,
      mostBlocked,
    ),
    held: objectsOf(({ state }) => state === 'held'),
    blocked: objectsOf(({ block }) => block !== null),
  };
}

interface BlockButtonProps extends SeatActionsProps {
  standing: string | null;
  free: readonly string[];
  names: ReadonlyMap<string, string>;
}

function BlockButton({ standing, free, names, areaFree, blocks, ...props }: BlockButtonProps) {
  // The seats free at the press of the button; the map may change meanwhile.
  const [asked, setAsked] = useState<readonly string[] | null>(null);
  const isArea = standing !== null;
  const canBlock = isArea ? areaFree > 0 : free.length > 0 && free.length <= mostBlocked;
  return (
    <>
      {canBlock && (
        <Button
          look="primary"
          onClick={() => setAsked(free)}
          label={isArea ? 'Blocca alcuni posti…' : `Blocca ${tellSeats(free.length)}…`}
        />
      )}
      {asked !== null && (
        <BlockDialog
          title={isArea ? `Blocca posti: ${standing}` : `Blocca ${tellSeats(asked.length)}`}
          submitLabel="Blocca"
          startsAt={props.startsAt}
          objects={asked}
          nameOf={(object) => names.get(object) ?? object}
          {...(isArea ? { areaFree } : {})}
          onRefused={props.onRefused}
          onSubmit={async (terms, { objects, places }) => {
            if (isArea) await blocks.blockArea(standing, places, terms);
            else await blocks.block(objects, terms);
            setAsked(null);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

function tellSeats(count: number): string {
  return formatCount(count, 'posto', 'posti');
}

function sellPath(eventId: string, objects: readonly string[]): string {
  const chosen = new URLSearchParams(objects.map((object) => ['posti', object]));
  return `/sell/event/${encodeURIComponent(eventId)}?${chosen.toString()}`;
}
