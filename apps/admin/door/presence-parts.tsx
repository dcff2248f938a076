/** A table of sections or categories with the people inside each, as figures and as a bar. */
import { useId } from 'react';
import { Meter } from '#apps/admin/kit/meter.tsx';
import type { Presence } from './presence-words.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import styles from './presence.module.css';

interface PresencePartsProps {
  title: string;
  name: string;
  parts: Presence['by_section'];
}

export function PresenceParts({ title, name, parts }: PresencePartsProps) {
  const id = useId();
  // A single part would repeat the total above.
  if (parts.length < 2) return null;
  return (
    <Panel aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <Table
        className={styles.table}
        columns={[name, { number: 'Presenti' }, { number: 'Biglietti' }, { number: 'Posti' }]}
      >
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
