/** The blocks of an event, with buttons to show, change and remove each. */
import { useState } from 'react';
import { formatListDate } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { actorWords } from '#apps/admin/order/timeline-words.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { BlockDialog } from './block-dialog.tsx';
import { releaseWords, type Block } from './block-words.ts';
import { ShowOnMap } from '#apps/admin/seats/show-on-map.tsx';
import type { Blocks } from './use-blocks.ts';
import styles from './blocks.module.css';

interface BlockListProps {
  blocks: Blocks;
  startsAt: string;
  onShow: (objects: readonly string[]) => void;
}

export function BlockList({ blocks, startsAt, onShow }: BlockListProps) {
  const [edited, setEdited] = useState<Block | null>(null);
  return (
    <Panel as="div">
      <h2 id="blocks-title">Blocchi</h2>
      <Loaded query={blocks.query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={textStyles.soft}>
              Nessun posto bloccato: scegli i posti sulla pianta e premi «Blocca».
            </p>
          ) : (
            <Table
              cards
              aria-labelledby="blocks-title"
              columns={['Motivo', { number: 'Posti' }, 'Scadenza', 'Chi', { hidden: 'Azioni' }]}
            >
              <tbody>
                {items.map((block) => (
                  <Line
                    key={block.block_id}
                    block={block}
                    blocks={blocks}
                    onShow={onShow}
                    onEdit={() => setEdited(block)}
                  />
                ))}
              </tbody>
            </Table>
          )
        }
      </Loaded>
      {edited !== null && (
        <BlockDialog
          title="Modifica il blocco"
          submitLabel="Salva"
          start={edited}
          startsAt={startsAt}
          onSubmit={async (terms) => {
            await blocks.edit(edited, terms);
            setEdited(null);
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  );
}

interface LineProps {
  block: Block;
  blocks: Blocks;
  onShow: (objects: readonly string[]) => void;
  onEdit: () => void;
}

function Line({ block, blocks, onShow, onEdit }: LineProps) {
  const { area, objects, reason } = block;
  return (
    <tr>
      <th scope="row">
        <ShowOnMap
          name={reason}
          color={block.color}
          onShow={() => onShow(area === null ? objects : [area.object])}
        />
        {area !== null && <SecondLine>{area.object}</SecondLine>}
      </th>
      <td className={tableStyles.number}>
        {(area?.places ?? objects.length).toLocaleString('it-IT')}
        <span className={tableStyles.label}> posti</span>
      </td>
      <td>{releaseWords(block.release_at)}</td>
      <td>
        {actorWords(block.actor)}
        <SecondLine>{formatListDate(block.created_at)}</SecondLine>
      </td>
      <td>
        <div className={styles.acts}>
          <Button
            small
            onClick={onEdit}
            aria-label={`Modifica il blocco ${reason}`}
            label="Modifica"
          />
          <AsyncButton
            onClick={() => blocks.release(block)}
            aria-label={`Togli il blocco ${reason}`}
          >
            Togli
          </AsyncButton>
        </div>
      </td>
    </tr>
  );
}
