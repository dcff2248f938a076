/** The keys in use: purpose, live or test, last letters, last success. No key is shown. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readKeys } from '#server/contract/jobs.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { formatAgo, useNow } from '#apps/admin/kit/clock.ts';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Key = ReplyOf<typeof readKeys>['items'][number];

const keyNames: Record<Key['name'], string> = {
  stripe: 'Stripe (pagamenti)',
  stripe_webhook: 'Avvisi di Stripe',
  seatsio: 'Pianta dei posti',
  smtp: 'Server di posta',
};

const modeWords = {
  live: { tone: 'good', icon: 'check', word: 'Vera' },
  test: { tone: 'warn', icon: 'info', word: 'Di prova' },
  stand_in: { tone: 'warn', icon: 'info', word: 'Del fornitore simulato' },
} as const;

export function Keys() {
  const keys = useEndpoint(readKeys, {}, { refetchInterval: 30_000 });
  return (
    <Panel aria-labelledby="keys">
      <h2 id="keys">Chiavi in uso</h2>
      <Loaded query={keys}>
        {({ items }) => (
          <Table cards columns={['Per che cosa', 'Chiave', 'Di che tipo', 'Ultima volta riuscita']}>
            <tbody>
              {items.map((key) => (
                <KeyLine key={key.name} found={key} />
              ))}
            </tbody>
          </Table>
        )}
      </Loaded>
    </Panel>
  );
}

function KeyLine({ found: { name, end, mode, used_at, failed_at } }: { found: Key }) {
  const now = useNow(30_000);
  const failedLast = failed_at !== null && (used_at === null || failed_at > used_at);
  return (
    <tr>
      <th scope="row">{keyNames[name]}</th>
      <td>
        <span className={textStyles.code}>
          <span aria-hidden="true">••••</span> {end ?? ''}
        </span>
        {end !== null && <span className="visually-hidden">, le ultime quattro lettere</span>}
      </td>
      <td>
        <StateBadge {...modeWords[mode]} />
      </td>
      <td>
        {used_at === null ? 'mai dall’avvio' : formatAgo(used_at, now)}
        {failedLast && <SecondLine>Poi senza risposta, {formatAgo(failed_at, now)}</SecondLine>}
      </td>
    </tr>
  );
}
