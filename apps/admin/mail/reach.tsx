/** The recipients of a message: how many, some of them, and who is left out and why. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { previewMessage } from '#server/contract/messages.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { formatCount } from '#apps/shared/format.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { leftOutWords } from './message-words.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './message.module.css';

export type Reach = ReplyOf<typeof previewMessage>;

export function ReachPanel({ reach }: { reach: Reach }) {
  const more = reach.recipients - reach.examples.length;
  return (
    <Panel aria-labelledby="reach">
      <h2 id="reach">
        {formatCount(reach.recipients, 'destinatario', 'destinatari')} su{' '}
        {formatCount(reach.orders, 'ordine', 'ordini')}
      </h2>
      {reach.recipients === 0 && <p>Tra questi ordini non ce n’è nessuno a cui scrivere.</p>}
      <ul>
        {reach.examples.map((example) => (
          <li key={example.order_id}>
            {example.to_address}{' '}
            <span className={textStyles.soft}>
              {isolate(example.buyer_name ?? 'Senza nome')}, ordine {example.number}
              {example.orders > 1 && ` e altri ${example.orders - 1}`}
            </span>
          </li>
        ))}
        {more > 0 && <li className={textStyles.soft}>e altri {more.toLocaleString('it-IT')}</li>}
      </ul>
      {reach.merged > 0 && (
        <p>
          Chi ha più ordini riceve un solo messaggio:{' '}
          {formatCount(reach.merged, 'ordine riunito', 'ordini riuniti')}.
        </p>
      )}
      {reach.left_out.length > 0 && (
        <>
          <h3>Lasciati fuori</h3>
          <ul className={styles.leftOut}>
            {reach.left_out.map(({ reason, count, examples }) => (
              <li key={reason}>
                {formatCount(count, 'ordine', 'ordini')}: {leftOutWords[reason]}{' '}
                <span className={textStyles.soft}>
                  ({examples.join(', ')}
                  {count > examples.length && ' …'})
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
