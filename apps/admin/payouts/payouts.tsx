/** Stripe's payouts, whether each agrees with our books, and the money still on its way. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listPayouts } from '#server/contract/payouts.ts';
import { formatDate } from '#server/domain/time/dates.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { ReadButton } from './read-button.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { agreementWords, payoutStateWords } from './words.ts';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Listed = ReplyOf<typeof listPayouts>;
type Payout = Listed['items'][number];

export function PayoutsScreen() {
  const pages = usePages(listPayouts, {}, 30_000);
  return (
    <>
      <PageTitle title="Accrediti">
        <ReadButton />
      </PageTitle>
      <Intro>
        Il denaro che Stripe manda in banca, confrontato riga per riga con gli incassi di qui.
      </Intro>
      <PagedList pages={pages}>
        {(rows, first) => (
          <>
            <OnTheWay first={first} />
            {rows.length === 0 ? (
              <Empty icon="wallet" title="Nessun accredito, finora.">
                <p>
                  Stripe accredita gli incassi dopo qualche giorno: il primo comparirà qui da sé.
                </p>
              </Empty>
            ) : (
              <div className={panelStyles.below}>
                <PayoutTable payouts={rows} />
              </div>
            )}
          </>
        )}
      </PagedList>
    </>
  );
}

function OnTheWay({ first: { on_the_way, read_until } }: { first: Listed }) {
  if (read_until === null && on_the_way.lines === 0) return null;
  return (
    <Panel aria-labelledby="on-the-way">
      <h2 id="on-the-way">Ancora in viaggio</h2>
      <p>
        <b>{formatEuro(on_the_way.net_cents)}</b> netti in{' '}
        {formatCount(on_the_way.lines, 'movimento', 'movimenti')}
        {on_the_way.days.length > 0 && ', disponibili:'}
      </p>
      <Facts wide>
        {on_the_way.days.map(({ day, net_cents, lines }) => (
          <Fact key={day} name={`Dal ${formatDate(day)}`}>
            {formatEuro(net_cents)}{' '}
            <span className={textStyles.soft}>
              ({formatCount(lines, 'movimento', 'movimenti')})
            </span>
          </Fact>
        ))}
      </Facts>
      {read_until !== null && (
        <p className={textStyles.soft}>Movimenti letti fino a {formatListDate(read_until)}.</p>
      )}
    </Panel>
  );
}

function PayoutTable({ payouts }: { payouts: readonly Payout[] }) {
  return (
    <Table
      cards
      columns={['In banca', { number: 'Importo' }, 'Stato', 'Confronto', { number: 'Righe' }]}
    >
      <tbody>
        {payouts.map((payout) => (
          <tr key={payout.payout_id}>
            <th scope="row">
              <Link to={`/reports/payouts/${payout.payout_id}`}>
                {formatListDate(payout.arrives_at).slice(0, 10)}
              </Link>
            </th>
            <td className={tableStyles.number}>{formatEuro(payout.amount_cents)}</td>
            <td>
              <StateBadge {...payoutStateWords(payout.state)} />
            </td>
            <td>
              <StateBadge {...agreementWords(payout)} />
            </td>
            <td className={tableStyles.number}>
              <span className={tableStyles.label}>Righe </span>
              {payout.read ? payout.lines.toLocaleString('it-IT') : '–'}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
