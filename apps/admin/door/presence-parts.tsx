/** A table of sections or categories with the people inside each, as figures and as a bar. */
import { useId } from 'react';
import { Meter } from '#apps/admin/kit/meter.tsx';
import type { Presence } from './presence-words.ts';
import { Panel } from '#apps/admin/kit/panel.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import styles from './presence.module.css';

export function PresenceParts({
  title,
  name,
  parts,
}: {
  title: string;
  name: string;
  parts: Presence['by_section'];
}) {
  const id = useId();
  // One part is the whole, which stands above already.
  if (parts.length < 2) return null;
  return (
    <Panel aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <Table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{name}</th>
            <th scope="col" className={tableStyles.number}>
              Presenti
            </th>
            <th scope="col" className={tableStyles.number}>
              Biglietti
            </th>
            <th scope="col" className={tableStyles.number}>
              Posti
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.name}>
              <th scope="row">
                {part.name}
                <Meter {...part} className={styles.meter} />
              </th>
              <td className={tableStyles.number}>
                <b>{part.inside.toLocaleString('it-IT')}</b>
              </td>
              <td className={tableStyles.number}>{part.sold.toLocaleString('it-IT')}</td>
              <td className={tableStyles.number}>{part.places.toLocaleString('it-IT')}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
