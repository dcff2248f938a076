/** Keeps the chosen seats for the holders of a code, or for the counter. */
import { useState } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { ContingentDialog } from '#apps/admin/seats/kept/contingent-dialog.tsx';
import type { OfficeSeat } from './seats.ts';
import type { Contingents } from '#apps/admin/seats/kept/use-contingents.ts';

interface ReserveButtonProps {
  /** The standing area of which some places will be kept; null: named seats. */
  area: string | null;
  free: readonly string[];
  areaFree: number;
  alone: readonly OfficeSeat[];
  names: ReadonlyMap<string, string>;
  startsAt: string;
  contingents: Contingents;
  onRefused: (objects: readonly string[]) => void;
}

export function ReserveButton(props: ReserveButtonProps) {
  const { area, free, names, contingents } = props;
  // The seats free at the press of the button; the map may change meanwhile.
  const [asked, setAsked] = useState<readonly string[] | null>(null);
  const standing = free.length === 0 ? area : null;
  return (
    <>
      <Button onClick={() => setAsked(free)} label="Riserva a un contingente…" />
      {asked !== null && (
        <ContingentDialog
          title={
            standing === null
              ? `Riserva ${formatCount(asked.length, 'posto', 'posti')}`
              : `Riserva posti: ${standing}`
          }
          submitLabel="Riserva"
          startsAt={props.startsAt}
          objects={asked}
          alone={props.alone}
          nameOf={(object) => names.get(object) ?? object}
          {...(standing === null ? {} : { areaFree: props.areaFree })}
          onRefused={props.onRefused}
          onSubmit={async (terms, { objects, places }) => {
            const areas = standing === null ? [] : [{ object: standing, places }];
            await contingents.make({ objects: [...objects], areas }, terms);
            setAsked(null);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
