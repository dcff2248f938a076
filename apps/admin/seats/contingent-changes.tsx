/** Adds chosen seats to a contingent or removes them; from a standing area a number of places. */
import { useState } from 'react';
import { mostBlocked } from '#server/domain/seat/block.ts';
import { formatCount } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { ContingentPick } from './contingent-pick.tsx';
import type { OfficeSeat } from './seats.ts';
import type { Contingent, Contingents } from '#apps/admin/seats/kept/use-contingents.ts';

interface ContingentChangesProps {
  seats: readonly OfficeSeat[];
  /** Free chosen seats that are in no contingent. */
  plain: readonly string[];
  names: ReadonlyMap<string, string>;
  /** The standing area, if nothing else is chosen. */
  standing: string | null;
  areaFree: number;
  contingents: Contingents;
  onRefused: (objects: readonly string[]) => void;
}

export function ContingentChanges(props: ContingentChangesProps) {
  const { contingents, standing } = props;
  const live = (contingents.query.data?.items ?? []).filter(({ is_live }) => is_live);
  if (!contingents.may || live.length === 0) return null;
  return standing === null ? (
    <>
      <AddButton {...props} live={live} />
      <RemoveButton {...props} live={live} />
    </>
  ) : (
    <AreaButtons {...props} area={standing} live={live} />
  );
}

type Live = { live: readonly Contingent[] };

function AddButton(props: ContingentChangesProps & Live) {
  const { plain, names, live, contingents } = props;
  // The seats free at the press of the button; the map may change meanwhile.
  const [asked, setAsked] = useState<readonly string[] | null>(null);
  const count = asked?.length ?? plain.length;
  return (
    <>
      {plain.length > 0 && (
        <Button onClick={() => setAsked(plain)} label="Aggiungi a un contingente…" />
      )}
      {asked !== null && (
        <ContingentPick
          title={`Aggiungi ${formatCount(count, 'posto', 'posti')}`}
          submitLabel="Aggiungi"
          contingents={live}
          objects={asked}
          nameOf={(object) => names.get(object) ?? object}
          onRefused={props.onRefused}
          onSubmit={async (contingent, { objects }) => {
            await contingents.add(contingent, { objects: [...objects], areas: [] });
            setAsked(null);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** Asks no question, because the removal can be undone. */
function RemoveButton({ seats, live, contingents }: ContingentChangesProps & Live) {
  const kept = seats.filter(
    ({ contingent, occupant, isArea }) => contingent !== null && occupant === null && !isArea,
  );
  const objects = [...new Set(kept.map(({ object }) => object))].slice(0, mostBlocked);
  // Seats that only the map still has in a contingent are left out.
  const from = live
    .map((contingent) => {
      const own = new Set(contingent.objects);
      return { contingent, objects: objects.filter((object) => own.has(object)) };
    })
    .filter((part) => part.objects.length > 0);
  if (from.length === 0) return null;
  const count = from.reduce((sum, part) => sum + part.objects.length, 0);
  const [only] = from;
  return (
    <AsyncButton onClick={() => contingents.remove(from)}>
      Togli {formatCount(count, 'posto', 'posti')}{' '}
      {from.length === 1 ? `da ${only!.contingent.name}` : 'dai contingenti'}
    </AsyncButton>
  );
}

function AreaButtons({
  area,
  areaFree,
  live,
  contingents,
}: ContingentChangesProps & Live & { area: string }) {
  const [asked, setAsked] = useState<'add' | 'remove' | null>(null);
  const having = live.filter(({ areas }) => areas.some(({ object }) => object === area));
  const close = () => setAsked(null);
  const standing = (places: number) => ({ objects: [], areas: [{ object: area, places }] });
  return (
    <>
      {areaFree > 0 && (
        <Button onClick={() => setAsked('add')} label="Aggiungi a un contingente…" />
      )}
      {having.length > 0 && (
        <Button onClick={() => setAsked('remove')} label="Togli da un contingente…" />
      )}
      {asked === 'add' && (
        <ContingentPick
          title={`Aggiungi posti: ${area}`}
          submitLabel="Aggiungi"
          contingents={live}
          areaFree={areaFree}
          onSubmit={async (contingent, { places }) => {
            await contingents.add(contingent, standing(places));
            close();
          }}
          onClose={close}
        />
      )}
      {asked === 'remove' && (
        <ContingentPick
          title={`Togli posti: ${area}`}
          submitLabel="Togli"
          contingents={having}
          areaFree={areaFree}
          placesHint="Solo quelli che nessuno ha ancora comprato."
          onSubmit={async (contingent, { places }) => {
            await contingents.remove([{ contingent, ...standing(places) }]);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
