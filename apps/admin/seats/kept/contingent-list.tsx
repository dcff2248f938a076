/** The contingents of an event, with buttons to show, change, release and restore each. */
import { useState } from 'react';
import { formatCount, formatListDate } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { codeLink } from '#apps/admin/kit/code-link.ts';
import { CopyField } from '#apps/admin/kit/copy-field.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { OutLink } from '#apps/admin/kit/out-link.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { actorWords } from '#apps/admin/order/timeline-words.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { releaseWords } from './block-words.ts';
import { ContingentDialog } from './contingent-dialog.tsx';
import type { Hall } from '#apps/admin/seats/seats.ts';
import { ShowOnMap } from '#apps/admin/seats/show-on-map.tsx';
import type { Contingent, Contingents } from './use-contingents.ts';
import styles from './blocks.module.css';

interface ContingentListProps {
  contingents: Contingents;
  event: Hall['event'];
  onShow: (objects: readonly string[]) => void;
  onPrint: (contingent: Contingent) => void;
}

const columns = ['Nome', 'Venduti', 'Vendita', 'Scadenza', { hidden: 'Azioni' }];

export function ContingentList(props: ContingentListProps) {
  const { contingents, event } = props;
  const [edited, setEdited] = useState<Contingent | null>(null);
  return (
    <Panel as="div">
      <h2 id="contingents-title">Contingenti</h2>
      <Loaded query={contingents.query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={textStyles.soft}>
              Nessun contingente: scegli i posti sulla pianta e premi «Riserva a un contingente».
            </p>
          ) : (
            <Table cards aria-labelledby="contingents-title" columns={columns}>
              <tbody>
                {items.map((contingent) => (
                  <Line
                    key={contingent.contingent_id}
                    {...props}
                    contingent={contingent}
                    onEdit={() => setEdited(contingent)}
                  />
                ))}
              </tbody>
            </Table>
          )
        }
      </Loaded>
      {edited !== null && (
        <ContingentDialog
          title="Modifica il contingente"
          submitLabel="Salva"
          start={edited}
          startsAt={event.starts_at}
          onSubmit={async (terms) => {
            await contingents.edit(edited, terms);
            setEdited(null);
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  );
}

type LineProps = ContingentListProps & { contingent: Contingent; onEdit: () => void };

function Line({ contingent, contingents, event, onShow, onPrint, onEdit }: LineProps) {
  const { name, color, objects, areas, places, sold, is_live, release_at, released_at } =
    contingent;
  return (
    <tr>
      <th scope="row">
        <ShowOnMap
          name={name}
          color={color}
          onShow={() => onShow([...objects, ...areas.map(({ object }) => object)])}
        />
        <SecondLine>
          {actorWords(contingent.actor)}, {formatListDate(contingent.created_at)}
        </SecondLine>
        {areas.map(({ object, places: standing }) => (
          <SecondLine key={object}>
            {object}: {formatCount(standing, 'posto', 'posti')}
          </SecondLine>
        ))}
      </th>
      <td>
        {sold.toLocaleString('it-IT')} di {places.toLocaleString('it-IT')}
        <SecondLine>{formatCount(places - sold, 'rimasto', 'rimasti')}</SecondLine>
      </td>
      <td>
        <Way contingent={contingent} event={event} />
      </td>
      <td>
        {is_live || released_at === null
          ? releaseWords(release_at)
          : `Liberato il ${formatListDate(released_at)}`}
      </td>
      <td>
        <div className={styles.acts}>
          {contingent.code !== null && is_live && (
            <Button
              small
              onClick={() => onPrint(contingent)}
              aria-label={`Stampa il codice di ${name}`}
              icon="print"
              label="Stampa"
            />
          )}
          <Button
            small
            onClick={onEdit}
            aria-label={`Modifica il contingente ${name}`}
            label="Modifica"
          />
          <FreeOrKeep contingent={contingent} contingents={contingents} />
        </div>
      </td>
    </tr>
  );
}

/** How a contingent is sold: by its code and link, or at the counter. */
function Way({ contingent: { code, is_live }, event }: Pick<LineProps, 'contingent' | 'event'>) {
  if (code === null) return 'Solo alla cassa';
  if (!is_live) return <span className={textStyles.soft}>Codice {code}, chiuso</span>;
  return (
    <div className={styles.way}>
      <CopyField label="Codice" text={code} />
      <OutLink href={codeLink(event, code)}>La pagina con il codice</OutLink>
    </div>
  );
}

function FreeOrKeep({ contingent, contingents }: Pick<LineProps, 'contingent' | 'contingents'>) {
  const { name, places, sold, is_live } = contingent;
  if (!is_live)
    return (
      <AsyncButton
        onClick={() => contingents.restore(contingent)}
        aria-label={`Riserva di nuovo ${name}`}
      >
        Riserva di nuovo
      </AsyncButton>
    );
  return (
    <AskButton
      label="Libera…"
      title={`Libera ${name}`}
      text={`${formatCount(places - sold, 'posto torna', 'posti tornano')} subito in vendita per tutti, e il codice non apre più nulla. Quelli venduti restano venduti.`}
      confirmLabel="Libera"
      onConfirm={() => contingents.release(contingent)}
    />
  );
}
